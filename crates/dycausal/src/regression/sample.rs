//! Rows of a regression on columns times functions of time.
//!
//! Regressor g has the functions ψ_0, …, ψ_{m−1} of time: z_(g,b) = x_g ψ_b(t). Rows have weights w:
//! the presence of the row times one over the noise variance of its step.

use std::ops::Range;

use ndarray::ArrayView2;

use super::{Fitted, NormalEquations};
use crate::linear_algebra::dot;
use crate::thresholds::SERIES_FOR_SUMS_BY_STEP;

/// A column with the number of functions of time that its weight moves along.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regressor<'a> {
    /// One value per row, step by step.
    pub values: &'a [f64],
    /// How many of the functions it has, from the first on.
    pub functions: usize,
}

/// The rows of one regression.
#[derive(Debug, Clone)]
pub(crate) struct Sample<'a> {
    /// What is explained.
    pub target: &'a [f64],
    /// What explains it.
    pub regressors: Vec<Regressor<'a>>,
    /// ψ\[step, function\].
    pub psi: ArrayView2<'a, f64>,
    /// How many rows each step has; the last may have fewer where steps are pieces of time.
    pub series: usize,
    /// The weight of each row, where they are not all 1.
    pub weights: Option<&'a [f64]>,
    /// One over the noise variance of each step, in units of its mean; `None` where it is constant.
    pub precision: Option<&'a [f64]>,
    /// How many numbers the means took out of each column.
    pub intercepts: f64,
}

impl Sample<'_> {
    /// How many coefficients.
    pub fn size(&self) -> usize {
        self.regressors.iter().map(|x| x.functions).sum()
    }

    /// How many steps.
    pub fn steps(&self) -> f64 {
        self.target.len() as f64 / self.series as f64
    }

    /// The same rows with some of the regressors.
    pub fn with(&self, kept: &[usize]) -> Self {
        Self { regressors: kept.iter().map(|g| self.regressors[*g]).collect(), ..self.clone() }
    }

    /// Normal equations.
    pub fn normal(&self) -> NormalEquations {
        let mut starts = vec![0];
        for x in &self.regressors {
            starts.push(starts[starts.len() - 1] + x.functions);
        }
        let (gram, cross, square, rows) =
            if self.is_long() { self.by_columns() } else { self.by_steps(&starts) };
        NormalEquations { starts, gram, cross, square, rows, intercepts: self.intercepts }
    }

    /// The residual of every row.
    pub fn residuals(&self, fitted: &Fitted) -> Vec<f64> {
        let mut out = self.target.to_vec();
        for (g, x) in self.regressors.iter().enumerate() {
            let c = &fitted.coefficients[fitted.starts[g]..fitted.starts[g + 1]];
            for (t, rows) in out.chunks_mut(self.series).enumerate() {
                let weight: f64 = c.iter().zip(self.psi.row(t)).map(|(c, p)| c * p).sum();
                let values = &x.values[self.rows_of(t)];
                rows.iter_mut().zip(values).for_each(|(r, x)| *r -= weight * x);
            }
        }
        out
    }

    /// Whether steps have so few rows that whole columns are quicker to work with.
    pub fn is_long(&self) -> bool {
        self.series < SERIES_FOR_SUMS_BY_STEP
    }

    /// The rows of a step.
    pub fn rows_of(&self, step: usize) -> Range<usize> {
        step * self.series..((step + 1) * self.series).min(self.target.len())
    }

    /// What a row counts.
    pub fn weight(&self, row: usize) -> f64 {
        let precision = self.precision.map_or(1.0, |p| p[row / self.series]);
        precision * self.weights.map_or(1.0, |w| w[row])
    }

    /// Every column times each of its functions.
    pub fn expanded(&self) -> Vec<Vec<f64>> {
        let step = |row: usize| row / self.series;
        let product = |(x, b): (&Regressor<'_>, usize)| {
            let rows = x.values.iter().enumerate();
            rows.map(|(row, x)| x * self.psi[[step(row), b]]).collect()
        };
        let pairs = self.regressors.iter().flat_map(|x| (0..x.functions).map(move |b| (x, b)));
        pairs.map(product).collect()
    }

    /// The same as [`Sample::by_steps`] from whole columns z: quicker where steps have few rows.
    fn by_columns(&self) -> (Vec<f64>, Vec<f64>, f64, f64) {
        let columns = self.expanded();
        let plain = self.weights.is_none() && self.precision.is_none();
        let weigh = |values: &[f64]| -> Vec<f64> {
            values.iter().enumerate().map(|(row, x)| x * self.weight(row)).collect()
        };
        let size = columns.len();
        let mut gram = vec![0.0; size * size];
        let mut cross = vec![0.0; size];
        for (j, z) in columns.iter().enumerate() {
            let owned = if plain { Vec::new() } else { weigh(z) };
            let weighted = if plain { z } else { &owned };
            cross[j] = dot(weighted, self.target);
            for (k, other) in columns[..=j].iter().enumerate() {
                gram[j * size + k] = dot(weighted, other);
            }
        }
        let square = if plain {
            dot(self.target, self.target)
        } else {
            dot(&weigh(self.target), self.target)
        };
        let count = self.weights.map_or(self.target.len() as f64, |w| w.iter().sum());
        (gram, cross, square, count)
    }

    /// The lower triangle of Z'WZ, Z'Wy, y'Wy and Σ w (rows, not their precision).
    fn by_steps(&self, starts: &[usize]) -> (Vec<f64>, Vec<f64>, f64, f64) {
        let (size, groups) = (self.size(), self.regressors.len());
        let mut gram = vec![0.0; size * size];
        let mut cross = vec![0.0; size];
        let (mut square, mut rows) = (0.0, 0.0);
        let mut weighted = vec![0.0; self.series];
        for t in 0..self.target.len().div_ceil(self.series) {
            let range = self.rows_of(t);
            weighted.truncate(range.len());
            let weights = self.weights.map(|w| &w[range.clone()]);
            rows += weights.map_or(range.len() as f64, |w| w.iter().sum());
            let precision = self.precision.map_or(1.0, |p| p[t]);
            let y = &self.target[range.clone()];
            let psi = self.psi.row(t);
            let weigh = |values: &[f64], out: &mut Vec<f64>| match weights {
                Some(w) => {
                    out.iter_mut()
                        .zip(values)
                        .zip(w)
                        .for_each(|((o, x), w)| *o = x * w * precision);
                }
                None => {
                    out.iter_mut().zip(values).for_each(|(o, x)| *o = x * precision);
                }
            };
            weigh(y, &mut weighted);
            square += dot(&weighted, y);
            for j in 0..groups {
                let x = &self.regressors[j];
                weigh(&x.values[range.clone()], &mut weighted);
                let with_target = dot(&weighted, y);
                for b in 0..x.functions {
                    cross[starts[j] + b] += psi[b] * with_target;
                }
                for k in 0..=j {
                    let other = &self.regressors[k];
                    let moment = dot(&weighted, &other.values[range.clone()]);
                    for b in 0..x.functions {
                        let factor = moment * psi[b];
                        let start = (starts[j] + b) * size + starts[k];
                        let row = &mut gram[start..start + other.functions];
                        row.iter_mut().zip(psi).for_each(|(entry, p)| *entry += factor * p);
                    }
                }
            }
        }
        (gram, cross, square, rows)
    }
}
