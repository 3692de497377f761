//! One cause of one variable.

use serde::{Deserialize, Deserializer, Serialize};

use super::effect::Effect;
use super::given::Given;
use super::knots::{Knots, between};
use super::mark::Mark;
use super::presence::Presence;
use crate::basis::Basis;
use crate::movement::{Mixture, Motion, WholePath};

/// How the weight of an edge moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trajectory {
    /// The same at every step.
    Constant(f64),
    /// Coefficients on the graph's basis.
    Coefficients(Vec<f64>),
    /// One weight per step.
    Steps(Vec<f64>),
    /// Weights at some steps; straight between them, level before and after.
    Knots {
        /// The steps, in increasing order.
        at: Vec<usize>,
        /// The weights there.
        weights: Vec<f64>,
    },
    /// Several courses with a share each; the weight is their median.
    Mixture(Mixture),
}

/// A weight and its bounds.
type WeightBounds = (f64, Option<(f64, f64)>);

/// Where the weight may lie at each step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// How often such a band holds the true weight, e.g. 0.95.
    pub level: f64,
    /// Its bounds.
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// The bounds of a band.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bounds {
    /// Bounds at some steps; straight between them, level before and after.
    Knots {
        /// The steps, in increasing order.
        at: Vec<usize>,
        /// Lower bounds there; NaN, in a file null, where there is none.
        #[serde(deserialize_with = "null_is_nan")]
        low: Vec<f64>,
        /// Upper bounds there; NaN, in a file null, where there is none.
        #[serde(deserialize_with = "null_is_nan")]
        high: Vec<f64>,
    },
    /// One lower and one upper bound per step.
    Steps {
        /// Lower bound per step; NaN, in a file null, where there is none.
        #[serde(deserialize_with = "null_is_nan")]
        low: Vec<f64>,
        /// Upper bound per step; NaN, in a file null, where there is none.
        #[serde(deserialize_with = "null_is_nan")]
        high: Vec<f64>,
    },
    /// A Gaussian over the coefficients on the graph's basis.
    Gaussian {
        /// Mean coefficients.
        centre: Vec<f64>,
        /// Their covariance, row by row.
        covariance: Vec<f64>,
        /// Standard errors from the centre to a bound.
        reach: f64,
        /// The same for a band that holds the whole path.
        simultaneous: f64,
    },
    /// Quantiles of the mixture that the weight is the median of.
    Quantiles {
        /// How much wider than each quantile a band is that holds the whole path.
        simultaneous: f64,
        /// What it is wide at the least, to either side.
        least: f64,
        /// How many steps to either side it covers as well: a jump may come earlier or later.
        #[serde(default)]
        within: usize,
    },
}

/// Bounds that were NaN or infinite when written: JSON has null for both.
fn null_is_nan<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<f64>, D::Error> {
    let bounds = Vec::<Option<f64>>::deserialize(reader)?;
    Ok(bounds.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect())
}

/// What was tested of an edge: p-values, and q-values after control of the false discovery rate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tests {
    /// The statistic that says how far the data are from "there is no such edge": a partial
    /// correlation, a Wald statistic, as the method has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<f64>,
    /// p-value of "there is no such edge at any step".
    pub absent: Option<f64>,
    /// The same, adjusted for the number of edges tested.
    pub absent_adjusted: Option<f64>,
    /// p-value of "the weight is the same at every step".
    pub unchanging: Option<f64>,
    /// The same, adjusted for the number of edges tested.
    pub unchanging_adjusted: Option<f64>,
    /// The steps at which the weight is certainly not 0: a simultaneous band leaves it out.
    pub certain: Option<Presence>,
}

/// A cause and its effect, `lag` steps apart, with a weight that moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The cause, by number.
    pub from: usize,
    /// The effect, by number.
    pub to: usize,
    /// How many steps the cause is ahead; 0 within the step.
    pub lag: usize,
    /// The weight over time.
    pub trajectory: Trajectory,
    /// When the edge is there; its weight is 0 at other steps.
    pub presence: Presence,
    /// What its motion is called, and when it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// Where the weight may lie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<Band>,
    /// What was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// Whether the direction is known; older files have a flag `undirected` here.
    #[serde(
        default,
        alias = "undirected",
        deserialize_with = "Mark::word_or_flag",
        skip_serializing_if = "Mark::is_directed"
    )]
    pub mark: Mark,
    /// How likely the direction shown is right, from 0 to 1; None where that was not assessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The share of resamples of the data in which the edge was found again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<f64>,
    /// What of it was known before.
    #[serde(default, skip_serializing_if = "Given::is_nothing")]
    pub given: Given,
    /// What values of the cause do to the effect, where that is no straight line; the weight is then how
    /// steep that is: the root mean square of its derivative over the data, with the sign of its mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The methods that found it, where several were compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found_by: Vec<String>,
}

impl Edge {
    /// An edge that is there at every one of `steps` steps.
    pub fn new(from: usize, to: usize, lag: usize, trajectory: Trajectory, steps: usize) -> Self {
        Self {
            from,
            to,
            lag,
            trajectory,
            presence: Presence::always(steps),
            motion: None,
            band: None,
            tests: None,
            mark: Mark::Directed,
            confidence: None,
            support: None,
            given: Given::Nothing,
            effect: None,
            found_by: Vec::new(),
        }
    }

    /// The weight at a step: 0 where the edge is not there.
    pub fn weight(&self, basis: &Basis, step: usize) -> f64 {
        if self.presence.contains(step) { self.trajectory.value(basis, step) } else { 0.0 }
    }

    /// The largest absolute weight over time, in the units of the data.
    pub fn strength(&self, basis: &Basis) -> f64 {
        self.strongest(basis).abs()
    }

    /// The weight that is largest in absolute value, the first of equals, with its sign.
    ///
    /// Of series of more than 2,000 steps not all are looked at ([`Edge::curve`]).
    pub fn strongest(&self, basis: &Basis) -> f64 {
        self.strongest_of(&self.curve(basis))
    }

    /// The strongest weight of a curve while the edge is there.
    pub(super) fn strongest_of(&self, curve: &Knots) -> f64 {
        let larger = |most: f64, weight: f64| if weight.abs() > most.abs() { weight } else { most };
        let ends = self.presence.ranges().iter().flat_map(|(start, end)| {
            let first = curve.at.partition_point(|at| at < start);
            let last = curve.at.partition_point(|at| at < end).max(first);
            // Straight lines are strongest at their ends.
            let inside = curve.values[first..last].iter().copied();
            std::iter::once(curve.value(*start)).chain(inside).chain([curve.value(end - 1)])
        });
        ends.fold(0.0, larger)
    }

    /// The lower and upper bound of the weight at a step, where there is a band.
    ///
    /// Bounds are NaN at steps of which nothing is known.
    pub fn bounds(&self, basis: &Basis, step: usize) -> Option<(f64, f64)> {
        let band = self.band.as_ref()?;
        Some(match (&band.bounds, &self.trajectory) {
            (Bounds::Steps { low, high }, _) => (low[step], high[step]),
            (Bounds::Knots { at, low, high }, _) => {
                (between(at, low, step), between(at, high, step))
            }
            (Bounds::Gaussian { centre, covariance, reach, .. }, _) => {
                around(basis, centre, covariance, *reach, step)
            }
            (Bounds::Quantiles { .. }, Trajectory::Mixture(mixture)) => {
                let (low, _, high) = mixture.interval(step, band.level);
                (low, high)
            }
            (Bounds::Quantiles { .. }, _) => (f64::NAN, f64::NAN),
        })
    }

    /// The weight and its bounds at a step, whether the edge is there or not.
    pub(super) fn weight_and_bounds(&self, basis: &Basis, step: usize) -> WeightBounds {
        if let (
            Some(Band { level, bounds: Bounds::Quantiles { .. } }),
            Trajectory::Mixture(mixture),
        ) = (&self.band, &self.trajectory)
        {
            let (low, weight, high) = mixture.interval(step, *level);
            return (weight, Some((low, high)));
        }
        (self.trajectory.value(basis, step), self.bounds(basis, step))
    }

    /// Whether weight and bounds are the same at every step of the series.
    pub fn stays(&self) -> bool {
        let still = match &self.trajectory {
            Trajectory::Constant(_) => true,
            Trajectory::Mixture(mixture) => mixture.stays(),
            Trajectory::Coefficients(numbers) => numbers.len() == 1,
            Trajectory::Steps(_) | Trajectory::Knots { .. } => false,
        };
        let bounds = self.band.as_ref().map(|band| &band.bounds);
        let level = match bounds {
            None | Some(Bounds::Quantiles { .. }) => true,
            Some(Bounds::Gaussian { centre, .. }) => centre.len() == 1,
            Some(Bounds::Steps { .. } | Bounds::Knots { .. }) => false,
        };
        still && level
    }

    /// The bounds at a step of a band that holds the whole path as often as it says.
    pub fn simultaneous_bounds(&self, basis: &Basis, step: usize) -> Option<(f64, f64)> {
        let band = self.band.as_ref()?;
        match (&band.bounds, &self.trajectory) {
            (Bounds::Gaussian { centre, covariance, simultaneous, .. }, _) => {
                Some(around(basis, centre, covariance, *simultaneous, step))
            }
            (Bounds::Quantiles { simultaneous, least, within }, Trajectory::Mixture(mixture)) => {
                let path = WholePath { factor: *simultaneous, least: *least, within: *within };
                let steps = mixture.span().steps;
                Some(path.at(step, steps, |near| mixture.interval(near, band.level)))
            }
            _ => None,
        }
    }

    /// The mean weight over the steps at which the edge is there.
    ///
    /// Of series of more than 2,000 steps not all are looked at ([`Edge::curve`]).
    pub fn mean(&self, basis: &Basis) -> f64 {
        self.mean_of(&self.curve(basis))
    }

    /// The mean of a curve while the edge is there.
    pub(super) fn mean_of(&self, curve: &Knots) -> f64 {
        let ranges = self.presence.ranges().iter();
        let weights = ranges.flat_map(|(start, end)| curve.along(*start, end - start));
        weights.sum::<f64>() / self.presence.count().max(1) as f64
    }
}

impl Trajectory {
    /// The weight at a step, whether the edge is there or not.
    pub fn value(&self, basis: &Basis, step: usize) -> f64 {
        match self {
            Self::Constant(weight) => *weight,
            Self::Coefficients(coefficients) => basis.evaluate(coefficients, step),
            Self::Steps(weights) => weights[step],
            Self::Knots { at, weights } => between(at, weights, step),
            Self::Mixture(mixture) => mixture.median(step),
        }
    }

    /// The numbers that make up the trajectory.
    pub(super) fn numbers(&self) -> &[f64] {
        match self {
            Self::Constant(weight) => std::slice::from_ref(weight),
            Self::Coefficients(numbers)
            | Self::Steps(numbers)
            | Self::Knots { weights: numbers, .. } => numbers,
            Self::Mixture(_) => &[],
        }
    }
}

/// Bounds of a Gaussian on a basis.
fn around(
    basis: &Basis,
    centre: &[f64],
    covariance: &[f64],
    reach: f64,
    step: usize,
) -> (f64, f64) {
    let phi = basis.at(step);
    let width = phi.len();
    let middle = basis.evaluate(centre, step);
    let entry = |k: usize| phi[k / width] * phi[k % width] * covariance[k];
    let variance: f64 = (0..width * width).map(entry).sum();
    let room = reach * variance.max(0.0).sqrt();
    (middle - room, middle + room)
}
