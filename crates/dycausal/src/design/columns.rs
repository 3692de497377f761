//! The data as columns: centred at every step, of variance 1, ready for products and residuals.

use std::sync::Arc;

use ndarray::Array2;
use rayon::prelude::*;

use super::mean::Recipe;
use super::preparation::Preparation;
use super::rows::{CompleteRows, read};
use crate::error::{Error, Result};
use crate::panel::Panel;

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
    pub(super) intercepts: Vec<usize>,
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
    /// The columns of a panel for rows with this lag: with few series, what is left of a smooth
    /// mean.
    ///
    /// # Errors
    /// If no row is complete, or a variable does not move around its mean.
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        Self::prepared(panel, lag, &Preparation::plain(panel))
    }

    /// The columns of a panel for rows with this lag, prepared as told.
    ///
    /// # Errors
    /// As [`Columns::of`].
    pub fn prepared(panel: &Panel, lag: usize, preparation: &Preparation) -> Result<Self> {
        let (series, steps, variables) = panel.values().dim();
        if steps <= lag {
            let needed = lag + 1;
            return Err(Error::TooShort { steps, lag, needed });
        }
        let recipes: Vec<Recipe<'_>> =
            (0..variables).map(|v| preparation.recipe(v, steps)).collect::<Result<_>>()?;
        let mut values = vec![0.0; series * steps * variables];
        let scale = values
            .par_chunks_mut(series * steps)
            .zip(&recipes)
            .enumerate()
            .map(|(v, (column, recipe))| {
                read(panel, v, column);
                recipe.prepare(column, series)
            })
            .collect::<Vec<f64>>();
        check_scale(&scale, panel.names())?;
        let weights = CompleteRows::of(panel).weights(lag);
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
        let levels = if preparation.levels { series } else { 0 };
        let took = |recipe: &Recipe<'_>| {
            levels + recipe.functions.as_ref().map_or(steps - lag, Array2::ncols)
        };
        Ok(Self {
            series,
            steps,
            variables,
            lag,
            values: values.into(),
            weights,
            rows,
            scale,
            intercepts: recipes.iter().map(took).collect(),
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
            intercepts: before.iter().map(|v| self.intercepts[*v]).collect(),
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

    /// How many numbers the mean of a variable took, at most.
    pub fn intercept(&self) -> usize {
        self.intercepts.iter().copied().max().unwrap_or(0)
    }

    /// How many numbers the mean of one variable took.
    pub fn intercept_of(&self, variable: usize) -> usize {
        self.intercepts[variable]
    }

    /// Whether only second moments are known: then no row is one of the data.
    pub fn are_of_moments(&self) -> bool {
        self.layout == Layout::Stacked
    }

    /// How many steps the panel has, those without rows among them.
    pub fn all_steps(&self) -> usize {
        self.steps
    }

    /// A variable at all steps of the panel, those without rows among them; for columns made of
    /// moments, those with rows.
    pub fn whole(&self, variable: usize) -> &[f64] {
        self.lagged(variable, 0, 0)
    }

    /// A variable `back` steps before each row from step `first` of the panel on; for columns made
    /// of moments, only the rows and lags that they have.
    pub fn lagged(&self, variable: usize, back: usize, first: usize) -> &[f64] {
        match self.layout {
            Layout::Shifted => {
                let start = (variable * self.steps + first - back) * self.series;
                &self.values[start..start + (self.steps - first) * self.series]
            }
            Layout::Stacked => self.column(back * self.variables + variable),
        }
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

    /// Whether the rows that a shorter lag would have besides are known to be complete.
    pub fn has_earlier_rows(&self) -> bool {
        self.layout == Layout::Shifted && self.weights.is_none()
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
