//! The data as columns: centred at every step, of variance 1, ready for products and residuals.

use std::sync::Arc;

use ndarray::Axis;
use rayon::prelude::*;

use crate::basis::{Basis, Shape};
use crate::error::{Error, Result};
use crate::panel::Panel;

/// Series needed for the mean of each step to be taken out as it is; with fewer it is smoothed.
const SERIES_FOR_STEP_MEANS: f64 = 20.0;
/// Polynomials that a smoothed mean follows, at most.
const SMOOTH_MEAN_SIZE: usize = 6;
/// Steps per polynomial of a smoothed mean, at least.
const STEPS_PER_POLYNOMIAL: usize = 8;

/// Values\[variable\]\[step\]\[series\], counted from their mean at each step, in units of their
/// standard deviation; and a weight per row, 0 where a cell that the row needs is missing.
///
/// Taking the mean of each step out of every variable is the same as an intercept that is free at
/// each step. With few series it is a smooth mean instead.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(super) series: usize,
    pub(super) steps: usize,
    pub(super) variables: usize,
    pub(super) lag: usize,
    pub(super) values: Arc<[f64]>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) rows: f64,
    pub(super) scale: Vec<f64>,
    pub(super) intercept: usize,
    pub(super) layout: Layout,
}

/// Where the column of a variable at a lag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Each variable once; a lag is a shift.
    Shifted,
    /// Each variable at each lag on its own, for the steps that have rows.
    Stacked,
}

impl Columns {
    /// The columns of a panel for rows with this lag.
    ///
    /// # Errors
    /// If no row is complete, or a variable does not move around its mean.
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        let (series, steps, variables) = panel.values().dim();
        if steps <= lag {
            let needed = lag + 1;
            return Err(Error::TooShort { steps, lag, needed });
        }
        let smooth = smooth_mean(series as f64, steps)?;
        let mut values = vec![0.0; series * steps * variables];
        let scale = values
            .par_chunks_mut(series * steps)
            .enumerate()
            .map(|(v, column)| {
                read(panel, v, column);
                prepare(column, series, smooth.as_ref())
            })
            .collect::<Vec<f64>>();
        check_scale(&scale, panel.names())?;
        let weights = (panel.missing() > 0).then(|| complete_rows(panel, lag));
        let rows = weights.as_ref().map_or((series * (steps - lag)) as f64, |w| w.iter().sum());
        if rows == 0.0 {
            let missing = panel.missing();
            return Err(Error::NoCompleteRow { variables, lag, missing });
        }
        for x in &mut values {
            if x.is_nan() {
                *x = 0.0;
            }
        }
        Ok(Self {
            series,
            steps,
            variables,
            lag,
            values: values.into(),
            weights,
            rows,
            scale,
            intercept: smooth.map_or(steps - lag, |basis| basis.size()),
            layout: Layout::Shifted,
        })
    }

    /// The same columns with variables in an order that depends on their values alone, and the
    /// number that each had before.
    ///
    /// Whatever works on them then gives the same answer in whatever order variables come.
    pub fn sorted(&self) -> (Self, Vec<usize>) {
        let length = match self.layout {
            Layout::Shifted => self.series * self.steps,
            Layout::Stacked => self.series * self.steps(),
        };
        let part = |column: usize| &self.values[column * length..(column + 1) * length];
        let size = |v: usize| part(v).iter().map(|x| x.abs()).sum::<f64>();
        let sizes: Vec<f64> = (0..self.variables).into_par_iter().map(size).collect();
        let mut before: Vec<usize> = (0..self.variables).collect();
        before.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
        let parts = self.values.len() / length;
        let moved =
            |column: usize| column - column % self.variables + before[column % self.variables];
        let values: Vec<f64> =
            (0..parts).flat_map(|column| part(moved(column)).iter().copied()).collect();
        let sorted = Self {
            values: values.into(),
            scale: before.iter().map(|v| self.scale[*v]).collect(),
            ..self.clone()
        };
        (sorted, before)
    }

    /// How many series.
    pub fn series(&self) -> usize {
        self.series
    }

    /// How many steps have rows: those after the first `lag`.
    pub fn steps(&self) -> usize {
        self.steps - self.lag
    }

    /// How many variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The longest lag.
    pub fn lag(&self) -> usize {
        self.lag
    }

    /// How many columns: every variable at every lag.
    pub fn size(&self) -> usize {
        self.variables * (self.lag + 1)
    }

    /// How many complete rows, counted with their weights.
    pub fn rows(&self) -> f64 {
        self.rows
    }

    /// How many numbers the mean of each variable took.
    pub fn intercept(&self) -> usize {
        self.intercept
    }

    /// The standard deviation of each variable, in the data's units.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Column `lag * variables + variable`, step by step and series by series within a step.
    pub fn column(&self, index: usize) -> &[f64] {
        let (back, variable) = (index / self.variables, index % self.variables);
        let start = match self.layout {
            Layout::Shifted => (variable * self.steps + self.lag - back) * self.series,
            Layout::Stacked => index * self.steps() * self.series,
        };
        &self.values[start..start + self.steps() * self.series]
    }

    /// The weight of each row, where they are not all 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The weighted number of rows at each step.
    pub fn rows_at(&self, step: usize) -> f64 {
        let range = step * self.series..(step + 1) * self.series;
        self.weights.as_ref().map_or(self.series as f64, |w| w[range].iter().sum())
    }

    /// The same columns with the rows that a shorter lag admits besides; `None` where only the rows
    /// of this lag are known.
    pub fn shorter(&self, lag: usize) -> Option<Self> {
        let known = self.layout == Layout::Shifted && self.weights.is_none();
        (known && lag < self.lag).then(|| Self {
            lag,
            rows: (self.series * (self.steps - lag)) as f64,
            ..self.clone()
        })
    }

    /// The same columns with every row's weight multiplied by `factor(series, step)`.
    pub fn reweighted(&self, factor: impl Fn(usize, usize) -> f64) -> Self {
        let old = |row: usize| self.weights.as_ref().map_or(1.0, |w| w[row]);
        let weights: Vec<f64> = (0..self.steps() * self.series)
            .map(|row| old(row) * factor(row % self.series, row / self.series))
            .collect();
        Self { rows: weights.iter().sum(), weights: Some(weights), ..self.clone() }
    }
}

/// Refuses a variable whose standard deviation is nothing.
pub(super) fn check_scale(scale: &[f64], names: &[String]) -> Result<()> {
    let still = scale.iter().position(|s| !(*s > 0.0 && s.is_finite()));
    still.map_or(Ok(()), |v| {
        let what = format!("variable `{}` does not move around its mean; leave it out", names[v]);
        Err(Error::numerical("moments", what))
    })
}

/// What the mean follows where there are too few series to take it out step by step.
pub(super) fn smooth_mean(series: f64, steps: usize) -> Result<Option<Basis>> {
    if series >= SERIES_FOR_STEP_MEANS {
        return Ok(None);
    }
    let size = (steps / STEPS_PER_POLYNOMIAL).clamp(1, SMOOTH_MEAN_SIZE);
    Basis::new(Shape::Legendre { size }, steps, 0).map(Some)
}

fn read(panel: &Panel, variable: usize, column: &mut [f64]) {
    let series = panel.series();
    let values = panel.values();
    let source = values.index_axis(Axis(2), variable);
    for ((n, t), x) in source.indexed_iter() {
        column[t * series + n] = *x;
    }
}

/// Takes the mean of each step out and divides by the standard deviation, which is returned.
fn prepare(column: &mut [f64], series: usize, smooth: Option<&Basis>) -> f64 {
    // First the overall mean and scale, so that huge or tiny units cost no precision.
    let present = |c: &[f64]| c.iter().filter(|x| !x.is_nan()).count().max(1) as f64;
    let count = present(column);
    let sum = |c: &[f64]| c.iter().filter(|x| !x.is_nan()).sum::<f64>();
    let mean = sum(column) / count;
    for x in &mut *column {
        *x -= mean;
    }
    let largest = column.iter().filter(|x| !x.is_nan()).fold(0.0f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    for x in &mut *column {
        *x /= largest;
    }
    let means: Vec<(f64, f64)> = column
        .chunks_exact(series)
        .map(|step| (sum(step), step.iter().filter(|x| !x.is_nan()).count() as f64))
        .collect();
    let fitted = smooth.map_or_else(
        || means.iter().map(|(s, n)| s / n.max(1.0)).collect(),
        |basis| smoothed(&means, basis),
    );
    for (step, mean) in column.chunks_exact_mut(series).zip(fitted) {
        for x in step {
            *x -= mean;
        }
    }
    let squares: f64 = column.iter().filter(|x| !x.is_nan()).map(|x| x * x).sum();
    let sd = (squares / count).sqrt();
    if sd < 1e-9 {
        return 0.0;
    }
    for x in &mut *column {
        *x /= sd;
    }
    sd * largest
}

/// The mean of each step on a basis, by least squares weighted with the counts.
pub(super) fn smoothed(means: &[(f64, f64)], basis: &Basis) -> Vec<f64> {
    use faer::linalg::solvers::{Llt, Solve};
    let size = basis.size();
    let phi = basis.values();
    let gram = faer::Mat::from_fn(size, size, |b, c| {
        let sum: f64 = (0..means.len()).map(|t| means[t].1 * phi[[t, b]] * phi[[t, c]]).sum();
        // Steps without a value leave the ends free; a little ridge holds them.
        sum + if b == c { 1e-9 } else { 0.0 }
    });
    let right = faer::Mat::from_fn(size, 1, |b, _| {
        (0..means.len()).map(|t| means[t].0 * phi[[t, b]]).sum()
    });
    let Ok(factor) = Llt::new(gram.as_ref(), faer::Side::Lower) else {
        return vec![0.0; means.len()];
    };
    let coefficients = factor.solve(&right);
    (0..means.len()).map(|t| (0..size).map(|b| phi[[t, b]] * coefficients[(b, 0)]).sum()).collect()
}

/// 1 for every row (step after the lag, series) whose cells are all there, 0 for the others.
fn complete_rows(panel: &Panel, lag: usize) -> Vec<f64> {
    let (series, steps, _) = panel.values().dim();
    let values = panel.values();
    let whole: Vec<bool> = (0..steps * series)
        .into_par_iter()
        .map(|row| {
            let cells = values.slice(ndarray::s![row % series, row / series, ..]);
            !cells.iter().any(|x| x.is_nan())
        })
        .collect();
    let complete = |row: &usize| (0..=lag).all(|back| whole[row - back * series]);
    (lag * series..steps * series).map(|row| f64::from(u8::from(complete(&row)))).collect()
}
