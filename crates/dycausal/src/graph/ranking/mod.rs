//! What the data say for every possible edge, listed or not.

mod sources;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use ndarray::{Array2, Array3};

use crate::error::{Error, Result};

pub use sources::Sources;

/// A statistic for each possible edge (lag, from, to): the larger, the more the data speak for it.
///
/// A graph lists the edges that pass a test; curves over all thresholds (AUROC, AUPR) need the order
/// of all the others too. Statistics have no units and are comparable within a lag. NaN where nothing
/// is known; a variable is never its own cause within a step. Four bytes per place.
///
/// ```
/// use dycausal::graph::Ranking;
/// use ndarray::Array3;
///
/// let values = Array3::from_shape_fn((2, 3, 3), |(lag, from, to)| (9 * lag + 3 * from + to) as f64);
/// let ranking = Ranking::new("Wald", values)?;
/// assert_eq!(ranking.get(1, 0, 2), Some(11.0));
/// assert_eq!(ranking.get(0, 1, 1), None); // its own cause within a step
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ranking {
    statistic: String,
    values: Array3<f32>,
}

/// The same bits: what is not known is equal to itself.
impl PartialEq for Ranking {
    fn eq(&self, other: &Self) -> bool {
        let bits = |ranking: &Self| ranking.values.mapv(f32::to_bits);
        self.statistic == other.statistic && bits(self) == bits(other)
    }
}

impl Ranking {
    /// More places than these are not looked at by methods that compute them for the ranking alone.
    pub const MOST: usize = 1_000_000;

    /// Statistics\[lag, from, to\], and a word for what they are.
    ///
    /// # Errors
    /// If there are not as many causes as effects, or no lag.
    pub fn new(statistic: impl Into<String>, values: Array3<f64>) -> Result<Self> {
        let (lags, causes, effects) = values.dim();
        if causes != effects || lags == 0 {
            let found = format!("{lags} × {causes} × {effects}");
            return Err(Error::shape("ranking", found, "lags × variables × variables"));
        }
        let mut values = values.mapv(small);
        (0..causes).for_each(|v| values[[0, v, v]] = f32::NAN);
        Ok(Self { statistic: statistic.into(), values })
    }

    /// Absolute weights\[lag, from, to\] in standard deviations: |w| sd_from / sd_to.
    ///
    /// # Errors
    /// As [`Ranking::new`], and if there are not as many standard deviations as variables.
    pub fn of_weights(mut weights: Array3<f64>, scale: &[f64]) -> Result<Self> {
        if weights.dim().1 != scale.len() {
            let expected = format!("{}, one per variable", weights.dim().1);
            return Err(Error::shape("standard deviations", scale.len(), expected));
        }
        for ((_, from, to), weight) in weights.indexed_iter_mut() {
            *weight = weight.abs() * scale[from] / scale[to];
        }
        Self::new("absolute weight in standard deviations", weights)
    }

    /// What the statistics are.
    pub fn statistic(&self) -> &str {
        &self.statistic
    }

    /// The longest lag.
    pub fn lag(&self) -> usize {
        self.values.dim().0 - 1
    }

    /// How many variables.
    pub fn variables(&self) -> usize {
        self.values.dim().1
    }

    /// Statistics\[lag, from, to\]; NaN where nothing is known.
    pub fn values(&self) -> Array3<f64> {
        self.values.mapv(f64::from)
    }

    /// The statistic of an edge, where it is known.
    pub fn get(&self, lag: usize, from: usize, to: usize) -> Option<f64> {
        self.values.get((lag, from, to)).copied().filter(|s| !s.is_nan()).map(f64::from)
    }

    /// Every place that is known, with its statistic: (lag, from, to), statistic.
    pub fn places(&self) -> impl Iterator<Item = ((usize, usize, usize), f64)> {
        let known = self.values.indexed_iter().filter(|(_, s)| !s.is_nan());
        known.map(|(place, s)| (place, f64::from(*s)))
    }

    /// The largest statistic\[from, to\] over some lags; NaN where none is known.
    pub fn over_lags(&self, lags: RangeInclusive<usize>) -> Array2<f64> {
        let d = self.variables();
        let largest = |(from, to)| {
            let known = lags.clone().filter_map(|lag| self.get(lag, from, to));
            known.reduce(f64::max).unwrap_or(f64::NAN)
        };
        Array2::from_shape_fn((d, d), largest)
    }

    /// The ranking with what is believed of causes.
    pub fn with_sources(&self, sources: Sources) -> Self {
        match sources {
            Sources::Same => self.clone(),
            Sources::Differ => Self {
                statistic: format!("log odds where sources differ, by {}", self.statistic),
                values: sources::differ(&self.values),
            },
        }
    }
}

/// The nearest small number; those beyond them stay finite.
#[allow(clippy::cast_possible_truncation)] // a rank needs no more digits
fn small(value: f64) -> f32 {
    (value as f32).clamp(-f32::MAX, f32::MAX)
}
