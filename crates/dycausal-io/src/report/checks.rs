//! What the residuals say, as the page draws it: verdicts and words are made where they are computed.

use dycausal::Diagnostics;
use dycausal::diagnostics::{Figures, Finding, Pair, Verdict, not_linear};
use serde::Serialize;

use super::Report;

/// Checks without the findings of variables that are fine.
#[derive(Debug, Serialize)]
pub(super) struct Checks {
    /// All of it in one line.
    summary: String,
    /// How many rows were looked at.
    rows: usize,
    /// Where the graph predicts worse than the mean: to be said first.
    alarms: Vec<String>,
    findings: Vec<Finding>,
    variables: Vec<Figures>,
    pairs: Vec<Pair>,
}

/// What the run found, or what is found now where it has no checks and the data are at hand.
pub(super) fn checks(report: &Report<'_>, notes: &mut Vec<String>) -> Option<Checks> {
    if let Some(found) = &report.record.diagnostics {
        return Some(shown(found.clone()));
    }
    let panel = report.panel?;
    if let Some(model) = not_linear(report.graph, &report.record.parameters) {
        notes.push(format!(
            "No residual checks: in the model `{model}` weights are strengths, not linear effects."
        ));
        return None;
    }
    match Diagnostics::of(report.graph, panel) {
        Ok(found) => Some(shown(found)),
        Err(reason) => {
            notes.push(format!("No residual checks: {reason}."));
            None
        }
    }
}

fn shown(found: Diagnostics) -> Checks {
    let alarms = found.worse_than_mean();
    let Diagnostics { summary, rows, mut findings, variables, pairs, .. } = found;
    findings.retain(|finding| finding.verdict > Verdict::Fine || finding.variables.is_empty());
    Checks { summary, rows, alarms, findings, variables, pairs }
}
