//! How much of the variance do the causes explain, by the weights of the graph?
//!
//! 1 − Σ u² / Σ y²: 0 is what the mean explains, and below it the graph does harm.

use rayon::prelude::*;

use super::evidence::Evidence;
use super::finding::{Finding, Verdict, percent};

/// Shares this far below 0 are worse than the mean; above that it is the last digits.
pub(super) const WORSE: f64 = -0.01;

/// The name of the check.
pub(super) const NAME: &str = "explained";

/// One finding per variable, and one for the graph.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    let variables = (0..evidence.variables()).into_par_iter();
    let shares: Vec<f64> = variables.map(|v| share(evidence, v)).collect();
    let of_variable = |v: usize| {
        let name = evidence.name(v);
        let finding = Finding::about(NAME, &[name]).with("share", shares[v]);
        judge(finding, shares[v], &format!("`{name}`"), "its mean")
    };
    let overall = overall(shares.iter().copied());
    let graph = Finding::about(NAME, &[]).with("share", overall);
    let graph = judge(graph, overall, "the variables together", "their means");
    (0..shares.len()).map(of_variable).chain([graph]).collect()
}

fn judge(finding: Finding, share: f64, whom: &str, mean: &str) -> Finding {
    if share < WORSE || share.is_nan() {
        let words =
            format!("the graph predicts {whom} worse than {mean} (explained {})", percent(share));
        return finding.judged(Verdict::Bad, words);
    }
    finding.judged(Verdict::Fine, format!("explained {}", percent(share)))
}

/// The share of one variable.
pub(super) fn share(evidence: &Evidence<'_>, variable: usize) -> f64 {
    let left = evidence.mean(variable, evidence.residuals(variable).iter().map(|u| u * u));
    let before = evidence.mean(variable, evidence.values(variable, 0).iter().map(|y| y * y));
    1.0 - left / before
}

/// The mean share: every variable counts in units of its own standard deviation.
pub(super) fn overall(shares: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = shares.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
    sum / count
}
