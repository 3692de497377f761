//! Scores that do not depend on a threshold for the estimate.

use serde::{Deserialize, Serialize};

use super::cells::Cells;

/// Cells of one absolute estimate: how many are true edges, and how many are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tie {
    positives: u64,
    negatives: u64,
}

/// Ties by falling absolute estimate; cells that no graph lists come last, in the tie of 0.
pub(super) fn curve(cells: &Cells, threshold: f64) -> Vec<Tie> {
    let ranked = |cell: &super::cells::Cell| (cell.estimate.abs(), cell.truth.abs() > threshold);
    let mut ranked: Vec<(f64, bool)> = cells.listed.iter().map(ranked).collect();
    let mut ties = falling(&mut ranked);
    let unlisted = cells.total - cells.listed.len() as u64;
    match ties.last_mut() {
        Some(last) if ranked.last().is_some_and(|cell| cell.0 == 0.0) => last.negatives += unlisted,
        _ => ties.push(Tie { positives: 0, negatives: unlisted }),
    }
    ties
}

/// Ties of (score, whether it is true) by falling score.
fn falling(ranked: &mut [(f64, bool)]) -> Vec<Tie> {
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let tie = |tie: &[(f64, bool)]| {
        let positives = tie.iter().filter(|cell| cell.1).count() as u64;
        Tie { positives, negatives: tie.len() as u64 - positives }
    };
    ranked.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()).map(tie).collect()
}

/// How well a ranking finds what is true.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Areas {
    /// As [`super::Score::auroc`].
    pub auroc: Option<f64>,
    /// As [`super::Score::auprc`].
    pub auprc: Option<f64>,
    /// The largest F1 of any threshold; `None` without anything true.
    pub best_f1: Option<f64>,
}

/// Ranks places by falling score; each comes with whether it is true.
pub fn rank(scored: &[(f64, bool)]) -> Areas {
    let ties = falling(&mut scored.to_vec());
    Areas { auroc: auroc(&ties), auprc: average_precision(&ties), best_f1: best_f1(&ties) }
}

/// max_k 2 TP_k / (taken_k + positives).
fn best_f1(ties: &[Tie]) -> Option<f64> {
    let positives: u64 = ties.iter().map(|tie| tie.positives).sum();
    let (mut found, mut taken, mut best) = (0u64, 0u64, 0.0f64);
    for tie in ties {
        found += tie.positives;
        taken += tie.positives + tie.negatives;
        best = best.max(2.0 * found as f64 / (taken + positives) as f64);
    }
    (positives > 0).then_some(best)
}

/// The area under the receiver operating characteristic, ties counted half.
pub(super) fn auroc(ties: &[Tie]) -> Option<f64> {
    let (mut above, mut won) = (0u64, 0.0);
    for tie in ties {
        won += tie.negatives as f64 * (above as f64 + tie.positives as f64 / 2.0);
        above += tie.positives;
    }
    let negatives: u64 = ties.iter().map(|tie| tie.negatives).sum();
    (above > 0 && negatives > 0).then(|| won / (above as f64 * negatives as f64))
}

/// Σ_k (R_k - R_{k-1}) P_k, as scikit-learn's `average_precision_score`.
pub(super) fn average_precision(ties: &[Tie]) -> Option<f64> {
    let positives: u64 = ties.iter().map(|tie| tie.positives).sum();
    let (mut found, mut taken, mut sum) = (0u64, 0u64, 0.0);
    for tie in ties.iter().filter(|tie| tie.positives + tie.negatives > 0) {
        found += tie.positives;
        taken += tie.positives + tie.negatives;
        sum += tie.positives as f64 * found as f64 / taken as f64;
    }
    (positives > 0).then(|| sum / positives as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_ranking_has_full_marks_and_ties_count_half() {
        let perfect = rank(&[(3.0, true), (2.0, true), (0.5, false), (0.0, false)]);
        assert_eq!(
            (perfect.auroc, perfect.auprc, perfect.best_f1),
            (Some(1.0), Some(1.0), Some(1.0))
        );
        let nothing = rank(&[(0.0, true), (0.0, false), (0.0, false), (0.0, false)]);
        // Taking all four: precision 1/4, recall 1.
        assert_eq!((nothing.auroc, nothing.best_f1), (Some(0.5), Some(0.4)));
        assert_eq!(rank(&[(1.0, false)]), Areas { auroc: None, auprc: None, best_f1: None });
    }
}
