//! What the residuals say of a graph: checks as data, with verdicts in words.
//!
//! To add a check, write a file like `whiteness.rs` with its formula and a
//! `check(&Evidence) -> Vec<Finding>`, and give it a line in `CHECKS`.

mod dependence;
mod evidence;
mod explained;
mod figures;
mod finding;
#[cfg(test)]
mod golden;
mod held_out;
mod influence;
mod regression;
mod tails;
#[cfg(test)]
mod tests;
mod variance;
mod whiteness;

use std::collections::HashSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use dependence::ASSUMPTION;
pub use figures::{Figures, Pair};
pub use finding::{Finding, Verdict};

use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::panel::Panel;
use crate::run::{Cancel, Run};
use evidence::Evidence;
use finding::percent;

/// Every check, in the order in which they are told.
const CHECKS: [fn(&Evidence<'_>) -> Vec<Finding>; 7] = [
    explained::check,
    held_out::check,
    whiteness::check,
    variance::check,
    tails::check,
    influence::check,
    dependence::check,
];

/// Bad findings of one check that are warned of one by one.
const WARNED: usize = 3;

/// Whether to believe a graph, by what it leaves unexplained.
///
/// ```
/// use dycausal::diagnostics::{Diagnostics, Verdict};
/// use dycausal::graph::{DynamicGraph, Edge, Trajectory};
/// use dycausal::{Basis, Panel, TimeIndex};
/// use ndarray::Array3;
///
/// let noise = |k: usize| (k * k * 7919 % 1009) as f64 / 1009.0 - 0.5;
/// let values = Array3::from_shape_fn((1, 200, 2), |(_, t, v)| match v {
///     1 if t > 0 => noise(t - 1) + 0.2 * noise(t + 500),
///     _ => noise(t),
/// });
/// let panel = Panel::new(values, vec!["a".into(), "b".into()])?;
/// // A weight of the wrong sign.
/// let wrong = Edge::new(0, 1, 1, Trajectory::Constant(-1.0), 200);
/// let (names, times) = (panel.names().to_vec(), panel.times().clone());
/// let graph = DynamicGraph::new(names, times, 1, Basis::constant(200)?, vec![wrong])?;
/// let found = Diagnostics::of(&graph, &panel)?;
/// assert_eq!(found.worst(), Verdict::Bad);
/// assert!(found.warnings()[0].starts_with("the graph predicts `b` worse than its mean"));
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// How many rows were looked at.
    pub rows: usize,
    /// All of it in one line.
    pub summary: String,
    /// The mean share of variance that the graph's weights explain.
    pub explained: Option<f64>,
    /// The same of rows that were left out.
    pub held_out: Option<f64>,
    /// What every check says, of variables, pairs and the graph.
    pub findings: Vec<Finding>,
    /// The numbers of every variable.
    pub variables: Vec<Figures>,
    /// The pairs whose residuals depend most on each other.
    pub pairs: Vec<Pair>,
}

impl Diagnostics {
    /// Checks a graph whose weights are linear effects against the data.
    ///
    /// Rows, means and units are those of a fit with the graph's lag. Above 100 000 rows every so
    /// many-th series is looked at.
    ///
    /// # Errors
    /// If the data have other variables or steps than the graph, no whole row, or a variable that
    /// does not move.
    pub fn of(graph: &DynamicGraph, panel: &Panel) -> Result<Self> {
        Self::unless(graph, panel, &Cancel::default())
    }

    /// The same, until stopping is asked for.
    fn unless(graph: &DynamicGraph, panel: &Panel, cancel: &Cancel) -> Result<Self> {
        let evidence = Evidence::of(graph, panel, cancel)?;
        let mut findings: Vec<Finding> = Vec::new();
        for check in CHECKS {
            cancel.proceed()?;
            findings.extend(check(&evidence));
        }
        let variables: Vec<Figures> = (0..graph.variables())
            .into_par_iter()
            .map(|v| figures::of_variable(&evidence, v))
            .collect();
        let shares = variables.iter().filter_map(|figures| figures.explained);
        let explained = Some(explained::overall(shares)).filter(|share| share.is_finite());
        let held_out = held_out::overall_share(&evidence);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rows = evidence.rows as usize;
        let mut all = Self {
            rows,
            summary: String::new(),
            explained: explained.map(rounded),
            held_out: held_out.map(rounded),
            findings,
            variables,
            pairs: evidence.pairs,
        };
        all.summary = all.in_one_line();
        Ok(all)
    }

    /// Checks what a run has learned and warns the run of what is bad; none where weights are not
    /// linear effects ([`not_linear`]) or the data do not allow it.
    pub fn after_fit(
        graph: &DynamicGraph,
        panel: &Panel,
        parameters: &Map<String, Value>,
        run: &mut Run,
    ) -> Option<Self> {
        if not_linear(graph, parameters).is_some() {
            return None;
        }
        run.stage("checks", None);
        match run.parallel(|| Self::unless(graph, panel, run.cancel())) {
            Ok(found) => {
                found.warnings().into_iter().for_each(|warning| run.warn(warning));
                Some(found)
            }
            Err(reason) => {
                run.warn(format!("the residuals were not checked: {reason}"));
                None
            }
        }
    }

    /// The worst of all verdicts.
    pub fn worst(&self) -> Verdict {
        self.findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::Fine)
    }

    /// What is bad, in words: three of each check one by one, the others counted.
    pub fn warnings(&self) -> Vec<String> {
        let bad = |finding: &&Finding| finding.verdict == Verdict::Bad;
        self.listed(|finding| bad(&finding))
    }

    /// Where the graph predicts worse than the mean does, in words.
    pub fn worse_than_mean(&self) -> Vec<String> {
        let about =
            |finding: &Finding| [explained::NAME, held_out::NAME].contains(&&*finding.check);
        self.listed(|finding| finding.verdict == Verdict::Bad && about(finding))
    }

    /// Variables of which some check is not fine.
    pub fn suspicious(&self) -> usize {
        let doubtful = self.findings.iter().filter(|finding| finding.verdict > Verdict::Fine);
        let alone = doubtful.filter_map(|finding| match &finding.variables[..] {
            [one] => Some(one.as_str()),
            _ => None,
        });
        let doubted: HashSet<&str> = alone.collect();
        self.variables.iter().filter(|figures| doubted.contains(figures.variable.as_str())).count()
    }

    fn listed(&self, wanted: impl Fn(&Finding) -> bool) -> Vec<String> {
        let mut said = Vec::new();
        let mut rest: Vec<&Finding> = self.findings.iter().filter(|found| wanted(found)).collect();
        while let Some(first) = rest.first() {
            let check = first.check.clone();
            let (same, others): (Vec<&Finding>, Vec<&Finding>) =
                rest.into_iter().partition(|finding| finding.check == check);
            said.extend(same.iter().take(WARNED).map(|finding| finding.words.clone()));
            if same.len() > WARNED {
                let more = same.len() - WARNED;
                said.push(format!("{check}: the same of {more} more (`diagnostics` has all)"));
            }
            rest = others;
        }
        said
    }

    fn in_one_line(&self) -> String {
        let (found, all) = (self.suspicious(), self.variables.len());
        let pattern = match found {
            0 => "no variable leaves a pattern in its residuals".to_owned(),
            1 => format!("1 of {all} variables leaves a pattern in its residuals"),
            _ => format!("{found} of {all} variables leave a pattern in their residuals"),
        };
        match (self.explained, self.held_out) {
            (Some(here), Some(there)) => format!(
                "{pattern}; causes explain {} of the variance, {} of rows left out",
                percent(here),
                percent(there)
            ),
            (Some(here), None) => format!("{pattern}; causes explain {}", percent(here)),
            _ => pattern,
        }
    }
}

/// What weights are where they are no linear effects: the model of these parameters, or curves.
///
/// Weights of models that are networks, and of effects that bend, say how much a cause matters, not what it
/// adds.
pub fn not_linear<'a>(graph: &DynamicGraph, parameters: &'a Map<String, Value>) -> Option<&'a str> {
    let model = parameters.get("model").and_then(Value::as_str);
    let bent = || graph.edges().iter().any(|edge| edge.effect.is_some()).then_some("curves");
    let of_rates = RATES.iter().find(|(name, _)| parameters.contains_key(*name));
    let network = model.filter(|model| ["mlp", "ode"].contains(model));
    network.or(of_rates.map(|(_, model)| *model)).or_else(bent)
}

/// Parameters that only models of rates of change have: their weights are no effects on the next step.
const RATES: [(&str, &str); 2] = [("library", "ode"), ("horizon", "relax")];

/// Six digits are more than a verdict needs, and keep files short.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}
