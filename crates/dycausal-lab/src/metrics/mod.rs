//! How far an estimated graph is from the true one.
//!
//! Every score is defined once, in [`Score`]. A ratio of 0 to 0 is not defined: `None`, `null` in
//! JSON, and left out of means over steps. So with an empty truth and an empty estimate F1 is
//! `None` and SHD 0; with an empty truth alone F1 and precision are 0 and TPR `None`; with an
//! empty estimate alone F1 and TPR are 0 and precision `None`.

mod cells;
mod majority;
mod measure;
mod places;
mod ranking;

pub use majority::majority;
pub use measure::Score;
pub use places::{LagAreas, RankingScores, score_ranking};
pub use ranking::{Areas, rank};

use std::collections::HashSet;

use dycausal::DynamicGraph;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use cells::{Pairing, Part};
use measure::measure;

/// What counts as an edge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// |weight| above which there is an edge, in the truth and in the estimate alike.
    pub threshold: f64,
    /// Whether a variable's lagged effect on itself counts.
    pub diagonal: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { threshold: 0.3, diagonal: true }
    }
}

/// Means over the steps at which a score is defined; `None` where it never is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Average {
    /// Mean true positive rate.
    pub tpr: Option<f64>,
    /// Mean false positive rate.
    pub fpr: Option<f64>,
    /// Mean precision.
    pub precision: Option<f64>,
    /// Mean recall.
    pub recall: Option<f64>,
    /// Mean F1.
    pub f1: Option<f64>,
    /// Mean structural Hamming distance.
    pub shd: Option<f64>,
    /// Mean area under the receiver operating characteristic.
    pub auroc: Option<f64>,
    /// Mean average precision.
    pub auprc: Option<f64>,
    /// Mean root mean square error of weights.
    pub weight_rmse: Option<f64>,
    /// Mean root mean square error of the weights of true edges.
    pub edge_weight_rmse: Option<f64>,
}

/// Scores of one kind of edge: all, instantaneous, or lagged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartScores {
    /// Means over steps.
    pub average: Average,
    /// The graph over lags, over all time: an edge is there if it is at any step.
    pub window: Score,
    /// The graph over variables: an edge is there if it is at any step and lag.
    pub summary: Score,
    /// The graph of every step.
    pub steps: Vec<Score>,
}

/// All scores of an estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// What counted as an edge.
    pub options: Options,
    /// Edges of every lag.
    pub all: PartScores,
    /// Edges within a step.
    pub instantaneous: PartScores,
    /// Edges from earlier steps.
    pub lagged: PartScores,
}

/// Scores an estimate; the cost grows with the edges of both graphs, not with d² T.
///
/// Cells are the places (lag, from, to) at lags 0 to the longer of the two graphs' lags; a
/// variable's instantaneous effect on itself is none.
///
/// # Errors
/// If the graphs have different variables or numbers of steps, or the threshold is negative or
/// not a number.
pub fn score(truth: &DynamicGraph, estimate: &DynamicGraph, options: Options) -> Result<Scores> {
    check(truth, estimate, options)?;
    let pairing = Pairing::new(truth, estimate, options.diagonal);
    let part = |part: Part| part_scores(&pairing, part, truth.steps(), options.threshold);
    Ok(Scores {
        options,
        all: part(Part::All),
        instantaneous: part(Part::Instantaneous),
        lagged: part(Part::Lagged),
    })
}

fn part_scores(pairing: &Pairing<'_>, part: Part, steps: usize, threshold: f64) -> PartScores {
    let each = (0..steps).into_par_iter();
    let steps: Vec<Score> = each.map(|t| measure(&pairing.at(part, t), threshold)).collect();
    PartScores {
        average: average(&steps),
        window: measure(&pairing.window(part), threshold),
        summary: measure(&pairing.summary(part), threshold),
        steps,
    }
}

fn average(steps: &[Score]) -> Average {
    let mean = |of: fn(&Score) -> Option<f64>| {
        let defined: Vec<f64> = steps.iter().filter_map(of).collect();
        (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / defined.len() as f64)
    };
    Average {
        tpr: mean(|s| s.tpr),
        fpr: mean(|s| s.fpr),
        precision: mean(|s| s.precision),
        recall: mean(|s| s.recall),
        f1: mean(|s| s.f1),
        shd: mean(|s| Some(s.shd as f64)),
        auroc: mean(|s| s.auroc),
        auprc: mean(|s| s.auprc),
        weight_rmse: mean(|s| s.weight_rmse),
        edge_weight_rmse: mean(|s| s.edge_weight_rmse),
    }
}

fn check(truth: &DynamicGraph, estimate: &DynamicGraph, options: Options) -> Result<()> {
    check_threshold(options)?;
    let different = |what: &str, found: usize, expected: usize| {
        let expected = format!("{expected}, as in the truth");
        Err(dycausal::Error::shape(format!("{what} of the estimate"), found, expected).into())
    };
    if truth.variables() != estimate.variables() {
        return different("variables", estimate.variables(), truth.variables());
    }
    if truth.steps() != estimate.steps() {
        return different("steps", estimate.steps(), truth.steps());
    }
    same_order(truth.names(), estimate.names())
}

fn check_threshold(options: Options) -> Result<()> {
    if options.threshold >= 0.0 && options.threshold.is_finite() {
        return Ok(());
    }
    Err(Error::parameter("threshold", options.threshold, "a number, 0 or more"))
}

/// Refuses the truth's names in another order; other names may stand for the same variables.
fn same_order(truth: &[String], estimate: &[String]) -> Result<()> {
    let known: HashSet<&String> = truth.iter().collect();
    if truth == estimate || !estimate.iter().all(|name| known.contains(name)) {
        return Ok(());
    }
    let (found, expected) = (estimate.join(", "), truth.join(", "));
    let expected = format!("the order of the truth: {expected}");
    Err(dycausal::Error::shape("variables of the estimate", found, expected).into())
}

#[cfg(test)]
mod tests;
