//! Every dense regression of an order from one factorisation.
//!
//! With regressors in the order lags, first variable, second variable, …, each times all basis
//! functions, those of a variable are a leading block of the moments G = L L'. With R = L⁻¹, the
//! row of R at the variable's first column c holds its coefficients, β = −L_cc R_c·, and
//! (G_11)⁻¹ = Σ_{r < c} R_r·' R_r·: running sums over rows give the covariance block of every
//! group for every target.

use faer::linalg::solvers::Llt;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{Mat, Side};
use rayon::prelude::*;

use crate::design::Columns;
use crate::error::{Error, Result};
use crate::moments::{Gram, TimeBasis, pair};
use crate::run::Cancel;

/// The coefficients of one regressor in one dense regression, with their covariance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Estimate {
    /// The explained variable.
    pub to: usize,
    /// The regressor, as a column.
    pub column: usize,
    /// One coefficient per basis function.
    pub coefficients: Vec<f64>,
    /// Their covariance, row by row.
    pub covariance: Vec<f64>,
    /// Degrees of freedom of the residual variance.
    pub freedom: f64,
}

/// How many regressors the last variable of an order has.
pub(crate) fn regressors(columns: &Columns, basis: usize) -> usize {
    columns.size() * basis
}

/// The estimates of every regressor in every regression.
///
/// # Errors
/// If the regressors are collinear, or there are too few rows for them.
pub(crate) fn estimates(
    columns: &Columns,
    basis: &TimeBasis,
    order: &[usize],
) -> Result<Vec<Estimate>> {
    let (d, b) = (columns.variables(), basis.size());
    let gram = Gram::of(columns, basis, &Cancel::default())?;
    let sequence: Vec<usize> = (d..columns.size()).chain(order.iter().copied()).collect();
    let size = sequence.len() * b;
    let ordered = Mat::from_fn(size, size, |r, c| {
        if c > r {
            return 0.0;
        }
        gram.entry(sequence[r / b], sequence[c / b], pair(r % b, c % b))
    });
    drop(gram);
    let factor = Llt::new(ordered.as_ref(), Side::Lower).map_err(|_| {
        let what = "regressors are collinear: leave out variables that are sums of others";
        Error::numerical("bands", what)
    })?;
    let mut inverse = Mat::<f64>::zeros(size, size);
    let threads = faer::Par::rayon(rayon::current_num_threads());
    invert_lower_triangular(inverse.as_mut(), factor.L(), threads);
    let lagged = sequence.len() - d;
    let found: Vec<Vec<Estimate>> = (0..sequence.len())
        .into_par_iter()
        .map(|group| {
            let context = Context { columns, order, inverse: &inverse, basis: b, lagged };
            context.group(group, sequence[group])
        })
        .collect();
    Ok(found.into_iter().flatten().collect())
}

struct Context<'a> {
    columns: &'a Columns,
    order: &'a [usize],
    inverse: &'a Mat<f64>,
    basis: usize,
    lagged: usize,
}

impl Context<'_> {
    /// The estimates of one group of regressors in all regressions that have it.
    fn group(&self, group: usize, column: usize) -> Vec<Estimate> {
        let (b, start) = (self.basis, group * self.basis);
        let mut sum = vec![0.0; b * b];
        let mut row = start;
        let mut out = Vec::new();
        let first = (group + 1).max(self.lagged) - self.lagged;
        for (at, to) in self.order.iter().enumerate().skip(first) {
            let own = (self.lagged + at) * b;
            while row < own {
                for j in 0..b {
                    for k in 0..b {
                        sum[j * b + k] +=
                            self.inverse[(row, start + j)] * self.inverse[(row, start + k)];
                    }
                }
                row += 1;
            }
            out.push(self.estimate(*to, column, own, start, &sum));
        }
        out
    }

    fn estimate(
        &self,
        to: usize,
        column: usize,
        own: usize,
        start: usize,
        sum: &[f64],
    ) -> Estimate {
        let rows = self.columns.rows();
        let root = 1.0 / self.inverse[(own, own)];
        let freedom = rows - own as f64 - self.columns.intercept() as f64;
        let scale = root * root / freedom.max(1.0);
        Estimate {
            to,
            column,
            coefficients: (0..self.basis).map(|k| -root * self.inverse[(own, start + k)]).collect(),
            covariance: sum.iter().map(|v| v * scale).collect(),
            freedom: freedom.max(1.0),
        }
    }
}
