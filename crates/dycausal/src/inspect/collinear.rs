//! Variables that others determine, and how much of each the others explain.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};
use ndarray::parallel::prelude::*;
use ndarray::{Array2, Axis, s};
use serde::Serialize;

use super::rows::standardised;
use crate::error::{Error, Result};
use crate::panel::Panel;
use crate::regression::Projection;

/// Share of a variable's variance left by others below which it counts as determined by them.
const LEFT: f64 = 1e-9;
/// Standardised weight above which another variable has a part in a dependence.
const PART: f64 = 1e-4;

/// Variables whose correlations with others are worked out at once.
const BAND: usize = 128;
/// Rows by which copies are told.
const COMPARED: usize = 256;
/// Variables with almost the same first value that a variable is compared with, at most.
const NEIGHBOURS: usize = 64;

/// A variable that is a linear combination of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dependence {
    /// The variable.
    pub variable: String,
    /// What it is a combination of.
    pub others: Vec<String>,
}

/// Exact dependences, and R² of each variable on the others of its step, from at most about
/// `limit` rows; nothing where there are fewer rows than variables.
pub(super) fn look(panel: &Panel, limit: usize) -> Result<(Vec<Dependence>, Vec<Option<f64>>)> {
    let (dependences, factor) = dependences(panel, limit)?;
    let explained = match factor {
        Some((factor, kept, dependent)) => explained(&factor, &kept, &dependent, panel.variables()),
        None => vec![None; panel.variables()],
    };
    Ok((dependences, explained))
}

/// A factor of the correlations of independent variables, these, and those that they determine.
type Factored = (Llt<f64>, Vec<usize>, Vec<usize>);

/// Exact dependences, and a factor of the correlations; nothing where there are fewer rows than variables.
pub(super) fn dependences(
    panel: &Panel,
    limit: usize,
) -> Result<(Vec<Dependence>, Option<Factored>)> {
    let d = panel.variables();
    let rows = standardised(panel, limit);
    if rows.nrows() <= d + 1 {
        return Ok((Vec::new(), None));
    }
    let correlation = correlations(&rows);
    if correlation.iter().any(|r| !r.is_finite()) {
        return Err(Error::numerical("inspection", "values are too large to be squared; rescale"));
    }
    let moving: Vec<usize> = (0..d).filter(|v| correlation[[*v, *v]] > 0.5).collect();
    let (kept, dependent, factor) = match factor_of(&correlation, &moving) {
        Ok(factor) if smallest_left(&factor) > LEFT => (moving, Vec::new(), factor),
        _ => {
            let (kept, dependent) = independent(&correlation, &moving);
            let factor = factor_of(&correlation, &kept)?;
            (kept, dependent, factor)
        }
    };
    let named = |v: &usize| panel.names()[*v].clone();
    let parts = |v: usize| -> Vec<String> {
        let cross = Mat::from_fn(kept.len(), 1, |j, _| correlation[[kept[j], v]]);
        let weights = factor.solve(&cross);
        let large = (0..kept.len()).filter(|j| weights[(*j, 0)].abs() > PART);
        large.map(|j| named(&kept[j])).collect()
    };
    let dependences =
        dependent.iter().map(|v| Dependence { variable: named(v), others: parts(*v) }).collect();
    Ok((dependences, Some((factor, kept, dependent))))
}

/// Σ z z' / rows, in bands of variables: what lies left of the diagonal is worked out, what lies right of it is the same.
fn correlations(rows: &Array2<f64>) -> Array2<f64> {
    let d = rows.ncols();
    let mut all = Array2::zeros((d, d));
    all.axis_chunks_iter_mut(Axis(0), BAND).into_par_iter().enumerate().for_each(
        |(k, mut band)| {
            let end = k * BAND + band.nrows();
            let (own, others) = (rows.slice(s![.., k * BAND..end]), rows.slice(s![.., ..end]));
            let product = own.t().dot(&others) / rows.nrows() as f64;
            band.slice_mut(s![.., ..end]).assign(&product);
        },
    );
    for j in 0..d {
        for k in j + 1..d {
            all[[j, k]] = all[[k, j]];
        }
    }
    all
}

/// Variables that are copies of others but for unit and mean, quickly: what can be told of many variables.
pub(super) fn copies(panel: &Panel) -> Vec<Dependence> {
    let rows = standardised(panel, COMPARED);
    if rows.nrows() < 3 {
        return Vec::new();
    }
    let columns = rows.t().to_owned();
    let size = |v: usize| columns[[v, 0]].abs();
    let moves = |v: &usize| columns.row(*v).iter().any(|x| *x != 0.0);
    let mut order: Vec<usize> = (0..columns.nrows()).filter(moves).collect();
    order.sort_by(|a, b| size(*a).total_cmp(&size(*b)));
    let named = |v: usize| panel.names()[v].clone();
    let mut found = Vec::new();
    for (at, &v) in order.iter().enumerate() {
        let near =
            order[..at].iter().rev().take_while(|other| size(v) - size(**other) < LEFT.sqrt());
        let same = |other: &&usize| {
            let r = columns.row(v).dot(&columns.row(**other)) / columns.ncols() as f64;
            1.0 - r * r < LEFT
        };
        if let Some(other) = near.take(NEIGHBOURS).find(same) {
            found.push(Dependence { variable: named(v), others: vec![named(*other)] });
        }
    }
    found
}

/// Splits moving variables into independent ones and those that these determine: one after the other is given,
/// unless nothing is left of it.
fn independent(correlation: &Array2<f64>, moving: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let squares = correlation.diag().to_vec();
    let mut left = Projection::new(squares.clone(), squares, 1.0, LEFT);
    let new = |v: &usize| {
        let new = left.left(*v).is_some();
        if new {
            left.give(*v, |other| correlation[[*v, other]]);
        }
        new
    };
    moving.iter().copied().partition(new)
}

/// The smallest share of a variable's variance that those before it leave.
fn smallest_left(factor: &Llt<f64>) -> f64 {
    let diagonal = factor.L().diagonal().column_vector();
    diagonal.iter().map(|x| x * x).fold(f64::INFINITY, f64::min)
}

fn factor_of(correlation: &Array2<f64>, kept: &[usize]) -> Result<Llt<f64>> {
    let part = Mat::from_fn(kept.len(), kept.len(), |j, k| correlation[[kept[j], kept[k]]]);
    Llt::new(part.as_ref(), Side::Lower)
        .map_err(|_| Error::numerical("inspection", "the correlations have no Cholesky factor"))
}

/// R²_i = 1 - 1 / (C⁻¹)_ii among independent variables, and 1 for the others.
fn explained(
    factor: &Llt<f64>,
    kept: &[usize],
    dependent: &[usize],
    variables: usize,
) -> Vec<Option<f64>> {
    let inverse = factor.solve(Mat::<f64>::identity(kept.len(), kept.len()));
    let mut share = vec![None; variables];
    for v in dependent {
        share[*v] = Some(1.0);
    }
    for (j, v) in kept.iter().enumerate() {
        share[*v] = Some((1.0 - 1.0 / inverse[(j, j)]).clamp(0.0, 1.0));
    }
    share
}
