//! How a graph was found.

use dycausal::{Certificate, Diagnostics, DynamicGraph, Facts, Panel, Timing};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::regimes;
use crate::options::ReadOptions;

/// What `run.json` holds: enough to do the same again, and to judge it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of dycausal.
    pub version: String,
    /// The command as it was given, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The method's name.
    pub method: String,
    /// Every parameter of the method.
    pub parameters: Map<String, Value>,
    /// The longest lag looked at.
    pub lag: usize,
    /// The seed.
    pub seed: u64,
    /// How many threads it ran on; the graph does not depend on it.
    pub threads: usize,
    /// Where the data came from.
    pub source: String,
    /// The files, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How they were read, where more than the file's name was needed.
    #[serde(default, skip_serializing_if = "ReadOptions::is_default")]
    pub read: ReadOptions,
    /// What was done to columns first, in order, as it was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepare: Vec<String>,
    /// The variables' names.
    pub variables: Vec<String>,
    /// How many series.
    pub series: usize,
    /// How many steps the longest series has.
    pub steps: usize,
    /// How many cells are missing.
    pub missing: usize,
    /// How many edges the graph has.
    pub edges: usize,
    /// How long each stage took.
    pub timings: Vec<Timing>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What was found on the way: how many edges were selected, tested and listed (`edges`), how
    /// much worse other lags were (`lag`), which edges change together (`regimes`).
    #[serde(
        default,
        skip_serializing_if = "Facts::is_empty",
        deserialize_with = "Facts::of_any_version"
    )]
    pub facts: Facts,
    /// Whether the graph is acyclic at every step.
    pub certificate: Certificate,
    /// What the residuals say, where they were checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Diagnostics>,
}

impl RunRecord {
    /// What data and graph tell; method, parameters, seed, threads, timings and warnings are left
    /// to be filled in, and facts of the method to be added ([`RunRecord::tell`]).
    ///
    /// ```
    /// # use dycausal::{Basis, DynamicGraph, Panel, TimeIndex};
    /// # use dycausal_io::RunRecord;
    /// # use ndarray::Array3;
    /// let panel = Panel::unnamed(Array3::zeros((2, 9, 3)))?;
    /// let (names, times) = (panel.names().to_vec(), panel.times().clone());
    /// let graph = DynamicGraph::new(names, times, 1, Basis::constant(9)?, vec![])?;
    /// let record = RunRecord {
    ///     method: "lagged-least-squares".into(),
    ///     seed: 7,
    ///     ..RunRecord::of(&panel, &graph, "data.csv")
    /// };
    /// assert_eq!((record.series, record.steps), (2, 9));
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    pub fn of(panel: &Panel, graph: &DynamicGraph, source: impl ToString) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            command: None,
            method: String::new(),
            parameters: Map::new(),
            lag: graph.lag(),
            seed: 0,
            threads: 1,
            source: source.to_string(),
            files: Vec::new(),
            read: ReadOptions::default(),
            prepare: graph.prepared().map(|p| p.words().to_vec()).unwrap_or_default(),
            variables: panel.names().to_vec(),
            series: panel.series(),
            steps: panel.steps(),
            missing: panel.missing(),
            edges: graph.edges().len(),
            timings: Vec::new(),
            warnings: Vec::new(),
            facts: Facts { regimes: regimes::regimes(graph), ..Facts::default() },
            certificate: graph.certify(),
            diagnostics: None,
        }
    }

    /// Adds what was found on the way to the graph.
    pub fn tell(&mut self, facts: &Facts) {
        let regimes = std::mem::take(&mut self.facts.regimes);
        self.facts = Facts { regimes, ..facts.clone() };
    }
}
