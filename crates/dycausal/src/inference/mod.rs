//! How sure: bands and tests of edges in a given order, and control over many of them.

pub(crate) mod covariance;
mod edge_test;
mod false_discovery;
pub(crate) mod listing;
pub(crate) mod nested;
pub(crate) mod partial;
pub(crate) mod pieces;
pub(crate) mod regression;

pub(crate) use edge_test::{counting_rows, path, pointwise, simultaneous, wald, wald_p};
pub use false_discovery::adjusted;
pub(crate) use false_discovery::adjusted_among;

use crate::basis::Basis;
use crate::design::Columns;
use crate::error::{Error, Result};
use crate::moments::TimeBasis;
use crate::panel::Panel;

/// What the dense regressions of an order say of one possible edge, in the data's units.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeTest {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// How many steps the cause is ahead.
    pub lag: usize,
    /// The weight at each step, from the first that has all lags on.
    pub weight: Vec<f64>,
    /// Its standard error at each step.
    pub error: Vec<f64>,
    /// p-value of "the weight is 0 at every step".
    pub absent: f64,
    /// p-value of "the weight is the same at every step".
    pub unchanging: f64,
    /// Degrees of freedom of the residual variance.
    pub freedom: f64,
}

/// Tests every edge that an order of the variables allows: each variable on all of its
/// predecessors and all variables at lags 1 to `lag`, with weights on `basis`.
///
/// # Errors
/// If the order is not one of the variables, rows are too few, or regressors are collinear.
pub fn test_edges(
    panel: &Panel,
    lag: usize,
    order: &[usize],
    basis: &Basis,
) -> Result<Vec<EdgeTest>> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted != (0..panel.variables()).collect::<Vec<_>>() {
        let expected = format!("each of 0..{} once", panel.variables());
        return Err(Error::shape("order", format!("{order:?}"), expected));
    }
    let columns = Columns::of(panel, lag)?;
    let inner = TimeBasis::new(basis, &columns)?;
    let needed = nested::regressors(&columns, inner.size()) + columns.intercept();
    if columns.rows() <= needed as f64 {
        let what = format!("{needed} coefficients, and only {} rows", columns.rows());
        return Err(Error::numerical("tests", what));
    }
    let d = panel.variables();
    let scale = columns.scale();
    let test = |estimate: &nested::Estimate| {
        let (from, lag) = (estimate.column % d, estimate.column / d);
        let unit = scale[estimate.to] / scale[from];
        let path = path(&estimate.coefficients, &estimate.covariance, inner.values());
        EdgeTest {
            from,
            to: estimate.to,
            lag,
            weight: path.iter().map(|(weight, _)| weight * unit).collect(),
            error: path.iter().map(|(_, error)| error * unit).collect(),
            absent: wald(estimate, 0),
            unchanging: wald(estimate, 1),
            freedom: estimate.freedom,
        }
    };
    let all = nested::estimates(&columns, &inner, order)?;
    Ok(all.iter().map(test).collect())
}
