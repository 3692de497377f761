//! Tests and bands of one edge from its coefficients and their covariance.

use ndarray::ArrayView2;
use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};

use super::nested::Estimate;

/// p-value of "these coefficients are all 0": Wald's statistic over their number is F with that
/// number and the residual's degrees of freedom.
pub(crate) fn wald(estimate: &Estimate, from: usize) -> f64 {
    let b = estimate.coefficients.len();
    let count = b - from;
    if count == 0 {
        return 1.0;
    }
    let block = |j: usize, k: usize| estimate.covariance[(j + from) * b + k + from];
    let Some(statistic) = quadratic(count, block, &estimate.coefficients[from..]) else {
        return 1.0;
    };
    FisherSnedecor::new(count as f64, estimate.freedom)
        .map_or(1.0, |law| law.sf(statistic / count as f64))
}

/// The weight and its standard error at each step of ψ\[step, function\].
pub(crate) fn path(estimate: &Estimate, psi: ArrayView2<'_, f64>) -> Vec<(f64, f64)> {
    let b = estimate.coefficients.len();
    psi.outer_iter()
        .map(|psi| {
            let weight = (0..b).map(|k| psi[k] * estimate.coefficients[k]).sum();
            let variance: f64 =
                (0..b * b).map(|k| psi[k / b] * psi[k % b] * estimate.covariance[k]).sum();
            (weight, variance.max(0.0).sqrt())
        })
        .collect()
}

/// How many standard errors a band at one step reaches to either side.
pub(crate) fn pointwise(level: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .map_or(f64::INFINITY, |law| law.inverse_cdf(0.5 + level / 2.0))
}

/// How many standard errors a band that holds at all steps at once reaches (Scheffé).
pub(crate) fn simultaneous(level: f64, functions: usize, freedom: f64) -> f64 {
    let count = functions as f64;
    FisherSnedecor::new(count, freedom)
        .map_or(f64::INFINITY, |law| (count * law.inverse_cdf(level)).sqrt())
}

/// x' V⁻¹ x by Cholesky; `None` if V is not positive definite.
fn quadratic(size: usize, v: impl Fn(usize, usize) -> f64, x: &[f64]) -> Option<f64> {
    let mut factor = vec![0.0; size * size];
    let mut z = vec![0.0; size];
    for row in 0..size {
        for col in 0..=row {
            let dot: f64 = (0..col).map(|e| factor[row * size + e] * factor[col * size + e]).sum();
            let value = v(row, col) - dot;
            if row == col && (value <= 0.0 || value.is_nan()) {
                return None;
            }
            let divided = if row == col { value.sqrt() } else { value / factor[col * size + col] };
            factor[row * size + col] = divided;
        }
        let dot: f64 = (0..row).map(|e| factor[row * size + e] * z[e]).sum();
        z[row] = (x[row] - dot) / factor[row * size + row];
    }
    Some(z.iter().map(|z| z * z).sum())
}
