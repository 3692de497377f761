//! An equation fitted to its rows: coefficients, residuals, tests.

use ndarray::Array2;

use super::design::Design;
use super::rows::{Rows, Window};
use crate::inference::wald_p;
use crate::linear_algebra::{add_scaled, dot, symmetric_inverse};

/// Coefficients of noise that is passed on with the other sign, as noise of the observation is.
const PASSED_ON: [f64; 6] = [-0.15, -0.3, -0.45, -0.6, -0.75, -0.9];

/// Least squares on some columns of a design.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    /// The columns.
    pub terms: Vec<usize>,
    /// Their coefficients, for columns of length 1.
    pub coefficients: Vec<f64>,
    /// What is left of every row.
    pub residuals: Vec<f64>,
    inverse: Vec<f64>,
}

impl Fitted {
    /// The regression of a change.
    pub fn of(design: &Design, change: &[f64], terms: &[usize]) -> Self {
        let size = terms.len();
        let column = |k: usize| &design.columns[terms[k]][..];
        let gram = (0..size * size).map(|e| dot(column(e / size), column(e % size))).collect();
        let cross: Vec<f64> = (0..size).map(|k| dot(column(k), change)).collect();
        let solved = if size == 0 { None } else { symmetric_inverse(gram, size) };
        let mut residuals = change.to_vec();
        let Some(inverse) = solved else {
            return Self {
                terms: Vec::new(),
                coefficients: Vec::new(),
                residuals,
                inverse: Vec::new(),
            };
        };
        let coefficients: Vec<f64> =
            (0..size).map(|k| dot(&inverse[k * size..(k + 1) * size], &cross)).collect();
        for (k, c) in coefficients.iter().enumerate() {
            add_scaled(&mut residuals, -c, column(k));
        }
        Self { terms: terms.to_vec(), coefficients, residuals, inverse }
    }

    /// p-value of "no term of this variable is there", by Wald's statistic with a covariance that holds
    /// whatever the variance of each row (HC3).
    pub fn p_value(&self, design: &Design, variable: usize) -> f64 {
        let size = self.terms.len();
        let its: Vec<usize> =
            (0..size).filter(|k| design.terms[self.terms[*k]].term.has(variable)).collect();
        let freedom = self.residuals.len() as f64 - size as f64 - 1.0;
        if its.is_empty() || freedom < 1.0 {
            return 1.0;
        }
        let covariance = self.robust(design);
        let block: Vec<f64> =
            its.iter().flat_map(|a| its.iter().map(|b| covariance[[*a, *b]])).collect();
        let coefficients: Vec<f64> = its.iter().map(|k| self.coefficients[*k]).collect();
        wald_p(&coefficients, &block, 0, freedom)
    }

    /// A (Σ z z' u² / (1 − h)²) A.
    fn robust(&self, design: &Design) -> Array2<f64> {
        let (size, rows) = (self.terms.len(), self.residuals.len());
        let z = Array2::from_shape_fn((rows, size), |(r, k)| design.columns[self.terms[k]][r]);
        let inverse = Array2::from_shape_vec((size, size), self.inverse.clone())
            .unwrap_or_else(|_| Array2::zeros((size, size)));
        let mut influence = z.dot(&inverse);
        for (r, mut row) in influence.outer_iter_mut().enumerate() {
            let leverage = row.dot(&z.row(r)) + 1.0 / rows as f64;
            let weight = self.residuals[r] / (1.0 - leverage.min(0.999));
            row.mapv_inplace(|x| x * weight);
        }
        influence.t().dot(&influence)
    }

    /// n log of the noise variance, where noise may be passed on to the next row with the other sign:
    /// noise of an observation is in two changes. Schemes are compared by it.
    pub fn noise(&self, rows: &Rows) -> f64 {
        let count = self.residuals.len() as f64;
        let square = dot(&self.residuals, &self.residuals);
        let plain = count * (square / count).max(f64::MIN_POSITIVE).ln();
        let passed = PASSED_ON.iter().map(|share| {
            let square = innovations(&self.residuals, &rows.windows, *share);
            count * (square / count).max(f64::MIN_POSITIVE).ln() + count.ln()
        });
        passed.fold(plain, f64::min)
    }
}

/// Σ e², e(t) = u(t) − share · e(t − 1) within a series.
fn innovations(residuals: &[f64], windows: &[Window], share: f64) -> f64 {
    let mut sum = 0.0;
    let mut last: Option<(Window, f64)> = None;
    for (u, window) in residuals.iter().zip(windows) {
        let before = last.filter(|(w, _)| w.series == window.series && w.step + 1 == window.step);
        let e = match before {
            Some((_, e)) => u - share * e,
            None => u / (1.0 + share * share).sqrt(),
        };
        sum += e * e;
        last = Some((*window, e));
    }
    sum
}
