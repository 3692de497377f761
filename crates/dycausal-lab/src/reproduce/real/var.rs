//! Ordinary vector autoregression: the yardstick for recorded data.

use dycausal::{Error, Moments, Panel};
use faer::linalg::solvers::{DenseSolveCore, Llt, Solve};
use faer::{Mat, Side};
use ndarray::{Array2, Array3};

use crate::error::Result;

/// Share of its own variance that is added to each regressor: enough for the factorisation of
/// columns that are nearly the same, too little to see elsewhere.
const RIDGE: f64 = 1e-9;

/// A fitted autoregression.
#[derive(Debug, Clone)]
pub(super) struct Var {
    /// Weights\[lag - 1, from, to\].
    pub weights: Array3<f64>,
    /// Wald statistic\[from, to\] of "no lag of `from` helps to predict `to`": Granger's question,
    /// and free of units.
    pub statistic: Array2<f64>,
}

/// Regresses every variable on all variables at lags 1 to `lag`, with an intercept, all series and
/// steps pooled.
pub(super) fn var(panel: &Panel, lag: usize) -> Result<Var> {
    let moments = Moments::of(panel, lag)?;
    let (d, q) = (panel.variables(), panel.variables() * lag);
    let size = d + q + 1;
    let mut gram = Array2::<f64>::zeros((size, size));
    for t in lag..moments.steps() {
        gram += &moments.at(t);
    }
    let rows = gram[[size - 1, size - 1]];
    if rows <= (q + 1) as f64 {
        let what = format!("{} coefficients, and only {rows} rows", q + 1);
        return Err(Error::numerical("autoregression", what).into());
    }
    let around =
        |j: usize, k: usize| gram[[j, k]] - gram[[j, size - 1]] * gram[[size - 1, k]] / rows;
    let lagged =
        Mat::from_fn(q, q, |j, k| around(d + j, d + k) * if j == k { 1.0 + RIDGE } else { 1.0 });
    let cross = Mat::from_fn(q, d, |j, i| around(d + j, i));
    let collinear = |_| {
        Error::numerical("autoregression", "variables are copies of each other, or do not move")
    };
    let factor = Llt::new(lagged.as_ref(), Side::Lower).map_err(collinear)?;
    let solved = factor.solve(&cross);
    let inverse = factor.inverse();
    let weights = Array3::from_shape_fn((lag, d, d), |(l, j, i)| solved[(l * d + j, i)]);
    let mut statistic = Array2::zeros((d, d));
    for to in 0..d {
        let explained: f64 = (0..q).map(|k| solved[(k, to)] * cross[(k, to)]).sum();
        let variance =
            ((around(to, to) - explained) / (rows - q as f64 - 1.0)).max(f64::MIN_POSITIVE);
        for from in 0..d {
            statistic[[from, to]] = wald(&solved, &inverse, (from, to), (d, lag)) / variance;
        }
    }
    Ok(Var { weights, statistic })
}

/// b' V⁻¹ b over the lags of one cause, V its block of the inverse Gram.
fn wald(
    solved: &Mat<f64>,
    inverse: &Mat<f64>,
    (from, to): (usize, usize),
    (d, lag): (usize, usize),
) -> f64 {
    let block = Mat::from_fn(lag, lag, |a, b| inverse[(a * d + from, b * d + from)]);
    let weights = Mat::from_fn(lag, 1, |a, _| solved[(a * d + from, to)]);
    Llt::new(block.as_ref(), Side::Lower).map_or(0.0, |factor| {
        let whitened = factor.solve(&weights);
        (0..lag).map(|a| weights[(a, 0)] * whitened[(a, 0)]).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Dynamics, Simulation};

    #[test]
    fn a_known_autoregression_is_found_and_statistics_have_no_units() {
        let simulation = Simulation {
            variables: 3,
            series: 2,
            steps: 2000,
            density: 1.0,
            dynamics: Dynamics::Static,
            ..Simulation::default()
        };
        let drawn = simulation.draw(4).unwrap();
        let found = var(&drawn.panel, 2).unwrap();
        let mut values = drawn.panel.values().to_owned();
        values.slice_mut(ndarray::s![.., .., 1]).mapv_inplace(|x| 1000.0 * x);
        let scaled = var(&Panel::unnamed(values).unwrap(), 2).unwrap();
        for ((from, to), s) in found.statistic.indexed_iter() {
            assert!((s - scaled.statistic[[from, to]]).abs() <= 1e-5 * (1.0 + s.abs()));
        }
        // (I - W0')⁻¹ W1' is what an autoregression without lag 0 sees.
        let w = |lag, from, to| drawn.truth.weight(0, lag, from, to);
        let within = Mat::from_fn(3, 3, |i, j| f64::from(u8::from(i == j)) - w(0, j, i));
        let past = Mat::from_fn(3, 3, |i, j| w(1, j, i));
        let reduced = within.partial_piv_lu().solve(&past);
        for (from, to) in (0..3).flat_map(|f| (0..3).map(move |t| (f, t))) {
            let (ours, exact) = (found.weights[[0, from, to]], reduced[(to, from)]);
            assert!((ours - exact).abs() < 0.1, "{from} {to}: {ours} {exact}");
        }
    }
}
