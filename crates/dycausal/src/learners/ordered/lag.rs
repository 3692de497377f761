//! Which lag the data ask for.
//!
//! In the order found with a lag of 1 (with few variables: looked at again with the longest lag that
//! is tried), each variable is regressed with effects
//! between variables up to lag L and its own lags free. The lag is that of the least
//! Σ_i n log s²_i + (parents)(B log n + 2 log((L + 1) d)).

use rayon::prelude::*;
use serde::Serialize;

use super::pipeline::{Fitted, Given};
use super::{Ordered, pipeline};
use crate::design::Columns;
use crate::error::Result;
use crate::knowledge::Knowledge;
use crate::moments::TimeBasis;
use crate::panel::Panel;
use crate::run::memory::bytes;
use crate::run::{PanelShape, Run};
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::scores::linear::shrink::Fit;
use crate::search::{self, Start};

/// The longest lag that is tried.
const MOST: usize = 5;
/// Variables up to which the order is looked at again with the longest lag.
const SMALL: usize = 15;
/// Variables that are looked at where columns are too many for all of their moments.
const SAMPLE: usize = 256;
/// Rows per possible cause, at least, for a lag to be tried.
const ROWS: usize = 2;

/// The longest lag that is tried with data of this size.
pub(super) fn longest(panel: &Panel) -> usize {
    let rows = panel.series() * panel.steps();
    let by_rows = (rows / (ROWS * panel.variables())).saturating_sub(1);
    MOST.min(panel.steps() / 5).min(by_rows).max(1)
}

/// The criterion of each lag from 1 on, less that of the best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Curve {
    /// The lag that was chosen.
    pub chosen: usize,
    /// \[lag − 1\]: how much worse, in units of −2 log likelihood.
    pub worse: Vec<f64>,
}

/// The lag with the least criterion, in the order that was found with a lag of 1.
///
/// # Errors
/// If the data have no rows with the longest lag, or the run is cancelled.
pub(super) fn choose(
    method: &Ordered,
    fitted: &Fitted,
    prepared: &impl Fn(usize) -> Result<Columns>,
    panel: &Panel,
    run: &Run,
) -> Result<Curve> {
    // Missing cells leave fewer rows the longer the lag: half of them have to be left.
    let enough = |columns: &Columns| 2.0 * columns.rows() >= fitted.score.columns.rows();
    let found = (2..=longest(panel)).rev().find_map(|lag| prepared(lag).ok().filter(enough));
    let Some(columns) = found else {
        let chosen = run.knowledge().longest_lag().max(1);
        return Ok(Curve { chosen, worse: vec![0.0] });
    };
    let columns = columns.by_information();
    let longest = columns.lag();
    let steps = panel.steps();
    let basis = method.movement.family().basis(fitted.basis.size(), steps, longest)?;
    let basis = TimeBasis::new(&basis, &columns)?;
    // Variables keep the panel's numbers here.
    let mut position = vec![0; panel.variables()];
    let order = fitted.order();
    order.iter().enumerate().for_each(|(at, v)| position[*v] = at);
    let needed = bytes(pipeline::moments(PanelShape::of(panel), longest, basis.size()));
    run.afford(&format!("a look at lags up to {longest}"), needed, "set `lag`")?;
    let score = LinearScore::new(columns, basis, false, run.cancel())?;
    if panel.variables() <= SMALL {
        // A lag that is too short may have led the order astray: it is looked at again.
        let given = Given::new(run.knowledge().clone());
        position = search::learn(&score, Start::Near(&order), &given, run)?.state.position;
    }
    let costs = (1..=longest)
        .map(|lag| {
            run.proceed()?;
            cost(&score, &position, lag, run.knowledge())
        })
        .collect::<Result<Vec<f64>>>()?;
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let chosen = costs.iter().position(|cost| *cost <= least).unwrap_or(0) + 1;
    let chosen = chosen.max(run.knowledge().longest_lag());
    Ok(Curve { chosen, worse: costs.iter().map(|cost| cost - least).collect() })
}

fn cost(score: &LinearScore, position: &[usize], lag: usize, knowledge: &Knowledge) -> Result<f64> {
    let (d, rows) = (score.variables(), score.columns.rows());
    let parent = score.penalty() + 2.0 * (((lag + 1) * d) as f64).ln();
    let allowed = |c: usize, to: usize| {
        let (from, back) = (c % d, c / d);
        let admitted = match back {
            0 => position[from] < position[to],
            _ => back <= lag || from == to,
        };
        admitted && knowledge.allows_column(c, to, d)
    };
    let required = |to: usize| knowledge.required_columns(to);
    let cost = |to: usize, fit: &Fit| {
        let parents = fit.selected.iter().filter(|c| **c % d != to).count();
        rows * fit.variance.max(1e-15).ln() + parent * parents as f64
    };
    // Where columns are too many for all of their moments, some variables tell.
    let some: Vec<usize> = (0..d).step_by(d.div_ceil(SAMPLE)).collect();
    if let Some(fits) = score.regress_some(&some, &allowed, &required)? {
        return Ok(some.iter().zip(&fits).map(|(to, fit)| cost(*to, fit)).sum());
    }
    let costs: Vec<f64> = (0..d)
        .into_par_iter()
        .map_init(<LinearScore as LocalScore>::Scratch::default, |scratch, to| {
            score.proceed()?;
            let fit = score.regress(to, |c| allowed(c, to), &required(to), scratch);
            Ok(cost(to, &fit))
        })
        .collect::<Result<_>>()?;
    Ok(costs.iter().sum())
}
