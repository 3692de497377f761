//! What each row adds to the score of a regression.
//!
//! With v = u / σ(t) the residual in units of its noise, row by row
//!
//! ℓ = log σ² + v² − 1 − 2 (J + IF), where IF is the influence of the row on the distance J from
//! Gaussian (see [`super::noise`]): its sum over rows is the whole score without the cost of
//! parents, and its spread over blocks of rows says how sure a difference of two scores is.

use std::borrow::Cow;
use std::f64::consts::PI;

use super::noise::{self, Regression, ResidualSums, Sums};
use super::shrink::{Fit, Shrink};
use super::{LinearScore, Source};
use crate::moments::{Gram, Workspace};

impl LinearScore {
    /// ℓ of every row, step by step; 0 where a row does not count.
    pub fn row_terms(&self, target: usize, fit: &Fit) -> Vec<f64> {
        let fit = &*self.solved(target, fit);
        let series = self.columns.series();
        let deviations = self.deviations(target, fit);
        let mut u = self.residuals(target, fit);
        for (rows, sd) in u.chunks_exact_mut(series).zip(&deviations) {
            for x in rows {
                *x /= sd;
            }
        }
        let weight = |row: usize| self.columns.weights_of(target).map_or(1.0, |w| w[row]);
        let rows = self.columns.weights_of(target).map_or(self.columns.rows(), |w| w.iter().sum());
        let mean = |f: fn(f64) -> f64| {
            let sum: f64 = u.iter().enumerate().map(|(row, v)| weight(row) * f(*v)).sum();
            sum / rows
        };
        let (m1, m2, m3) = (mean(f64::abs), mean(|v| v * v.abs()), mean(|v| v));
        let flat = (2.0 / PI).sqrt();
        let (a, b) = (1.0 / (2.0 - 6.0 / PI), 1.0 / (6.0 - 16.0 / PI));
        let lopsided = m2 - 2.0 * flat * m3;
        let away = a * (m1 - flat).powi(2) + b * lopsided.powi(2);
        let influence = |v: f64| {
            let square = v * v - 1.0;
            let tails = v.abs() - m1 - m1 * square / 2.0;
            let sides = (v * v.abs() - m2) - 2.0 * flat * (v - m3) - (m2 - flat * m3) * square;
            2.0 * a * (m1 - flat) * tails + 2.0 * b * lopsided * sides
        };
        let term = |row: usize, v: f64| {
            let sd = deviations[row / series];
            let shape = if self.non_gaussian { 2.0 * (away + influence(v)) } else { 0.0 };
            weight(row) * (2.0 * sd.ln() + v * v - 1.0 - shape)
        };
        u.iter().enumerate().map(|(row, v)| term(row, *v)).collect()
    }

    /// A regression with its coefficients, which a search of many variables does not keep.
    fn solved<'a>(&self, target: usize, fit: &'a Fit) -> Cow<'a, Fit> {
        match &self.source {
            Source::Rows(rows) if fit.coefficients.is_empty() => {
                let which = [&fit.selected[..], &[target]].concat();
                let mut gram = Gram::default();
                rows.fill(self, &which, &mut Workspace::<f64>::default(), &mut gram);
                let selected = fit.selected.clone();
                Cow::Owned(Fit { selected, ..Shrink::default().solved(&gram) })
            }
            _ => Cow::Borrowed(fit),
        }
    }

    fn residuals(&self, target: usize, fit: &Fit) -> Vec<f64> {
        let (series, size) = (self.columns.series(), self.basis.size());
        let psi = self.basis.values();
        let mut out = self.columns.column(target).to_vec();
        for (column, c) in fit.selected.iter().zip(fit.coefficients.chunks_exact(size)) {
            let x = self.columns.column(*column);
            for (t, rows) in out.chunks_exact_mut(series).enumerate() {
                let weight: f64 = (0..size).map(|b| psi[[t, b]] * c[b]).sum();
                let values = &x[t * series..(t + 1) * series];
                rows.iter_mut().zip(values).for_each(|(r, x)| *r -= weight * x);
            }
        }
        out
    }

    /// The standard deviation of the noise at each step.
    fn deviations(&self, target: usize, fit: &Fit) -> Vec<f64> {
        let mut sums = [Sums::default(); noise::BINS];
        let sums = &mut sums[..self.bins.len()];
        let regression =
            Regression { target, selected: &fit.selected, coefficients: &fit.coefficients };
        ResidualSums::default().add_up(&self.columns, &self.basis, &self.bins, regression, sums);
        let curve = self.curves.fit(sums);
        let mut out = vec![1.0; self.columns.steps()];
        for (bin, variance) in self.bins.iter().zip(&curve.variances) {
            out[bin.clone()].fill(variance.max(1e-15).sqrt());
        }
        out
    }
}
