//! A panel prepared for columns of any lag: means taken out, units brought to 1, cells filled.

use std::sync::Arc;

use ndarray::Array2;
use rayon::prelude::*;

use super::columns::{Columns, RowLayout, check_scale};
use super::fill::{Proceed, fill};
use super::mean::MeanRecipe;
use super::missing::Missing;
use super::observed::Observed;
use super::preparation::Preparation;
use super::rows::{UsableRows, read};
use crate::error::{Error, Result};
use crate::panel::Panel;

/// Values\[variable\]\[step\]\[series\] as columns have them, without a lag yet.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    series: usize,
    steps: usize,
    variables: usize,
    missing: usize,
    values: Arc<Vec<f64>>,
    usable: UsableRows,
    observed: Option<Arc<Observed>>,
    scale: Vec<f64>,
    /// Of the levels of series, and of each variable's curve; `None` for the mean of each step.
    levels: usize,
    functions: Vec<Option<usize>>,
}

impl Prepared {
    /// Takes out of a panel what it is told to, and fills what is missing if it is told to.
    ///
    /// # Errors
    /// If a variable does not move around its mean, or the run is cancelled.
    pub fn of(panel: &Panel, preparation: &Preparation, proceed: Proceed<'_>) -> Result<Self> {
        let (series, steps, variables) = panel.values().dim();
        let mut values = vec![0.0; series * steps * variables];
        // One recipe at a time: of long series all of them would not fit.
        let prepared = values.par_chunks_mut(series * steps).enumerate().map(|(v, column)| {
            let recipe: MeanRecipe<'_> = preparation.recipe(v, steps)?;
            read(panel, v, column);
            let functions = recipe.functions.as_ref().map(Array2::ncols);
            Ok((recipe.prepare(column, series), functions))
        });
        let (scale, functions): (Vec<f64>, Vec<Option<usize>>) =
            prepared.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        check_scale(&scale, panel.names())?;
        let how = preparation.missing.map_or(Missing::CompleteRows, |missing| missing.how);
        let usable = UsableRows::of(panel, how);
        let mut observed = None;
        if how == Missing::Fill && panel.missing() > 0 {
            let seen = Observed::of(&values, series, steps);
            let left = fill(&mut values, series, steps, &usable, proceed)?;
            observed = Some(Arc::new(seen.with_left(left)));
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
            missing: panel.missing(),
            values: Arc::new(values),
            usable,
            observed,
            scale,
            levels: if preparation.levels { series } else { 0 },
            functions,
        })
    }

    /// How many series, and of how many steps.
    pub fn shape(&self) -> (usize, usize) {
        (self.series, self.steps)
    }

    /// The columns for rows with this lag; values are shared with those of other lags.
    ///
    /// # Errors
    /// If series are too short for the lag, or no row can be worked with.
    pub fn columns(&self, lag: usize) -> Result<Columns> {
        let (series, steps, variables) = (self.series, self.steps, self.variables);
        if steps <= lag {
            return Err(Error::TooShort { steps, lag, needed: lag + 1 });
        }
        let weights = self.usable.weights(lag);
        let rows = weights.as_ref().map_or((series * (steps - lag)) as f64, |w| w.iter().sum());
        if rows == 0.0 {
            return Err(Error::NoCompleteRow { variables, lag, missing: self.missing });
        }
        let targets = self
            .observed
            .as_ref()
            .map(|observed| targets(observed, weights.as_deref(), variables, lag));
        let took = |functions: &Option<usize>| self.levels + functions.unwrap_or(steps - lag);
        Ok(Columns {
            series,
            steps,
            variables,
            lag,
            values: Arc::clone(&self.values),
            weights,
            rows,
            scale: self.scale.clone(),
            intercepts: self.functions.iter().map(took).collect(),
            layout: RowLayout::Shifted,
            observed: self.observed.clone(),
            targets,
        })
    }
}

/// The weight of every row in a regression of each variable: 0 where it was not observed.
fn targets(
    observed: &Observed,
    weights: Option<&[f64]>,
    variables: usize,
    lag: usize,
) -> Arc<[f64]> {
    let of_variable = |v: usize| {
        let seen = observed.lagged(v, 0, lag).iter().enumerate();
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        seen.map(move |(row, seen)| if *seen { weight(row) } else { 0.0 })
    };
    (0..variables).flat_map(of_variable).collect()
}
