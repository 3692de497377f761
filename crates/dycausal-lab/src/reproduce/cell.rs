//! The smallest piece of an experiment: one method on one simulation.

use std::time::Instant;

use dycausal::basis::Shape;
use dycausal::{Basis, Cancel, DyCausal, DynamicGraph, Path, Run, find};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::ORACLE;
use super::limit::within;
use super::spec::Parameters;
use crate::error::Result;
use crate::metrics::{Average, Options, PartScores, Score, majority, score};
use crate::oracle;
use crate::simulate::{Simulated, Simulation};

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
    /// All of its parameters.
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

/// One score of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `all`, `instantaneous` or `lagged`.
    pub edges: String,
    /// `t=1`, `mean` or `still`.
    pub at: String,
    /// The score.
    pub metric: String,
    /// Its value; shares are in percent.
    pub value: f64,
}

/// What came out of a cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The scores; those that are not defined are left out.
    pub scores: Vec<Entry>,
    /// Seconds of the fit, on one thread.
    pub seconds: f64,
    /// Why there are no scores.
    #[serde(default)]
    pub failure: Option<String>,
    /// After how many seconds the fit was given up.
    #[serde(default)]
    pub given_up: Option<f64>,
    /// h in the course of the fit, where it was asked for.
    #[serde(default)]
    pub trace: Vec<f64>,
}

impl Cell {
    /// Simulates, fits and scores; a method or a simulation that fails is an outcome too.
    ///
    /// # Errors
    /// If the run was cancelled.
    pub(super) fn run(&self, run: &Run, seconds: f64) -> Result<Outcome> {
        let failed = |why: String| Ok(Outcome { failure: Some(why), ..Outcome::default() });
        let drawn = match self.simulation.draw(self.seed) {
            Ok(drawn) => drawn,
            Err(error) => return failed(format!("not simulated: {error}")),
        };
        let begun = Instant::now();
        let fitted = within(seconds, run, |cancel| self.fit(&drawn, cancel));
        let seconds_taken = begun.elapsed().as_secs_f64();
        run.proceed()?;
        let (graph, path) = match fitted {
            Ok(fitted) => fitted,
            Err(_) if seconds_taken >= seconds => {
                return Ok(Outcome {
                    failure: Some(format!("given up after {seconds} s")),
                    given_up: Some(seconds),
                    ..Outcome::default()
                });
            }
            Err(error) => return failed(error.to_string()),
        };
        match self.score(&drawn, &graph) {
            Ok(mut scores) => {
                scores.extend(self.along(&path));
                let trace = path.cyclicity;
                Ok(Outcome { scores, seconds: seconds_taken, trace, ..Outcome::default() })
            }
            Err(error) => failed(error.to_string()),
        }
    }

    fn fit(&self, drawn: &Simulated, cancel: Cancel) -> Result<(DynamicGraph, Path)> {
        if self.method == ORACLE {
            let size = self.parameters.get("basis_size").and_then(Value::as_u64).unwrap_or(5);
            let size = usize::try_from(size).unwrap_or(5);
            let (steps, lag) = (drawn.panel.steps(), drawn.truth.lag());
            let shape = if self.still { Shape::Constant } else { Shape::Legendre { size } };
            let basis = Basis::new(shape, steps, lag)?;
            return Ok((oracle(&drawn.truth, &drawn.panel, &basis)?, Path::default()));
        }
        // The seed of the method is not that of the data: a search that began with the same random
        // numbers could begin at the truth.
        let mut run = Run::new(self.seed + 7919).with_threads(1)?.with_cancel(cancel);
        let methods = dycausal_baselines::all_methods();
        let (method, all) = find(&methods, &self.method)?.build(&self.parameters)?;
        if self.trace && self.method == "dycausal" {
            let published: std::result::Result<DyCausal, _> =
                serde_json::from_value(Value::Object(all));
            if let Ok(published) = published {
                let fitted = published.fit(&drawn.panel, &mut run)?;
                return Ok((fitted.graph, fitted.path));
            }
        }
        Ok((method.discover(&drawn.panel, &mut run)?, Path::default()))
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
        let entry = |(metric, value): (&str, f64)| Entry {
            edges: "all".into(),
            at: at.into(),
            metric: metric.into(),
            value,
        };
        figures.into_iter().map(entry).collect()
    }

    /// The estimate alone, in the units the data had before they were standardised.
    pub(super) fn estimate(&self, drawn: &Simulated, run: &Run) -> Result<DynamicGraph> {
        let (graph, _) = within(f64::INFINITY, run, |cancel| self.fit(drawn, cancel))?;
        drawn.in_own_units(&graph)
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
                let (edges, at, metric) = (edges.to_owned(), at.to_owned(), metric.to_owned());
                value.map(|value| Entry { edges, at, metric, value })
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
