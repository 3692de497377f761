//! The numbers behind the verdicts, to be drawn or put in a table.

use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use super::variance::in_stretches;
use super::{explained, rounded, tails, whiteness};

/// Stretches of time in which the size of residuals is told.
const STRETCHES: usize = 24;

/// What is left of one variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Figures {
    /// The variable's name.
    pub variable: String,
    /// The share of the variance that the graph's weights explain; may be below 0.
    pub explained: Option<f64>,
    /// The same of rows that were left out; none without causes.
    pub held_out: Option<f64>,
    /// Standard deviation of the residuals, in the data's units.
    pub sd: f64,
    /// Correlation with the residual one step before.
    pub autocorrelation: Option<f64>,
    /// E u³ / σ³.
    pub skewness: Option<f64>,
    /// E u⁴ / σ⁴ − 3: 0 for Gaussian noise.
    pub excess_kurtosis: Option<f64>,
    /// Standard deviation in each of up to 24 stretches of time; none where no row is whole.
    pub sd_over_time: Vec<Option<f64>>,
}

/// Two variables whose residuals depend on each other more than others do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Pair {
    /// Their names.
    pub variables: [String; 2],
    /// Residuals as they are, their size, or bounded by tanh: where the dependence is clearest.
    pub of: String,
    /// Correlation.
    pub correlation: f64,
    /// How likely as much would be by chance, adjusted for all pairs.
    pub p: f64,
}

/// The figures of one variable.
pub(super) fn of_variable(evidence: &Evidence<'_>, variable: usize) -> Figures {
    let known = |x: f64| x.is_finite().then(|| rounded(x));
    let scale = evidence.columns.scale()[variable];
    let variance = evidence.mean(variable, evidence.residuals(variable).iter().map(|u| u * u));
    let shape = tails::shape(evidence, variable);
    let stretches = STRETCHES.min(evidence.columns.steps());
    let parts = in_stretches(evidence, variable, stretches);
    Figures {
        variable: evidence.name(variable).to_owned(),
        explained: known(explained::share(evidence, variable)),
        held_out: evidence.held_out[variable].and_then(|held| known(held.share)),
        sd: rounded(scale * variance.sqrt()),
        autocorrelation: whiteness::autocorrelation(evidence, variable, 1).and_then(known),
        skewness: shape.as_ref().and_then(|shape| known(shape.skewness)),
        excess_kurtosis: shape.as_ref().and_then(|shape| known(shape.excess_kurtosis)),
        sd_over_time: parts.iter().map(|part| known(scale * part.sd())).collect(),
    }
}
