//! Several methods on the same data.

use dycausal::{DynamicGraph, Run};
use dycausal_lab::compare::{Comparison, Request, Row, compare as compare_methods};
use dycausal_lab::metrics::Options;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::data::Data;
use crate::errors::{OrRaise, not_json};
use crate::fit::run;
use crate::graph::Graph;

/// Rows as JSON, the graph of each method or None, the union of all, a picture as SVG.
type Compared = (String, Vec<Option<Graph>>, Graph, String);

/// What the work gives before Python sees it.
type Answer = (Vec<Row>, DynamicGraph, String, Comparison);

/// Runs methods, given as JSON `[[name, parameters], …]`, each for so many seconds at most.
#[pyfunction]
#[pyo3(signature = (methods, data, truth=None, threshold=0.0, lag=None, limit=600.0, seed=0, threads=0, progress=None))]
#[allow(clippy::too_many_arguments)] // one for each keyword of Python's function
pub fn compare(
    py: Python<'_>,
    methods: &str,
    data: &Data,
    truth: Option<&Graph>,
    threshold: f64,
    lag: Option<usize>,
    limit: f64,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Compared> {
    let methods: Vec<(String, Map<String, Value>)> =
        serde_json::from_str(methods).map_err(not_json)?;
    let options = Options { threshold, diagonal: true };
    let request = Request { methods, lag, seconds: limit, seed, threads: None, options };
    let (source, truth) = (data.source(py), truth.map(|truth| truth.inner().clone()));
    let work = move |run: Run| {
        source.with_panel(|panel| {
            let found = compare_methods(panel, &request, &run)?;
            let rows = found.rows(truth.as_ref())?;
            Ok((rows, found.union(panel)?, found.picture(panel)?, found))
        })
    };
    let answer: dycausal_lab::Result<Answer> = run(py, seed, threads, progress, work)?;
    let (rows, union, picture, found) = answer.or_raise()?;
    let graphs = found.entries.into_iter().map(|entry| entry.outcome.ok().map(Graph::of));
    let rows = serde_json::to_string(&rows).map_err(not_json)?;
    Ok((rows, graphs.collect(), Graph::of(union), picture))
}
