//! How much of rows that were left out do the listed causes explain?
//!
//! Rows are split in five: by series from ten series on, else by stretches of time. For each fifth
//! the weights are estimated anew by least squares on the other four, with the graph's own basis,
//! and 1 − Σ (y − ŷ)² / Σ y² is summed over the fifths that were predicted.

use super::evidence::Evidence;
use super::explained::{WORSE, overall};
use super::finding::{Finding, Verdict, percent};
use super::regression::by_fold;
use crate::design::{FOLDS, Folds};
use crate::regression::NormalEquations;

/// Folds in which the mean has to win before the graph is called worse.
const MOST_FOLDS: usize = 4;

/// Share of the largest square that keeps regressors that depend on each other from having no weights.
const RIDGE: f64 = 1e-8;

/// The name of the check.
pub(super) const NAME: &str = "held out";

/// What a variable's causes explain of rows that were left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Held {
    /// 1 − Σ (y − ŷ)² / Σ y².
    pub share: f64,
    /// In how many of the five folds the mean predicts better.
    pub worse: usize,
}

/// Predicts each fifth of a variable's rows from the others; none without causes, or where that
/// would take too long.
pub(super) fn predict(evidence: &Evidence<'_>, to: usize) -> Option<Held> {
    let folds = Folds::of(evidence.columns.series(), evidence.columns.steps());
    let parts = by_fold(evidence, to, &folds)?;
    let mut total = NormalEquations::empty(parts.first()?.size());
    for part in &parts {
        total.add(part, 1.0);
    }
    let all: Vec<usize> = (0..total.size()).collect();
    let (mut missed, mut before, mut worse) = (0.0, 0.0, 0);
    for part in &parts {
        let mut others = total.clone();
        others.add(part, -1.0);
        let (error, square) = (part.squares(&others.coefficients(&all, RIDGE)?), part.square());
        worse += usize::from(error > square);
        missed += error;
        before += square;
    }
    let share = 1.0 - missed / before;
    share.is_finite().then_some(Held { share, worse })
}

/// One finding per variable with causes, and one for the graph.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    let held = &evidence.held_out;
    let of_variable = |(v, held): (usize, &Option<Held>)| {
        let held = (*held)?;
        let name = evidence.name(v);
        let finding = Finding::about(NAME, &[name])
            .with("share", held.share)
            .with("folds_worse", held.worse as f64);
        Some(judge(finding, held, name))
    };
    let mut found: Vec<Finding> = held.iter().enumerate().filter_map(of_variable).collect();
    if let Some(share) = overall_share(evidence) {
        let words = format!("explained {} of rows that were left out", percent(share));
        let finding = Finding::about(NAME, &[]).with("share", share);
        let verdict = if share < WORSE { Verdict::Bad } else { Verdict::Fine };
        found.push(finding.judged(verdict, words));
    }
    found
}

fn judge(finding: Finding, held: Held, name: &str) -> Finding {
    let share = percent(held.share);
    if held.share >= WORSE {
        return finding.judged(Verdict::Fine, format!("explained {share} of rows left out"));
    }
    let words = format!(
        "the causes of `{name}` predict rows that were left out worse than its mean (explained {share} of them, worse in {} of {FOLDS} parts)",
        held.worse
    );
    let clear = held.worse >= MOST_FOLDS;
    finding.judged(if clear { Verdict::Bad } else { Verdict::Doubtful }, words)
}

/// The mean over variables, where those without causes count 0; none where nothing was predicted.
pub(super) fn overall_share(evidence: &Evidence<'_>) -> Option<f64> {
    let known = |to: usize| evidence.held_out[to].is_some() || evidence.causes(to).is_empty();
    let any = evidence.held_out.iter().any(Option::is_some);
    let all = any && (0..evidence.variables()).all(known);
    let shares = evidence.held_out.iter().map(|held| held.map_or(0.0, |held| held.share));
    all.then(|| overall(shares))
}
