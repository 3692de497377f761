//! How the cells of three neighbouring steps go together.
//!
//! Covariances of lag 0, 1 and 2 are sums over pairs of cells: in the first pass of those that were both
//! observed, later of all, filled as they are, with the variances that are left. As correlations they are
//! shrunk, r ← (1 − λ) r, with λ = Σ var(r) / Σ r² (Schäfer and Strimmer) and at least .001, where
//! var(r) = (1 − r²)² (1 + a) / ((1 − a) n), a = ρ_v ρ_w (Bartlett), n the pairs that were observed.

use std::ops::Range;

use faer::linalg::solvers::{DenseSolveCore, Llt};
use faer::{Mat, Side};
use ndarray::Array2;

use super::cells::Cells;
use crate::linear_algebra::add_transposed_product;
use crate::thresholds::LEAST_SHRINKAGE;

/// The largest product of autocorrelations that is told apart from 1.
const PERSISTENT: f64 = 0.95;
/// Rows whose products are added up at once.
const BLOCK: usize = 1024;
/// What a window has besides its middle step: the number of a variant is a sum of these.
pub(super) const BEFORE: usize = 1;
pub(super) const AFTER: usize = 2;

/// Standard deviations of the variables in one bin of time, and the inverse of the correlations of
/// windows: without neighbours, with the step before, with that after, with both.
#[derive(Debug)]
pub(super) struct FillWindow {
    pub deviations: Vec<f64>,
    pub precisions: [Vec<f64>; 4],
}

/// Correlations of one lag, \[now, before\], how many pairs each is from, and how many were observed.
struct Lagged {
    correlations: Array2<f64>,
    counts: Array2<f64>,
    seen: Array2<f64>,
}

impl FillWindow {
    /// The window of some steps.
    pub fn of(cells: &Cells, steps: Range<usize>, first: bool) -> Self {
        let d = cells.variables;
        let mut lags: Vec<Lagged> =
            (0..3).map(|lag| sums(cells, steps.clone(), lag, first)).collect();
        let variance = |v: usize| {
            let (square, count) = (lags[0].correlations[[v, v]], lags[0].counts[[v, v]]);
            if count > 1.0 && square > 0.0 { square / count } else { 1.0 }
        };
        let deviations: Vec<f64> = (0..d).map(|v| variance(v).sqrt()).collect();
        for of_lag in &mut lags {
            for ((v, w), r) in of_lag.correlations.indexed_iter_mut() {
                let count = of_lag.counts[[v, w]];
                let mean = if count > 0.0 { *r / count } else { 0.0 };
                let scaled = mean / (deviations[v] * deviations[w]);
                *r = if scaled.is_finite() { scaled.clamp(-0.999, 0.999) } else { 0.0 };
            }
        }
        let shrinkage = shrinkage(&lags);
        // Two neighbouring steps are alike whether the other is before or after.
        let precisions = [1, 2, 2, 3].map(|rows| precision(&lags, rows * d, shrinkage));
        Self { deviations, precisions }
    }
}

/// Sums of products of cells `lag` steps apart, and how many there are.
fn sums(cells: &Cells, steps: Range<usize>, lag: usize, first: bool) -> Lagged {
    let d = cells.variables;
    let pairs: Vec<(usize, usize)> = (0..cells.series())
        .flat_map(|n| steps.clone().filter(|t| *t >= lag).map(move |t| n * cells.steps + t))
        .map(|row| (row, row - lag))
        .filter(|(row, before)| cells.usable[*row] && cells.usable[*before])
        .collect();
    let mut out = Array2::zeros((d, d));
    let mut seen = Array2::zeros((d, d));
    for block in pairs.chunks(BLOCK) {
        let gather = |cell: &dyn Fn(usize, usize) -> f64, side: fn(&(usize, usize)) -> usize| {
            Array2::from_shape_fn((block.len(), d), |(at, v)| cell(side(&block[at]), v))
        };
        let add = |out: &mut Array2<f64>, cell: &dyn Fn(usize, usize) -> f64| {
            let (now, before) = (gather(cell, |p| p.0), gather(cell, |p| p.1));
            add_transposed_product(&mut out.view_mut(), &now.view(), &before.view());
        };
        add(&mut out, &|row, v| cells.row(row)[v]);
        add(&mut seen, &|row, v| f64::from(u8::from(!cells.absent(row)[v])));
    }
    if lag == 0 {
        for (row, _) in &pairs {
            cells.left(*row).iter().enumerate().for_each(|(v, left)| out[[v, v]] += left);
        }
    }
    let all = Array2::from_elem((d, d), pairs.len() as f64);
    let counts = if first { seen.clone() } else { all };
    Lagged { correlations: out, counts, seen }
}

/// λ of all correlations of a whole window.
fn shrinkage(lags: &[Lagged]) -> f64 {
    let own = lags[1].correlations.diag();
    let (mut chance, mut all) = (0.0, 0.0);
    for (lag, of_lag) in lags.iter().enumerate() {
        for ((v, w), r) in of_lag.correlations.indexed_iter() {
            let count = of_lag.seen[[v, w]];
            if (lag == 0 && v == w) || count < 2.0 {
                continue;
            }
            let together = (own[v] * own[w]).clamp(-PERSISTENT, PERSISTENT);
            let spread = (1.0 - r * r).powi(2) / count;
            // A window has three steps, two pairs of neighbours, one pair two steps apart; those of
            // lag 0 are counted from both sides already.
            let times = [1.5, 2.0, 1.0][lag];
            chance += times * spread * (1.0 + together) / (1.0 - together);
            all += times * r * r;
        }
    }
    if all > 0.0 { (chance / all).clamp(LEAST_SHRINKAGE, 1.0) } else { 1.0 }
}

/// The inverse of shrunk correlations of the first `size` cells of a window.
fn precision(lags: &[Lagged], size: usize, mut shrinkage: f64) -> Vec<f64> {
    let d = lags[0].counts.nrows();
    let entry = |j: usize, k: usize| {
        let (now, before) = (j.max(k), j.min(k));
        lags[now / d - before / d].correlations[[now % d, before % d]]
    };
    loop {
        let shrunk = |j, k| if j == k { 1.0 } else { (1.0 - shrinkage) * entry(j, k) };
        let matrix = Mat::from_fn(size, size, shrunk);
        if let Ok(factor) = Llt::new(matrix.as_ref(), Side::Lower) {
            let inverse = factor.inverse();
            return (0..size * size).map(|at| inverse[(at / size, at % size)]).collect();
        }
        // Pairs that were observed in different rows need not go together.
        shrinkage = (2.0 * shrinkage + 0.01).min(1.0);
    }
}
