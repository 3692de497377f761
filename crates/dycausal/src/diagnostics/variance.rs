//! Does the noise change in size over time?
//!
//! Absolute residuals in eight stretches of time, by analysis of variance (Levene's test):
//! F = \[Σ_b n_b (m_b − m)² / (B − 1)\] / \[Σ_b Σ (|u| − m_b)² / (n − B)\].

use std::ops::Range;

use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::evidence::Evidence;
use super::finding::{Finding, Verdict};
use crate::design::Partition;
use crate::thresholds::P_WORTH_A_WORD;

/// Stretches of time that are compared.
const STRETCHES: usize = 8;
/// Rows in each, at least.
const ROWS_PER_STRETCH: f64 = 20.0;
/// By what factor standard deviations have to differ to be worth a word.
const CLEAR: f64 = 1.5;

/// One finding per variable.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    (0..evidence.variables()).into_par_iter().map(|v| of_variable(evidence, v)).collect()
}

fn of_variable(evidence: &Evidence<'_>, variable: usize) -> Finding {
    let name = evidence.name(variable);
    let finding = Finding::about("variance", &[name]);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let supported = (evidence.rows_of(variable) / ROWS_PER_STRETCH) as usize;
    let stretches = STRETCHES.min(evidence.columns.steps()).min(supported);
    let parts: Vec<Stretch> = in_stretches(evidence, variable, stretches)
        .into_iter()
        .filter(|part| part.rows > 1.0)
        .collect();
    let Some((statistic, p)) = levene(&parts) else {
        return finding.judged(Verdict::Fine, "too few rows to tell");
    };
    let sd = |part: &Stretch| evidence.columns.scale()[variable] * part.sd();
    let low = parts.iter().map(sd).fold(f64::INFINITY, f64::min);
    let high = parts.iter().map(sd).fold(0.0, f64::max);
    let adjusted = (p * evidence.variables() as f64).min(1.0);
    let finding = finding
        .with("statistic", statistic)
        .with("smallest_sd", low)
        .with("largest_sd", high)
        .with_p(adjusted);
    if adjusted < P_WORTH_A_WORD && high > CLEAR * low {
        let words = format!(
            "the noise of `{name}` changes in size over time (sd {low:.3} to {high:.3}): bands and p-values are less sure where it is large"
        );
        return finding.judged(Verdict::Doubtful, words);
    }
    finding.judged(Verdict::Fine, "noise of much the same size at all times")
}

/// Sums over the rows of one stretch of time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stretch {
    /// How many rows are whole.
    pub rows: f64,
    absolute: f64,
    squares: f64,
}

impl Stretch {
    /// √(Σ u² / n).
    pub fn sd(&self) -> f64 {
        (self.squares / self.rows).sqrt()
    }
}

/// Residuals of a variable, summed in so many stretches of time.
pub(super) fn in_stretches(
    evidence: &Evidence<'_>,
    variable: usize,
    stretches: usize,
) -> Vec<Stretch> {
    let (steps, series) = (evidence.columns.steps(), evidence.columns.series());
    let u = evidence.residuals(variable);
    let sum = |steps: Range<usize>| {
        let rows = steps.start * series..steps.end * series;
        let there = &evidence.there(variable)[rows.clone()];
        let mut part = Stretch { rows: there.iter().sum(), ..Stretch::default() };
        for u in &u[rows] {
            part.absolute += u.abs();
            part.squares += u * u;
        }
        part
    };
    Partition::stretches(stretches, steps).ranges().take(stretches).map(sum).collect()
}

/// F and its p-value; none where there is nothing to compare.
fn levene(parts: &[Stretch]) -> Option<(f64, f64)> {
    let rows: f64 = parts.iter().map(|part| part.rows).sum();
    let mean = parts.iter().map(|part| part.absolute).sum::<f64>() / rows;
    let gap = |part: &Stretch| part.rows * (part.absolute / part.rows - mean).powi(2);
    let spread = |part: &Stretch| part.squares - part.absolute * part.absolute / part.rows;
    let between = parts.iter().map(gap).sum::<f64>();
    let within = parts.iter().map(spread).sum::<f64>();
    let (above, below) = (parts.len() as f64 - 1.0, rows - parts.len() as f64);
    let statistic = (between / above) / (within / below);
    let law = FisherSnedecor::new(above, below).ok()?;
    statistic.is_finite().then(|| (statistic, law.sf(statistic)))
}
