//! The smallest piece of an experiment: one method on one simulation.

use dycausal::DynamicGraph;
use dycausal_published::optimise::Path;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::metrics::{Average, Options, PartScores, Score, majority, score};
use crate::simulate::{Simulated, Simulation};
use crate::study::{Entry, Outcome, Parameters};

/// Everything that determines what comes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// What is simulated.
    pub simulation: Simulation,
    /// The seed of the simulation and of the method.
    pub seed: u64,
    /// The method.
    pub method: String,
    /// Its parameters, where they are not its defaults: one that is added later changes no cell.
    pub parameters: Parameters,
    /// |weight| above which there is an edge.
    pub threshold: f64,
    /// Steps that are scored, from 1.
    pub times: Vec<usize>,
    /// Whether the edges found at most steps are the estimate.
    pub still: bool,
    /// Whether only the lags of the truth are scored.
    pub true_lags_only: bool,
    /// Whether the fall of cyclicity is kept.
    pub trace: bool,
    /// Which state of the method it is.
    pub version: u32,
}

impl Cell {
    /// What came out, where cells share a fit: of this one, from the graph for its threshold.
    pub(super) fn outcome(&self, drawn: &Simulated, graph: &DynamicGraph, path: &Path) -> Outcome {
        match self.score(drawn, graph) {
            Ok(mut scores) => {
                scores.extend(self.along(path));
                Outcome { scores, trace: path.cyclicity.clone(), ..Outcome::default() }
            }
            Err(error) => Outcome::failed(error),
        }
    }

    /// What a path has to say beside its trace; nothing where it was not kept.
    fn along(&self, path: &Path) -> Vec<Entry> {
        let Some(last) = path.cyclicity.last() else { return Vec::new() };
        let figures = [
            ("steps", path.iterations as f64),
            ("roll-backs", path.rollbacks as f64),
            ("log10 h", last.max(f64::MIN_POSITIVE).log10()),
        ];
        let at = if self.still { "still" } else { "mean" };
        figures.map(|(metric, value)| Entry::new("all", at, metric, value)).to_vec()
    }

    fn score(&self, drawn: &Simulated, graph: &DynamicGraph) -> Result<Vec<Entry>> {
        let options = Options { threshold: self.threshold, ..Options::default() };
        let truth = drawn.in_own_units(&drawn.truth)?;
        let mut estimate = drawn.in_own_units(graph)?;
        if self.true_lags_only {
            let kept = estimate.edges().iter().filter(|edge| edge.lag <= truth.lag());
            estimate = estimate.with_edges(kept.cloned().collect())?;
            estimate = with_lag(&estimate, truth.lag())?;
        }
        if self.still {
            estimate = majority(&estimate)?;
        }
        let scores = score(&truth, &estimate, options)?;
        let parts = [
            ("all", &scores.all),
            ("instantaneous", &scores.instantaneous),
            ("lagged", &scores.lagged),
        ];
        let entries = parts.iter().flat_map(|(edges, part)| self.entries(edges, part));
        Ok(entries.collect())
    }

    fn entries(&self, edges: &str, part: &PartScores) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut push = |at: &str, values: [(&str, Option<f64>); 8]| {
            let entry = |(metric, value): (&str, Option<f64>)| {
                value.map(|value| Entry::new(edges, at, metric, value))
            };
            entries.extend(values.into_iter().filter_map(entry));
        };
        if self.still {
            push("still", of_step(&part.steps[0]));
            return entries;
        }
        for time in &self.times {
            if let Some(step) = part.steps.get(time.saturating_sub(1)) {
                push(&format!("t={time}"), of_step(step));
            }
        }
        push("mean", of_average(&part.average));
        entries
    }
}

fn with_lag(graph: &DynamicGraph, lag: usize) -> Result<DynamicGraph> {
    let (names, times) = (graph.names().to_vec(), graph.times().clone());
    let edges = graph.edges().to_vec();
    let shorter = DynamicGraph::new(names, times, lag, graph.basis().clone(), edges)?;
    match graph.scale() {
        Some(scale) => Ok(shorter.with_scale(scale.to_vec())?),
        None => Ok(shorter),
    }
}

fn percent(share: Option<f64>) -> Option<f64> {
    share.map(|share| 100.0 * share)
}

fn of_step(score: &Score) -> [(&'static str, Option<f64>); 8] {
    [
        ("F1", percent(score.f1)),
        ("TPR", percent(score.tpr)),
        ("FPR", percent(score.fpr)),
        ("precision", percent(score.precision)),
        ("SHD", Some(score.shd as f64)),
        ("AUROC", percent(score.auroc)),
        ("AUPRC", percent(score.auprc)),
        ("RMSE", score.weight_rmse),
    ]
}

fn of_average(score: &Average) -> [(&'static str, Option<f64>); 8] {
    [
        ("F1", percent(score.f1)),
        ("TPR", percent(score.tpr)),
        ("FPR", percent(score.fpr)),
        ("precision", percent(score.precision)),
        ("SHD", score.shd),
        ("AUROC", percent(score.auroc)),
        ("AUPRC", percent(score.auprc)),
        ("RMSE", score.weight_rmse),
    ]
}
