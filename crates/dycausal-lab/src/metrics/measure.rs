//! Every score, defined once, on the cells of one graph.

use serde::{Deserialize, Serialize};

use super::cells::{Cell, Cells};
use super::ranking;

/// Scores of one estimated graph against the true one.
///
/// With TP, FP, FN and TN cells; a ratio of 0 to 0 is not defined, and `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// TP: edges in both.
    pub true_positives: u64,
    /// FP: edges in the estimate alone.
    pub false_positives: u64,
    /// FN: edges in the truth alone.
    pub false_negatives: u64,
    /// TN: edges in neither.
    pub true_negatives: u64,
    /// Instantaneous pairs that have one edge in each graph, the other way round; both cells are
    /// mistakes (one FP, one FN).
    pub reversed: u64,
    /// True positive rate, the same as recall: TP / (TP + FN).
    pub tpr: Option<f64>,
    /// False positive rate: FP / (FP + TN).
    pub fpr: Option<f64>,
    /// TP / (TP + FP).
    pub precision: Option<f64>,
    /// TP / (TP + FN).
    pub recall: Option<f64>,
    /// 2 TP / (2 TP + FP + FN).
    pub f1: Option<f64>,
    /// Structural Hamming distance: FP + FN - reversed.
    pub shd: u64,
    /// P(|estimate| of a true edge > that of a non-edge) + P(equal)/2; `None` without both kinds.
    pub auroc: Option<f64>,
    /// Average precision Σ_k (R_k - R_{k-1}) P_k over falling thresholds on |estimate|; `None`
    /// without a true edge.
    pub auprc: Option<f64>,
    /// √ of the mean over all cells of (estimate - truth)²; `None` without cells.
    pub weight_rmse: Option<f64>,
    /// The same over the true edges alone.
    pub edge_weight_rmse: Option<f64>,
}

/// Scores the cells; an edge is where the absolute weight is above `threshold`.
pub(super) fn measure(cells: &Cells, threshold: f64) -> Score {
    let is_edge = |weight: f64| weight.abs() > threshold;
    let count = |truth: bool, estimate: bool| {
        let same =
            |cell: &&Cell| is_edge(cell.truth) == truth && is_edge(cell.estimate) == estimate;
        cells.listed.iter().filter(same).count() as u64
    };
    let (tp, fp, fn_) = (count(true, true), count(false, true), count(true, false));
    let tn = cells.total - tp - fp - fn_;
    let reversed = if cells.reversible { reversed(&cells.listed, threshold) } else { 0 };
    let ranks = ranking::curve(cells, threshold);
    let (all, edges) = squared_errors(&cells.listed, threshold);
    Score {
        true_positives: tp,
        false_positives: fp,
        false_negatives: fn_,
        true_negatives: tn,
        reversed,
        tpr: ratio(tp, tp + fn_),
        fpr: ratio(fp, fp + tn),
        precision: ratio(tp, tp + fp),
        recall: ratio(tp, tp + fn_),
        f1: ratio(2 * tp, 2 * tp + fp + fn_),
        shd: fp + fn_ - reversed,
        auroc: ranking::auroc(&ranks),
        auprc: ranking::average_precision(&ranks),
        weight_rmse: (cells.total > 0).then(|| (all / cells.total as f64).sqrt()),
        edge_weight_rmse: (tp + fn_ > 0).then(|| (edges / (tp + fn_) as f64).sqrt()),
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Pairs with exactly one edge in the truth and exactly its reverse in the estimate.
fn reversed(cells: &[Cell], threshold: f64) -> u64 {
    let within = &cells[..cells.partition_point(|cell| cell.lag == 0)];
    let edges = |from: usize, to: usize| {
        let found = within.binary_search_by_key(&(from, to), |cell| (cell.from, cell.to));
        found.map_or((false, false), |at| {
            (within[at].truth.abs() > threshold, within[at].estimate.abs() > threshold)
        })
    };
    let turned = |cell: &&Cell| {
        edges(cell.from, cell.to) == (true, false) && edges(cell.to, cell.from) == (false, true)
    };
    within.iter().filter(turned).count() as u64
}

/// Σ (estimate - truth)² over all cells, and over true edges.
fn squared_errors(cells: &[Cell], threshold: f64) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for cell in cells {
        let square = (cell.estimate - cell.truth).powi(2);
        sums.0 += square;
        if cell.truth.abs() > threshold {
            sums.1 += square;
        }
    }
    sums
}
