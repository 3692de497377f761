//! Scores that do not depend on a threshold for the estimate.

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
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let mut ties = Vec::new();
    for tie in ranked.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let positives = tie.iter().filter(|cell| cell.1).count() as u64;
        ties.push(Tie { positives, negatives: tie.len() as u64 - positives });
    }
    let unlisted = cells.total - cells.listed.len() as u64;
    match ties.last_mut() {
        Some(last) if ranked.last().is_some_and(|cell| cell.0 == 0.0) => last.negatives += unlisted,
        _ => ties.push(Tie { positives: 0, negatives: unlisted }),
    }
    ties
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
