//! Do residuals predict those that come after them?
//!
//! Q = Σ_{k ≤ 8} (Σ u_t u_{t−k})² / Σ u_t² u_{t−k}², summed over series and over steps within a
//! series, against χ² with as many degrees of freedom as lags. Each term is its own variance where
//! the noise changes in size, unlike that of Ljung and Box.

use rayon::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::evidence::Evidence;
use super::finding::{Finding, Verdict};

/// Lags looked at, at most.
const LAGS: usize = 8;
/// Rows per lag, at least.
const ROWS_PER_LAG: f64 = 5.0;
/// Autocorrelations that are not worth a word, however many rows prove them.
const NEGLIGIBLE: f64 = 0.05;

/// The name of the check.
pub(super) const NAME: &str = "whiteness";

/// One finding per variable.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    (0..evidence.variables()).into_par_iter().map(|v| of_variable(evidence, v)).collect()
}

fn of_variable(evidence: &Evidence<'_>, variable: usize) -> Finding {
    let name = evidence.name(variable);
    let Portmanteau { statistic, freedom, largest } = portmanteau(evidence, variable);
    let finding = Finding::about(NAME, &[name]).with("lags", freedom);
    if freedom == 0.0 {
        return finding.judged(Verdict::Fine, "too few rows to tell");
    }
    let p = ChiSquared::new(freedom).map_or(1.0, |law| law.sf(statistic));
    let adjusted = (p * evidence.variables() as f64).min(1.0);
    let finding = finding.with("statistic", statistic).with("largest", largest).with_p(adjusted);
    let clear = largest.abs() >= NEGLIGIBLE;
    match Verdict::of_p(adjusted) {
        Verdict::Fine => finding.judged(Verdict::Fine, "no pattern in time is left"),
        _ if !clear => finding.judged(Verdict::Fine, "a pattern in time too weak to matter"),
        verdict => finding.judged(
            verdict,
            format!("the residuals of `{name}` predict those that come after: a lagged cause may be missing, the lag too short, or a season left"),
        ),
    }
}

/// Q, its degrees of freedom, and the largest of the autocorrelations.
pub(super) struct Portmanteau {
    pub statistic: f64,
    pub freedom: f64,
    pub largest: f64,
}

/// Q of a variable.
pub(super) fn portmanteau(evidence: &Evidence<'_>, variable: usize) -> Portmanteau {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let supported = (evidence.rows_of(variable) / ROWS_PER_LAG) as usize;
    let lags = LAGS.min(evidence.columns.steps().saturating_sub(1)).min(supported);
    let variance = variance(evidence, variable);
    let mut found = Portmanteau { statistic: 0.0, freedom: 0.0, largest: 0.0 };
    for lag in 1..=lags {
        let (sum, squares) = products(evidence, variable, lag);
        if squares > 0.0 {
            found.statistic += sum * sum / squares;
            found.freedom += 1.0;
        }
        let pairs = pairs(evidence, variable, lag).unwrap_or(0.0);
        let correlation = Some(sum / pairs / variance).filter(|c| c.is_finite()).unwrap_or(0.0);
        if correlation.abs() > found.largest.abs() {
            found.largest = correlation;
        }
    }
    found
}

/// Σ u_t u_{t−k} and Σ u_t² u_{t−k}².
fn products(evidence: &Evidence<'_>, variable: usize, lag: usize) -> (f64, f64) {
    let u = evidence.residuals(variable);
    let shift = lag * evidence.columns.series();
    let pairs = u[shift..].iter().zip(u);
    pairs.fold((0.0, 0.0), |(sum, squares), (now, before)| {
        let product = now * before;
        (sum + product, squares + product * product)
    })
}

/// The correlation of residuals with those so many steps before; none without such pairs.
pub(super) fn autocorrelation(evidence: &Evidence<'_>, variable: usize, lag: usize) -> Option<f64> {
    let pairs = pairs(evidence, variable, lag)?;
    let sum = products(evidence, variable, lag).0;
    let correlation = sum / pairs / variance(evidence, variable);
    correlation.is_finite().then_some(correlation)
}

/// How many rows have a residual so many steps before; none where no step is so late.
fn pairs(evidence: &Evidence<'_>, variable: usize, lag: usize) -> Option<f64> {
    let shift = lag * evidence.columns.series();
    let there = evidence.there(variable);
    let pairs = there.get(shift..).filter(|later| !later.is_empty())?.iter().zip(there);
    Some(pairs.map(|(now, before)| now * before).sum())
}

fn variance(evidence: &Evidence<'_>, variable: usize) -> f64 {
    evidence.mean(variable, evidence.residuals(variable).iter().map(|u| u * u))
}
