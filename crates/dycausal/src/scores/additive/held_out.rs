//! How well an additive model foretells rows that it has not seen.

use std::f64::consts::TAU;

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

use super::AdditiveScore;

/// What is added to moments so that features that only unseen rows tell apart do no harm.
const RIDGE: f64 = 1e-6;

impl AdditiveScore {
    /// The log likelihood of the rows of one fold under a regression on these columns that knows the
    /// others, per row, in units of the target's standard deviation.
    pub fn foretold(&self, target: usize, columns: &[usize], folds: &[usize], fold: usize) -> f64 {
        let features: Vec<usize> =
            columns.iter().flat_map(|c| self.features.groups[*c].clone()).collect();
        let y = self.features.targets.col_as_slice(target);
        let x: Vec<&[f64]> =
            features.iter().map(|f| self.features.values.col_as_slice(*f)).collect();
        let seen: Vec<usize> = (0..y.len()).filter(|row| folds[*row] != fold).collect();
        let unseen: Vec<usize> = (0..y.len()).filter(|row| folds[*row] == fold).collect();
        let count = seen.len() as f64;
        if seen.len() <= features.len() + 1 || unseen.is_empty() {
            return 0.0;
        }
        let mean = |a: &[f64], b: &[f64]| -> f64 {
            seen.iter().map(|row| a[*row] * b[*row]).sum::<f64>() / count
        };
        let size = features.len();
        let gram = Mat::from_fn(size, size, |a, b| {
            if b > a { 0.0 } else { mean(x[a], x[b]) + if a == b { RIDGE } else { 0.0 } }
        });
        let right = Mat::from_fn(size, 1, |a, _| mean(x[a], y));
        let Ok(factor) = Llt::new(gram.as_ref(), Side::Lower) else { return f64::NEG_INFINITY };
        let found = factor.solve(&right);
        let residual =
            |row: usize| y[row] - (0..size).map(|k| found[(k, 0)] * x[k][row]).sum::<f64>();
        let freedom = (count - size as f64).max(1.0);
        let variance = seen.iter().map(|row| residual(*row).powi(2)).sum::<f64>() / freedom;
        let variance = variance.max(1e-9);
        let squares = unseen.iter().map(|row| residual(*row).powi(2)).sum::<f64>();
        -0.5 * (squares / unseen.len() as f64 / variance + variance.ln() + TAU.ln())
    }
}
