//! A vector autoregression by least squares, with Wald statistics of its causes.

use dycausal::graph::Ranking;
use dycausal::internals::linear_algebra::{dot, symmetric_inverse};
use dycausal::internals::regression::NormalEquations;
use dycausal::{Error, Panel, Result};
use ndarray::{Array2, Array3};
use rayon::prelude::*;

use super::Statistic;
use crate::lagged_rows::LaggedRows;
use crate::lasso::Regression;

/// Share of its own variance that is added to each regressor where some are nearly the same.
const COPIES: f64 = 1e-9;

/// A fitted autoregression.
#[derive(Debug, Clone, PartialEq)]
pub struct Autoregression {
    /// Weights\[lag − 1, from, to\].
    pub weights: Array3<f64>,
    /// Wald statistic\[from, to\] of "no lag of `from` helps to predict `to`"; without units.
    pub statistic: Array2<f64>,
    /// Squares of the t-statistics of single weights\[lag − 1, from, to\].
    pub single: Array3<f64>,
    /// Rows less coefficients.
    pub freedom: f64,
}

impl Autoregression {
    /// The square of the t-statistic of every weight.
    ///
    /// # Errors
    /// Never: there are as many causes as effects.
    pub fn ranking(&self) -> Result<Ranking> {
        let (lags, d, _) = self.single.dim();
        let mut values = Array3::from_elem((lags + 1, d, d), f64::NAN);
        values.slice_mut(ndarray::s![1.., .., ..]).assign(&self.single);
        Ranking::new("squared t", values)
    }
}

/// Rows of an autoregression and their second moments, counted from the means.
pub(super) struct System {
    rows: LaggedRows,
    gram: Array2<f64>,
    lag: usize,
}

impl System {
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        let rows = LaggedRows::of(panel, lag)?.centred();
        let gram = rows.gram()?;
        Ok(Self { rows, gram, lag })
    }

    /// Whether there are rows enough for tests.
    pub fn freedom(&self) -> f64 {
        self.rows.len() as f64 - self.regressors() as f64 - 1.0
    }

    fn regressors(&self) -> usize {
        self.rows.variables * self.lag
    }

    /// The regression of one variable on all lags.
    pub fn regression(&self, to: usize, ridge: f64) -> Regression {
        let (d, q) = (self.rows.variables, self.regressors());
        let entry = |e: usize| {
            let (j, k) = (e / q, e % q);
            self.gram[[d + j, d + k]] * if j == k { 1.0 + ridge } else { 1.0 }
        };
        let gram = (0..q * q).map(entry).collect();
        let cross = (0..q).map(|j| self.gram[[d + j, to]]).collect();
        let rows = self.rows.len() as f64;
        Regression(NormalEquations::new(gram, cross, self.gram[[to, to]], rows))
    }

    /// (Z'Z)⁻¹, with a ridge that nobody sees where columns are nearly the same.
    ///
    /// # Errors
    /// If columns are copies of each other even so.
    pub fn inverse(&self, ridge: f64) -> Result<Vec<f64>> {
        let q = self.regressors();
        let attempt =
            |ridge: f64| symmetric_inverse(self.regression(0, ridge).0.gram().to_vec(), q);
        attempt(ridge).or_else(|| attempt(ridge + COPIES)).or_else(|| attempt(1e-6)).ok_or_else(
            || {
                Error::numerical(
                    "autoregression",
                    "variables are copies of each other; leave some out",
                )
            },
        )
    }

    /// Coefficients\[lag − 1, from, to\] = A Z'X for a matrix A.
    pub fn weights(&self, inverse: &[f64]) -> Array3<f64> {
        let (d, q) = (self.rows.variables, self.regressors());
        let cross: Vec<Vec<f64>> =
            (0..d).map(|to| (0..q).map(|k| self.gram[[d + k, to]]).collect()).collect();
        Array3::from_shape_fn((self.lag, d, d), |(l, from, to)| {
            let row = (l * d + from) * q;
            dot(&inverse[row..row + q], &cross[to])
        })
    }

    /// Least squares with its statistics.
    ///
    /// # Errors
    /// If rows are too few, or variables copies of each other.
    pub fn least_squares(&self, statistic: Statistic) -> Result<Autoregression> {
        let freedom = self.freedom();
        if freedom < 1.0 {
            let what = format!(
                "{} coefficients, and only {} rows; lower `lag`, or take ridge or lasso `coefficients`",
                self.regressors() + 1,
                self.rows.len()
            );
            return Err(Error::numerical("autoregression", what));
        }
        let inverse = self.inverse(0.0)?;
        let weights = self.weights(&inverse);
        let blocks = match statistic {
            Statistic::Wald => self.classical(&inverse, &weights, freedom),
            Statistic::Robust => self.robust(&inverse, &weights),
        };
        let d = self.rows.variables;
        let mut tests = Array2::zeros((d, d));
        let mut single = Array3::zeros((self.lag, d, d));
        for (place, block) in blocks.iter().enumerate() {
            let (from, to) = (place % d, place / d);
            let b: Vec<f64> = (0..self.lag).map(|l| weights[[l, from, to]]).collect();
            tests[[from, to]] = wald(&b, block);
            for (l, w) in b.iter().enumerate() {
                single[[l, from, to]] = wald(&[*w], &[block[l * self.lag + l]]);
            }
        }
        Ok(Autoregression { weights, statistic: tests, single, freedom })
    }

    /// s² (Z'Z)⁻¹ of the lags of each cause, \[to · variables + from\].
    fn classical(&self, inverse: &[f64], weights: &Array3<f64>, freedom: f64) -> Vec<Vec<f64>> {
        let (d, q, lag) = (self.rows.variables, self.regressors(), self.lag);
        let block = |place: usize| {
            let (from, to) = (place % d, place / d);
            let all = self.regression(to, 0.0);
            let b: Vec<f64> = (0..q).map(|k| weights[[k / d, k % d, to]]).collect();
            let variance = all.0.squares(&b) / freedom;
            let entry = |e: usize| {
                let (l, m) = (e / lag, e % lag);
                inverse[(l * d + from) * q + m * d + from] * variance
            };
            (0..lag * lag).map(entry).collect()
        };
        (0..d * d).into_par_iter().map(block).collect()
    }

    /// The same for noise whose variance may differ from row to row (HC3):
    /// A Σ z z' u² / (1 − h)² A with h = z'A z + 1/n.
    fn robust(&self, inverse: &[f64], weights: &Array3<f64>) -> Vec<Vec<f64>> {
        let (d, q, lag) = (self.rows.variables, self.regressors(), self.lag);
        let count = self.rows.len();
        let lagged = self.rows.values.slice(ndarray::s![.., d..]);
        let inverse = ndarray::ArrayView2::from_shape((q, q), inverse);
        let Ok(inverse) = inverse else { return Vec::new() };
        let influence = lagged.dot(&inverse);
        let leverage: Vec<f64> = (0..count)
            .map(|row| influence.row(row).dot(&lagged.row(row)) + 1.0 / count as f64)
            .collect();
        let of_target = |to: usize| {
            let b: Vec<f64> = (0..q).map(|k| weights[[k / d, k % d, to]]).collect();
            let scores: Vec<f64> = (0..count)
                .map(|row| {
                    let fitted: f64 = lagged.row(row).iter().zip(&b).map(|(z, b)| z * b).sum();
                    (self.rows.values[[row, to]] - fitted) / (1.0 - leverage[row].min(0.999))
                })
                .collect();
            let block = |from: usize| {
                let mut block = vec![0.0; lag * lag];
                for (row, u) in scores.iter().enumerate() {
                    let a = influence.row(row);
                    for (l, m) in (0..lag).flat_map(|l| (0..=l).map(move |m| (l, m))) {
                        block[l * lag + m] += a[l * d + from] * a[m * d + from] * u * u;
                    }
                }
                for (l, m) in (0..lag).flat_map(|l| (0..l).map(move |m| (l, m))) {
                    block[m * lag + l] = block[l * lag + m];
                }
                block
            };
            (0..d).map(block).collect::<Vec<_>>()
        };
        (0..d).into_par_iter().flat_map_iter(of_target).collect()
    }
}

/// b' V⁻¹ b; 0 where V is nothing.
fn wald(b: &[f64], covariance: &[f64]) -> f64 {
    symmetric_inverse(covariance.to_vec(), b.len()).map_or(0.0, |inverse| {
        let size = b.len();
        (0..size).map(|l| b[l] * dot(&inverse[l * size..(l + 1) * size], b)).sum()
    })
}
