//! Is the noise far from symmetric, or full of outliers?
//!
//! Skewness E u³ / σ³ and excess kurtosis E u⁴ / σ⁴ − 3, both 0 for Gaussian noise.

use rayon::prelude::*;

use super::evidence::Evidence;
use super::finding::{Finding, Verdict};
use crate::thresholds::SKEWNESS_THAT_MATTERS;

/// Excess kurtosis beyond that of Laplace's law (3), with room for chance.
const HEAVY: f64 = 4.0;
/// Standard errors by which Gaussian noise has to be left behind.
const CLEAR: f64 = 4.0;

/// One finding per variable.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    (0..evidence.variables()).into_par_iter().map(|v| of_variable(evidence, v)).collect()
}

fn of_variable(evidence: &Evidence<'_>, variable: usize) -> Finding {
    let name = evidence.name(variable);
    let finding = Finding::about("tails", &[name]);
    let Some(TailShape { skewness, excess_kurtosis, largest }) = shape(evidence, variable) else {
        return finding.judged(Verdict::Fine, "nothing is left to look at");
    };
    let finding = finding
        .with("skewness", skewness)
        .with("excess_kurtosis", excess_kurtosis)
        .with("largest", largest);
    // Standard errors of Gaussian noise: √(6/n) and √(24/n).
    let chance = CLEAR * (6.0 / evidence.rows_of(variable)).sqrt();
    if excess_kurtosis > HEAVY.max(2.0 * chance) {
        let words = format!(
            "outliers in the noise of `{name}` (the largest is {largest:.0} standard deviations): weights may hang on few values"
        );
        return finding.judged(Verdict::Doubtful, words);
    }
    if skewness.abs() > SKEWNESS_THAT_MATTERS.max(chance) {
        let words = format!("the noise of `{name}` is far from symmetric: p-values are less sure");
        return finding.judged(Verdict::Doubtful, words);
    }
    finding.judged(Verdict::Fine, "no outliers, much the same to both sides")
}

/// How residuals are distributed.
pub(super) struct TailShape {
    pub skewness: f64,
    pub excess_kurtosis: f64,
    /// The largest in standard deviations.
    pub largest: f64,
}

/// The shape of a variable's residuals; none where nothing is left.
pub(super) fn shape(evidence: &Evidence<'_>, variable: usize) -> Option<TailShape> {
    let u = evidence.residuals(variable);
    let mean = evidence.mean(variable, u.iter().copied());
    let power = |k: i32| evidence.mean(variable, u.iter().map(|u| (u - mean).powi(k)));
    let variance = power(2);
    let rows = u.iter().zip(evidence.there(variable));
    let largest = rows.map(|(u, there)| there * (u - mean).abs()).fold(0.0, f64::max);
    let found = TailShape {
        skewness: power(3) / variance.powf(1.5),
        excess_kurtosis: power(4) / variance.powi(2) - 3.0,
        largest: largest / variance.sqrt(),
    };
    (variance > 1e-24 && found.excess_kurtosis.is_finite()).then_some(found)
}
