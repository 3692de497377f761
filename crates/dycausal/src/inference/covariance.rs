//! The covariance of the coefficients of a regression.
//!
//! With A = (Z'WZ)⁻¹ and residuals u it is
//!
//! - classical: s² A, s² = Σ w u² / (n − k);
//! - robust (HC3): A Σ z z' w² u² / (1 − h)² A, with h = w z'A z + intercepts / n, for noise whose
//!   variance depends on what explains it;
//! - by series (CR1): A Σ_n (Σ_t z w u)(…)' A · N/(N−1) · (n−1)/(n−k), for noise that hangs together
//!   within a series.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use crate::linear_algebra::{add_scaled, dot};
use crate::regression::{Fitted, Sample};

/// How the covariance of coefficients is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Covariance {
    /// One noise variance for all rows.
    Classical,
    /// Any noise variance of each row (HC3).
    Robust,
    /// Any dependence within a series (CR1).
    BySeries,
}

/// Numbers of series for which covariances are taken by series.
const FEW_SERIES: RangeInclusive<usize> = 4..=10;

impl Covariance {
    /// What rows of so many series ask for, of so many coefficients at once: by series, where these are few but
    /// twice as many as the coefficients.
    pub fn of_rows(series: usize, coefficients: usize) -> Self {
        if FEW_SERIES.contains(&series) && 2 * coefficients <= series {
            Self::BySeries
        } else {
            Self::Robust
        }
    }
}

/// A fitted regression with what each row adds to its score.
#[derive(Debug)]
pub(crate) struct Errors<'a, 'b> {
    sample: &'a Sample<'b>,
    fitted: &'a Fitted,
    kind: Covariance,
    /// w u, for a robust covariance over 1 − h.
    scores: Vec<f64>,
    /// Columns times functions, where steps have few rows.
    columns: Vec<Vec<f64>>,
}

impl<'a, 'b> Errors<'a, 'b> {
    /// Looks at every row once.
    pub fn new(sample: &'a Sample<'b>, fitted: &'a Fitted, kind: Covariance) -> Self {
        Self::with_leverage(sample, fitted, kind, None)
    }

    /// The leverage of every row, z'A z.
    pub fn leverage(sample: &Sample<'_>, fitted: &Fitted) -> Vec<f64> {
        let (kind, columns) = (Covariance::Robust, Vec::new());
        let scores = vec![0.0; sample.target.len()];
        Errors { sample, fitted, kind, scores, columns }.leverage_by_steps()
    }

    /// The same, where the leverage of every row is known, or that of a regression on more columns, which
    /// is no less.
    pub fn with_leverage(
        sample: &'a Sample<'b>,
        fitted: &'a Fitted,
        kind: Covariance,
        known: Option<&[f64]>,
    ) -> Self {
        let long = sample.is_long() && kind != Covariance::Classical;
        let columns = if long { sample.expanded() } else { Vec::new() };
        let mut errors = Self { sample, fitted, kind, scores: Vec::new(), columns };
        if kind == Covariance::Classical {
            return errors;
        }
        errors.scores = if long { errors.residuals() } else { sample.residuals(fitted) };
        let leverage = match (kind, known) {
            (Covariance::Robust, Some(known)) => Cow::Borrowed(known),
            (Covariance::Robust, None) if long => Cow::Owned(errors.leverage_by_columns()),
            (Covariance::Robust, None) => Cow::Owned(errors.leverage_by_steps()),
            _ => Cow::Owned(Vec::new()),
        };
        let shared = sample.intercepts / fitted.rows;
        for (row, u) in errors.scores.iter_mut().enumerate() {
            let w = sample.weight(row);
            let h = leverage.get(row).map_or(0.0, |h| w * h + shared);
            *u *= w / (1.0 - h.min(0.999));
        }
        errors
    }

    /// The covariance of the coefficients of one regressor, with its degrees of freedom.
    ///
    /// A robust variance is a sum over rows, s = Σ a² u², and as uncertain as the few rows that
    /// carry it make it: χ² with 3 s² / Σ a⁴ u⁴ degrees of freedom (Satterthwaite; n / 3 where rows
    /// are Gaussian), less one for each further coefficient. By series there are as many as series
    /// less one.
    pub fn covariance(&self, regressor: usize) -> (Vec<f64>, f64) {
        self.joint(self.fitted.starts[regressor]..self.fitted.starts[regressor + 1])
    }

    /// The same of some coefficients that follow each other, of one regressor or of several.
    pub fn joint(&self, range: Range<usize>) -> (Vec<f64>, f64) {
        let fitted = self.fitted;
        let (width, size) = (range.len(), fitted.coefficients.len());
        if self.kind == Covariance::Classical {
            let scale = fitted.squares / fitted.freedom;
            let entry = |k: usize| {
                fitted.inverse[(range.start + k / width) * size + range.start + k % width] * scale
            };
            return ((0..width * width).map(entry).collect(), fitted.freedom);
        }
        let series = self.sample.series;
        let count = if self.kind == Covariance::BySeries { series } else { 0 };
        let mut sums = RowSums::new(width, count);
        let block = if self.columns.is_empty() { series } else { self.scores.len() };
        let mut rows = vec![vec![0.0; block]; width];
        for start in (0..self.scores.len()).step_by(block) {
            let end = (start + block).min(self.scores.len());
            for (k, row) in rows.iter_mut().enumerate() {
                row.truncate(end - start);
                self.influence(range.start + k, start / series, row);
                let scores = &self.scores[start..end];
                row.iter_mut().zip(scores).for_each(|(a, u)| *a *= u);
            }
            sums.add(&rows, series);
        }
        sums.finish(series as f64, fitted)
    }

    /// A z of one coefficient, for all rows or for those of a step.
    fn influence(&self, coefficient: usize, step: usize, out: &mut [f64]) {
        let (sample, size) = (self.sample, self.fitted.coefficients.len());
        let row = &self.fitted.inverse[coefficient * size..(coefficient + 1) * size];
        out.fill(0.0);
        if !self.columns.is_empty() {
            self.columns.iter().zip(row).for_each(|(z, a)| add_scaled(out, *a, z));
            return;
        }
        // Functions of time are the same for all rows of a step, so they are summed out first.
        let psi = sample.psi.row(step);
        let rows = sample.rows_of(step);
        for (g, x) in sample.regressors.iter().enumerate() {
            let entries = &row[self.fitted.starts[g]..self.fitted.starts[g + 1]];
            let factor = entries.iter().zip(psi).map(|(a, p)| a * p).sum();
            add_scaled(out, factor, &x.values[rows.clone()]);
        }
    }

    /// The residual of every row, from whole columns.
    fn residuals(&self) -> Vec<f64> {
        let mut out = self.sample.target.to_vec();
        let coefficients = self.columns.iter().zip(&self.fitted.coefficients);
        coefficients.for_each(|(z, c)| add_scaled(&mut out, -c, z));
        out
    }

    /// z'A z of every row.
    fn leverage_by_columns(&self) -> Vec<f64> {
        let size = self.columns.len();
        let mut out = vec![0.0; self.scores.len()];
        let mut part = vec![0.0; self.scores.len()];
        for (k, z) in self.columns.iter().enumerate() {
            let row = &self.fitted.inverse[k * size..(k + 1) * size];
            part.fill(0.0);
            add_scaled(&mut part, row[k], z);
            // A is symmetric: what comes later is counted twice.
            for (other, a) in self.columns.iter().zip(row).skip(k + 1) {
                add_scaled(&mut part, 2.0 * a, other);
            }
            out.iter_mut().zip(&part).zip(z).for_each(|((h, a), z)| *h += a * z);
        }
        out
    }

    fn leverage_by_steps(&self) -> Vec<f64> {
        let (sample, fitted) = (self.sample, self.fitted);
        let (series, size) = (sample.series, fitted.coefficients.len());
        let mut out = vec![0.0; self.scores.len()];
        let mut part = vec![0.0; series];
        for (t, leverage) in out.chunks_mut(series).enumerate() {
            let psi = sample.psi.row(t);
            let values = |g: usize| &sample.regressors[g].values[sample.rows_of(t)];
            part.truncate(leverage.len());
            let entry = |g: usize, h: usize| -> f64 {
                let rows = fitted.starts[g]..fitted.starts[g + 1];
                let cols = fitted.starts[h]..fitted.starts[h + 1];
                let row = |(r, p): (usize, &f64)| {
                    let entries = &fitted.inverse[r * size + cols.start..r * size + cols.end];
                    p * entries.iter().zip(psi).map(|(a, p)| a * p).sum::<f64>()
                };
                rows.zip(psi).map(row).sum()
            };
            for g in 0..sample.regressors.len() {
                part.fill(0.0);
                add_scaled(&mut part, entry(g, g), values(g));
                // A is symmetric: what comes later is counted twice.
                for h in g + 1..sample.regressors.len() {
                    add_scaled(&mut part, 2.0 * entry(g, h), values(h));
                }
                let terms = leverage.iter_mut().zip(&part).zip(values(g));
                terms.for_each(|((h, a), x)| *h += a * x);
            }
        }
        out
    }
}

/// Sums of products of what rows add to coefficients.
struct RowSums {
    width: usize,
    /// The lower triangle.
    products: Vec<f64>,
    /// Σ a⁴ u⁴ of each coefficient.
    fourth: Vec<f64>,
    /// What each series adds; none where rows count one by one.
    by_series: Vec<f64>,
}

impl RowSums {
    fn new(width: usize, series: usize) -> Self {
        let products = vec![0.0; width * width];
        Self { width, products, fourth: vec![0.0; width], by_series: vec![0.0; series * width] }
    }

    /// Adds rows\[coefficient\]\[row\]; series take turns in them.
    fn add(&mut self, rows: &[Vec<f64>], series: usize) {
        for (j, row) in rows.iter().enumerate() {
            if !self.by_series.is_empty() {
                for (at, a) in row.iter().enumerate() {
                    self.by_series[at % series * self.width + j] += a;
                }
                continue;
            }
            for (k, other) in rows[..=j].iter().enumerate() {
                self.products[j * self.width + k] += dot(row, other);
            }
            self.fourth[j] += row.iter().map(|a| a * a * a * a).sum::<f64>();
        }
    }

    /// Both triangles, and the degrees of freedom.
    fn finish(mut self, series: f64, fitted: &Fitted) -> (Vec<f64>, f64) {
        let width = self.width;
        let further = width as f64 - 1.0;
        let (mut scale, mut freedom) = (1.0, series - 1.0);
        if self.by_series.is_empty() {
            let shares = (0..width).map(|k| self.fourth[k] / self.products[k * width + k].powi(2));
            let share = shares.sum::<f64>() / width as f64;
            freedom = (3.0 / share).min(fitted.freedom) - further;
        } else {
            for of_one in self.by_series.chunks_exact(width) {
                for j in 0..width {
                    for k in 0..=j {
                        self.products[j * width + k] += of_one[j] * of_one[k];
                    }
                }
            }
            scale = series / (series - 1.0) * (fitted.rows - 1.0) / fitted.freedom;
        }
        let entry = |k: usize| {
            let (row, col) = (k / width, k % width);
            scale * self.products[row.max(col) * width + row.min(col)]
        };
        // Not a number where a coefficient has no spread at all.
        ((0..width * width).map(entry).collect(), if freedom > 1.0 { freedom } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use crate::regression::Regressor;

    const STEPS: usize = 12;

    /// As in `scripts/golden_inference.py`.
    fn noise(k: usize) -> f64 {
        ((k * k * 7919 + k * 104_729) % 10_007) as f64 / 10_007.0 - 0.5
    }

    /// Values of statsmodels, printed by that script.
    fn agrees(series: usize, kind: Covariance, first: [f64; 4], last: f64) {
        let rows = series * STEPS;
        let x: Vec<Vec<f64>> =
            (0..2).map(|j| (0..rows).map(|i| noise(i + 1000 * j)).collect()).collect();
        let value =
            |i: usize| 0.7 * x[0][i] - 0.4 * x[1][i] + (0.2 + x[0][i].abs()) * noise(5000 + i);
        let target: Vec<f64> = (0..rows).map(value).collect();
        let psi =
            Array2::from_shape_fn(
                (STEPS, 2),
                |(t, b)| {
                    if b == 0 { 1.0 } else { t as f64 / STEPS as f64 }
                },
            );
        let sample = Sample {
            target: &target,
            regressors: vec![
                Regressor { values: &x[0], functions: 2 },
                Regressor { values: &x[1], functions: 1 },
            ],
            psi: psi.view(),
            series,
            weights: None,
            precision: None,
            intercepts: 0.0,
        };
        let fitted = sample.normal().solve(&[0, 1]).unwrap();
        let known = [0.645_642_975_651_372_2, 0.247_347_139_315_329_84, -0.340_926_792_120_103_2];
        for (c, known) in fitted.coefficients.iter().zip(known) {
            assert!((c - known).abs() < 1e-8, "{c} {known}");
        }
        let errors = Errors::new(&sample, &fitted, kind);
        for (v, known) in errors.covariance(0).0.iter().zip(first) {
            assert!((v - known).abs() < 1e-8, "{kind:?}: {v} {known}");
        }
        let found = errors.covariance(1).0[0];
        assert!((found - last).abs() < 1e-8, "{kind:?}: {found} {last}");
    }

    #[test]
    fn covariances_are_those_of_statsmodels() {
        let [a, b, c] =
            [0.009_513_691_857_985_777, -0.015_411_019_560_912_257, 0.035_877_756_228_497_35];
        agrees(5, Covariance::Classical, [a, b, b, c], 0.003_013_418_650_167_358_7);
        let [a, b, c] =
            [0.014_413_605_450_396_418, -0.026_509_454_318_606_546, 0.068_224_174_628_894_13];
        agrees(5, Covariance::Robust, [a, b, b, c], 0.002_539_913_937_670_163);
        let [a, b, c] =
            [0.010_692_742_448_406_917, -0.013_557_805_618_422_05, 0.035_565_183_759_274_886];
        agrees(5, Covariance::BySeries, [a, b, b, c], 0.001_702_411_731_079_980_9);
    }

    /// Long series are worked on by whole columns, many by steps: with the rows of all series in
    /// one step and one function both do the same sums.
    #[test]
    fn both_ways_of_adding_up_agree() {
        let rows = 96;
        let x: Vec<f64> = (0..rows).map(noise).collect();
        let y: Vec<f64> = (0..rows).map(|i| 0.5 * x[i] + noise(i + 700)).collect();
        let variance = |series: usize| {
            let psi = Array2::ones((rows / series, 1));
            let regressors = vec![Regressor { values: &x, functions: 1 }];
            let psi = psi.view();
            let (weights, precision, intercepts) = (None, None, 0.0);
            let target = &y;
            let sample = Sample { target, regressors, psi, series, weights, precision, intercepts };
            let fitted = sample.normal().solve(&[0]).unwrap();
            Errors::new(&sample, &fitted, Covariance::Robust).covariance(0)
        };
        let (few, many) = (variance(1), variance(32));
        assert!((few.0[0] - many.0[0]).abs() < 1e-14 && (few.1 - many.1).abs() < 1e-9);
    }
}
