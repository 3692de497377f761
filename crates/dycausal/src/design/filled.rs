//! A panel whose missing cells are filled, in its own units.

use ndarray::{Array3, Axis};
use rayon::prelude::*;

use super::fill::fill;
use super::mean::MeanRecipe;
use super::missing::Missing;
use super::preparation::Preparation;
use super::rows::{UsableRows, read};
use crate::error::Result;
use crate::panel::Panel;
use crate::run::Run;

/// A panel without missing cells, but for rows of which nothing was observed.
#[derive(Debug, Clone)]
pub struct Filled {
    /// The values: those that were observed as they were, the others filled.
    pub panel: Panel,
    /// Cells\[series, step, variable\] that were filled.
    pub cells: Array3<bool>,
}

/// Fills the missing cells of a panel from the observed cells of the same series at the step itself
/// and its neighbours: the conditional mean of a Gaussian whose covariances are taken in bins of time
/// and shrunk by what chance explains of them.
///
/// What was observed stays as it is. Rows of which nothing was observed (ends of series of unequal
/// length, holes in time) stay missing.
///
/// ```
/// use dycausal::{Panel, Run, fill_missing};
/// use ndarray::Array3;
///
/// let noise = |k: usize| (k * k * 7919 % 1009) as f64 / 1009.0 - 0.5;
/// let mut values = Array3::from_shape_fn((1, 200, 2), |(_, t, v)| noise(t) + 0.1 * noise(t + 400 * v));
/// let truth = values[[0, 50, 1]];
/// values[[0, 50, 1]] = f64::NAN;
/// let filled = fill_missing(&Panel::unnamed(values)?, &Run::new(0))?;
/// assert!(filled.cells[[0, 50, 1]] && filled.panel.missing() == 0);
/// assert!((filled.panel.values()[[0, 50, 1]] - truth).abs() < 0.2);
/// # Ok::<(), dycausal::Error>(())
/// ```
///
/// # Errors
/// If the run is cancelled.
pub fn fill_missing(panel: &Panel, run: &Run) -> Result<Filled> {
    let (series, steps, variables) = panel.values().dim();
    let plain = Preparation::plain(panel);
    let recipes: Vec<MeanRecipe<'_>> =
        (0..variables).map(|v| plain.recipe(v, steps)).collect::<Result<_>>()?;
    let mut values = vec![0.0; series * steps * variables];
    let units: Vec<Standardisation> = values
        .par_chunks_mut(series * steps)
        .zip(&recipes)
        .enumerate()
        .map(|(v, (column, recipe))| {
            read(panel, v, column);
            Standardisation::take_out(recipe, column, series)
        })
        .collect();
    let usable = UsableRows::of(panel, Missing::Fill);
    run.parallel(|| fill(&mut values, series, steps, &usable, &|| run.proceed()))?;
    let mut filled = panel.values().to_owned();
    let mut cells = Array3::from_elem(filled.raw_dim(), false);
    let both = filled.axis_iter_mut(Axis(2)).zip(cells.axis_iter_mut(Axis(2)));
    for (v, (mut column, mut marks)) in both.enumerate() {
        for ((n, t), x) in column.indexed_iter_mut().filter(|(_, x)| x.is_nan()) {
            let found = values[(v * steps + t) * series + n];
            if !found.is_nan() {
                *x = units[v].back(found, t);
                marks[[n, t]] = true;
            }
        }
    }
    let panel = Panel::new(filled, panel.names().to_vec())?
        .with_times(panel.times().clone())?
        .with_series_names(panel.series_names().to_vec())?;
    Ok(Filled { panel, cells })
}

/// What a variable is counted from and in: x = mean + largest (curve_t + sd z).
struct Standardisation {
    mean: f64,
    largest: f64,
    curve: Vec<f64>,
    sd: f64,
}

impl Standardisation {
    /// Turns a column into z.
    fn take_out(recipe: &MeanRecipe<'_>, column: &mut [f64], series: usize) -> Self {
        let known = |column: &[f64]| -> Vec<f64> {
            column.iter().copied().filter(|x| !x.is_nan()).collect()
        };
        let count = known(column).len().max(1) as f64;
        let mean = known(column).iter().sum::<f64>() / count;
        let largest = known(column).iter().fold(0.0f64, |m, x| m.max((x - mean).abs()));
        // A variable that never changes is filled with what it is.
        let largest = if largest > 0.0 { largest } else { 1.0 };
        for x in &mut *column {
            *x = (*x - mean) / largest;
        }
        let curve = recipe.curve(column, series);
        for (step, mean) in column.chunks_exact_mut(series).zip(&curve) {
            for x in step {
                *x -= mean;
            }
        }
        let sd = (known(column).iter().map(|x| x * x).sum::<f64>() / count).sqrt();
        let sd = if sd > 1e-9 { sd } else { 1.0 };
        for x in &mut *column {
            *x /= sd;
        }
        Self { mean, largest, curve, sd }
    }

    /// A value in the units of the data.
    fn back(&self, z: f64, step: usize) -> f64 {
        self.mean + self.largest * (self.curve[step] + self.sd * z)
    }
}
