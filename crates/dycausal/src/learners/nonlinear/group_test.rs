//! Whether a cause whose effect bends stands up to a test.
//!
//! Each selected cause is a group of features; it is tested beside all other selected groups and the
//! variable's own past, as far as that pays for itself, lags beyond those of the columns among it. The test is
//! Wald's, of all coefficients of the group at once, with a covariance that holds whatever the variance of the
//! noise ([`Covariance`]), as of straight lines ([`crate::inference`]); but other lags of the same cause are
//! not beside it, because every one would be a group of its own. With many coefficients and few rows that
//! covariance is too small now and then, so a cause has to stand up to the likelihood ratio as well: p is the
//! larger of both.

use std::ops::Range;

use ndarray::Array2;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::inference::covariance::{Covariance, Errors};
use crate::inference::{counting_rows, wald_p};
use crate::regression::{NormalEquations, Regressor, Sample};
use crate::scores::additive::{AdditiveScore, Features, Fit};
use crate::thresholds::SERIES_FOR_STEP_MEANS;

/// The rows of a regression on groups and a variable's own past.
pub(super) struct GroupRows<'a> {
    score: &'a AdditiveScore,
    to: usize,
    /// Rows that are left out because the own past does not reach there.
    skipped: usize,
    /// Features: of the selected groups first, then of own lags that are not selected.
    features: Vec<usize>,
    /// Which features each selected group has.
    groups: Vec<(usize, Range<usize>)>,
    /// Own lags beyond those of the columns, and a constant where means are not taken out step by step.
    more: Vec<Vec<f64>>,
    /// The own lags among these.
    beyond: usize,
    ones: Array2<f64>,
}

impl<'a> GroupRows<'a> {
    /// The rows of a regression with own lags up to `own`.
    pub fn of(score: &'a AdditiveScore, to: usize, selected: &[usize], own: usize) -> Self {
        let columns = &score.columns;
        let (d, lag, series) = (columns.variables(), columns.lag(), columns.series());
        let first = own.max(lag);
        let skipped = (first - lag) * series;
        let mut features: Vec<usize> = Vec::new();
        let mut groups = Vec::new();
        for column in selected {
            let start = features.len();
            features.extend(score.features.groups[*column].clone());
            groups.push((*column, start..features.len()));
        }
        let past = (1..=own.min(lag)).map(|back| back * d + to);
        for column in past.filter(|column| !selected.contains(column)) {
            features.extend(score.features.groups[column].clone());
        }
        let weight = |row: usize| columns.weights().map_or(1.0, |w| w[skipped + row].sqrt());
        let weighed = |values: Vec<f64>| -> Vec<f64> {
            values.into_iter().enumerate().map(|(row, x)| x * weight(row)).collect()
        };
        let mut more: Vec<Vec<f64>> = (lag + 1..=own)
            .map(|back| weighed(without_means(columns.lagged(to, back, first), series)))
            .collect();
        let beyond = more.len();
        if beyond > 0 && series < SERIES_FOR_STEP_MEANS {
            more.push(weighed(vec![1.0; columns.steps() * series - skipped]));
        }
        let ones = Array2::ones((columns.steps() - (first - lag), 1));
        Self { score, to, skipped, features, groups, more, beyond, ones }
    }

    fn sample(&self) -> Sample<'_> {
        let Features { values, targets, .. } = &self.score.features;
        let feature = |f: &usize| &values.col_as_slice(*f)[self.skipped..];
        let more = self.more.iter().map(Vec::as_slice);
        let regressor = |values| Regressor { values, functions: 1 };
        let series = self.score.columns.series();
        let means = if series < SERIES_FOR_STEP_MEANS {
            self.score.basis.size()
        } else {
            self.ones.nrows()
        };
        Sample {
            target: &targets.col_as_slice(self.to)[self.skipped..],
            regressors: self.features.iter().map(feature).chain(more).map(regressor).collect(),
            psi: self.ones.view(),
            series,
            weights: None,
            precision: None,
            intercepts: means as f64,
        }
    }

    /// Normal equations, rows counted as the columns count them.
    fn normal(&self, sample: &Sample<'_>) -> NormalEquations {
        let mut normal = sample.normal();
        let columns = &self.score.columns;
        normal.rows *= columns.rows() / (columns.steps() * columns.series()) as f64;
        normal
    }

    /// How many own lags pay for themselves: n log s² + log n for each beyond those of the columns.
    fn own_lags(&self) -> Option<usize> {
        let lag = self.score.columns.lag();
        let normal = self.normal(&self.sample());
        let (before, all) = (self.features.len(), self.features.len() + self.more.len());
        let cost = |own: usize| {
            let kept: Vec<usize> = (0..before + own).chain(before + self.beyond..all).collect();
            let squares = normal.solve(&kept)?.squares;
            Some(normal.rows * squares.ln() + own as f64 * normal.rows.ln())
        };
        let costs: Vec<f64> = (0..=self.beyond).map(cost).collect::<Option<_>>()?;
        let best = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b]))?;
        Some(lag + best)
    }

    /// p of every selected group, of which these are the likelihood ratios; `None` where rows are too few, or
    /// groups nearly copies of each other.
    pub fn p_values(&self, ratios: impl Iterator<Item = f64>) -> Vec<Option<f64>> {
        let sample = self.sample();
        let all: Vec<usize> = (0..sample.regressors.len()).collect();
        let Some(fitted) = self.normal(&sample).solve(&all) else {
            return vec![None; self.groups.len()];
        };
        let robust = Errors::new(&sample, &fitted, Covariance::Robust);
        let by_series = Errors::new(&sample, &fitted, Covariance::BySeries);
        let one = |((column, range), ratio): (&(usize, Range<usize>), f64)| {
            let errors = match Covariance::of_rows(sample.series, range.len()) {
                Covariance::BySeries => &by_series,
                _ => &robust,
            };
            let (covariance, freedom) = errors.joint(range.clone());
            // What few rows carry can agree by chance this often.
            let rows = counting_rows(self.score.columns.column(*column).iter().copied());
            let least = if rows < range.len() as f64 { (-rows).exp2() } else { 0.0 };
            let coefficients = &fitted.coefficients[range.clone()];
            let robust = wald_p(coefficients, &covariance, 0, freedom);
            Some(robust.max(least).max(ratio_p(ratio, range.len())))
        };
        self.groups.iter().zip(ratios).map(one).collect()
    }

    /// The weights of own lags 1, 2, … beyond those of the columns; 0 for those before.
    pub fn own_weights(&self) -> Vec<f64> {
        let sample = self.sample();
        let all: Vec<usize> = (0..sample.regressors.len()).collect();
        let before = self.features.len();
        match self.normal(&sample).solve(&all) {
            Some(fitted) if self.beyond > 0 => {
                let mut weights = vec![0.0; self.score.columns.lag()];
                weights.extend(&fitted.coefficients[before..before + self.beyond]);
                weights
            }
            _ => Vec::new(),
        }
    }
}

/// p of a likelihood ratio of so many coefficients.
pub(super) fn ratio_p(ratio: f64, coefficients: usize) -> f64 {
    ChiSquared::new(coefficients.max(1) as f64).map_or(1.0, |law| law.sf(ratio.max(0.0)))
}

/// How far back a variable remembers itself beside its causes, of at most so many lags.
pub(super) fn own_lags(score: &AdditiveScore, to: usize, fit: &Fit, most: usize) -> usize {
    if most <= score.columns.lag() {
        return most;
    }
    GroupRows::of(score, to, &fit.selected, most).own_lags().unwrap_or(most)
}

/// What is left of values when the mean of each step is taken out, where series are many.
fn without_means(values: &[f64], series: usize) -> Vec<f64> {
    let mut out = values.to_vec();
    if series >= SERIES_FOR_STEP_MEANS {
        for step in out.chunks_exact_mut(series) {
            let mean = step.iter().sum::<f64>() / series as f64;
            for x in step {
                *x -= mean;
            }
        }
    }
    out
}
