//! The data as columns: centred at every step, of variance 1, ready for products and residuals.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::observed::Observed;
use super::partition::Partition;
use super::preparation::Preparation;
use super::prepared::Prepared;
use crate::error::{Error, Result};
use crate::linear_algebra::dot;
use crate::panel::Panel;
use crate::run::PanelShape;

/// Values\[variable\]\[step\]\[series\], counted from their mean at each step, in units of their
/// standard deviation; and a weight per row, 0 where the row cannot be worked with.
///
/// Taking the mean of each step out of every variable is the same as an intercept that is free at
/// each step. With few series it is a smooth mean instead.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(super) series: usize,
    pub(super) steps: usize,
    pub(super) variables: usize,
    pub(super) lag: usize,
    pub(super) values: Arc<Vec<f64>>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) rows: f64,
    pub(super) scale: Vec<f64>,
    pub(super) intercepts: Vec<usize>,
    pub(super) layout: RowLayout,
    /// Which cells were observed, where some were filled.
    pub(super) observed: Option<Arc<Observed>>,
    /// Weights of rows\[variable\]\[step after the lag\]\[series\] in regressions of each variable.
    pub(super) targets: Option<Arc<[f64]>>,
}

/// The power of the share of its cells that was observed, by which a row counts: two that have to be
/// observed for a product to be known, and one for what else explains them.
const INFORMATION: i32 = 3;
/// One that leaves hardly anything but whole rows.
const STEEP: i32 = 48;
/// Rows per column that an order is learned from, at least.
const ROWS_PER_COLUMN: f64 = 40.0;

/// Where the column of a variable at a lag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowLayout {
    /// Each variable once; a lag is a shift.
    Shifted,
    /// Each variable at each lag on its own, for the steps that have rows.
    Stacked,
}

impl Columns {
    /// Columns of which each lag stands on its own, with a weight for every row and how much these are in all.
    pub fn stacked(
        shape: PanelShape,
        lag: usize,
        values: Vec<f64>,
        (weights, rows): (Vec<f64>, f64),
        scale: Vec<f64>,
        intercepts: Vec<usize>,
    ) -> Self {
        let PanelShape { series, steps, variables } = shape;
        Self {
            series,
            steps,
            variables,
            lag,
            values: Arc::new(values),
            weights: Some(weights),
            rows,
            scale,
            intercepts,
            layout: RowLayout::Stacked,
            observed: None,
            targets: None,
        }
    }

    /// The columns of a panel for rows with this lag: with few series, what is left of a smooth
    /// mean.
    ///
    /// # Errors
    /// If no row is complete, or a variable does not move around its mean.
    #[cfg(test)]
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        Self::prepared(panel, lag, &Preparation::plain(panel))
    }

    /// The columns of a panel for rows with this lag, prepared as told.
    ///
    /// # Errors
    /// If no row is complete, or a variable does not move around its mean.
    pub fn prepared(panel: &Panel, lag: usize, preparation: &Preparation) -> Result<Self> {
        Prepared::of(panel, preparation, &|| Ok(()))?.columns(lag)
    }

    /// The same columns with variables in an order that depends on their values alone, and the
    /// number that each had before.
    ///
    /// Whatever works on them then gives the same answer in whatever order variables come. Values that nobody
    /// else holds are moved about where they are: a copy of a large panel may not fit.
    pub fn sorted(self) -> (Self, Vec<usize>) {
        let length = match self.layout {
            RowLayout::Shifted => self.series * self.steps,
            RowLayout::Stacked => self.series * self.steps(),
        };
        let part = |column: usize| &self.values[column * length..(column + 1) * length];
        let size = |v: usize| part(v).iter().map(|x| x.abs()).sum::<f64>();
        let sizes: Vec<f64> = (0..self.variables).into_par_iter().map(size).collect();
        let mut before: Vec<usize> = (0..self.variables).collect();
        before.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
        let moved =
            |column: usize| column - column % self.variables + before[column % self.variables];
        let observed = self.observed.as_ref().map(|of| Arc::new(of.sorted(&before)));
        let targets = self.targets.as_ref().map(|all| {
            let rows = self.steps() * self.series;
            before.iter().flat_map(|v| &all[v * rows..(v + 1) * rows]).copied().collect()
        });
        let from: Vec<usize> = (0..self.values.len() / length).map(moved).collect();
        let mut values = Arc::unwrap_or_clone(self.values);
        rearrange(&mut values, length, &from);
        let sorted = Self {
            values: Arc::new(values),
            scale: before.iter().map(|v| self.scale[*v]).collect(),
            intercepts: before.iter().map(|v| self.intercepts[*v]).collect(),
            observed,
            targets,
            weights: self.weights,
            ..self
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

    /// How many numbers the mean of one variable took.
    pub fn intercept_of(&self, variable: usize) -> usize {
        self.intercepts[variable]
    }

    /// Whether only second moments are known: then no row is one of the data.
    pub fn are_of_moments(&self) -> bool {
        self.layout == RowLayout::Stacked
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
            RowLayout::Shifted => {
                let start = (variable * self.steps + first - back) * self.series;
                &self.values[start..start + (self.steps - first) * self.series]
            }
            RowLayout::Stacked => self.column(back * self.variables + variable),
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
            RowLayout::Shifted => (variable * self.steps + self.lag - back) * self.series,
            RowLayout::Stacked => index * self.steps() * self.series,
        };
        &self.values[start..start + self.steps() * self.series]
    }

    /// The weight of each row, where they are not all 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Which cells were observed; `None` where none was filled.
    pub fn observed(&self) -> Option<&Observed> {
        self.observed.as_deref()
    }

    /// The weight of each row in a regression of this variable, where they are not all 1: 0 where it
    /// was not observed itself.
    pub fn weights_of(&self, target: usize) -> Option<&[f64]> {
        let rows = self.steps() * self.series;
        let own = self.targets.as_ref().map(|all| &all[target * rows..(target + 1) * rows]);
        own.or_else(|| self.weights())
    }

    /// The same columns, rows counting by how much of them was observed; as they are where nothing was
    /// filled.
    ///
    /// What was filled repeats what was observed, its chance among it: as many rows as there are would make
    /// too much of that.
    pub fn by_information(self) -> Self {
        let shares = self.observed_shares();
        shares.map(|shares| self.by_power(&shares, INFORMATION)).unwrap_or(self)
    }

    /// The same columns with hardly anything but rows that were observed wholly; `None` where nothing was
    /// filled, or those are too few for so many columns.
    pub fn well_observed(&self) -> Option<Self> {
        let whole = self.by_power(&self.observed_shares()?, STEEP);
        (whole.rows() >= ROWS_PER_COLUMN * self.size() as f64).then_some(whole)
    }

    fn by_power(&self, shares: &[f64], power: i32) -> Self {
        self.reweighted(|n, t| shares[t * self.series + n].powi(power))
    }

    /// The share of its cells that was observed, of each row.
    fn observed_shares(&self) -> Option<Vec<f64>> {
        let observed = self.observed()?;
        let (series, lag, d) = (self.series, self.lag, self.variables);
        let mut counts = vec![0.0; self.steps * series];
        for v in 0..d {
            let cells = counts.iter_mut().zip(observed.lagged(v, 0, 0));
            cells.for_each(|(count, seen)| *count += f64::from(u8::from(*seen)));
        }
        let share = |row: usize| {
            let seen: f64 = (0..=lag).map(|back| counts[row + (lag - back) * series]).sum();
            seen / ((lag + 1) * d) as f64
        };
        Some((0..self.steps() * series).map(share).collect())
    }

    /// Whether something was filled, and it is known how much variance that left at each step.
    pub fn left_is_known(&self) -> bool {
        self.observed().is_some_and(Observed::has_steady_variance)
    }

    /// What filling left of the variance of a column at every step, or in every piece of time of a long
    /// series, added up over rows by their weights; `None` where nothing was filled, or it is not known.
    pub fn left_variances(&self, column: usize) -> Option<Vec<f64>> {
        let (back, variable) = (column / self.variables, column % self.variables);
        let observed = self.observed().filter(|observed| observed.has_steady_variance())?;
        let together = Partition::pieces(self.steps(), self.series).each() * self.series;
        let left = observed.left(variable, back, self.lag).chunks(together);
        let at = |(t, left): (usize, &[f64])| {
            let weights = self.weights().map(|w| &w[t * together..t * together + left.len()]);
            weights.map_or_else(|| left.iter().sum(), |w| dot(w, left))
        };
        Some(left.enumerate().map(at).collect())
    }

    /// The same columns with 0, the mean, in place of what was filled; as they are where nothing was.
    pub fn observed_only(&self) -> Cow<'_, Self> {
        let Some(observed) = self.observed() else { return Cow::Borrowed(self) };
        let values = self.values.iter().zip(observed.cells());
        let values = values.map(|(x, seen)| if *seen { *x } else { 0.0 }).collect();
        Cow::Owned(Self { values: Arc::new(values), ..self.clone() })
    }

    /// The weighted number of rows at each step.
    pub fn rows_at(&self, step: usize) -> f64 {
        let range = step * self.series..(step + 1) * self.series;
        self.weights.as_ref().map_or(self.series as f64, |w| w[range].iter().sum())
    }

    /// Whether the rows that a shorter lag would have besides are known to be complete.
    pub fn has_earlier_rows(&self) -> bool {
        self.layout == RowLayout::Shifted && self.weights.is_none()
    }

    /// The same columns with every row's weight multiplied by `factor(series, step)`.
    pub fn reweighted(&self, factor: impl Fn(usize, usize) -> f64) -> Self {
        let old = |row: usize| self.weights.as_ref().map_or(1.0, |w| w[row]);
        let rows = self.steps() * self.series;
        let factor = |row: usize| factor(row % self.series, row / self.series);
        let weights: Vec<f64> = (0..rows).map(|row| old(row) * factor(row)).collect();
        let targets = self
            .targets
            .as_ref()
            .map(|all| all.iter().enumerate().map(|(at, w)| w * factor(at % rows)).collect());
        Self { rows: weights.iter().sum(), weights: Some(weights), targets, ..self.clone() }
    }
}

/// Puts part `from[k]` of values at place k, for all k, with room for one part more.
fn rearrange(values: &mut [f64], length: usize, from: &[usize]) {
    let mut done = vec![false; from.len()];
    let mut first = vec![0.0; length];
    for start in 0..from.len() {
        if std::mem::replace(&mut done[start], true) || from[start] == start {
            continue;
        }
        first.copy_from_slice(&values[start * length..(start + 1) * length]);
        let mut place = start;
        while from[place] != start {
            let source = from[place];
            values.copy_within(source * length..(source + 1) * length, place * length);
            done[source] = true;
            place = source;
        }
        values[place * length..(place + 1) * length].copy_from_slice(&first);
    }
}

/// Refuses a variable whose standard deviation is nothing.
pub(crate) fn check_scale(scale: &[f64], names: &[String]) -> Result<()> {
    let still = scale.iter().position(|s| !(*s > 0.0 && s.is_finite()));
    still.map_or(Ok(()), |v| Err(Error::Still { variable: names[v].clone() }))
}
