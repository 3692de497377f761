//! Methods by name, with parameters as JSON.

use std::sync::Arc;

use dycausal::diagnostics::not_linear;
use dycausal::{
    Cancel, Diagnostics, Discover, DynamicGraph, Method, Panel, Prepared, Recipe, Run, find,
};
use dycausal_io::RunRecord;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::data::Data;
use crate::errors::{OrRaise, not_json};
use crate::graph::Graph;
use crate::knowledge;
use crate::progress::{Board, Seen};
use crate::work::{quietly, work};

/// All methods with scope, parameters and defaults, as JSON.
#[pyfunction]
pub fn methods() -> PyResult<String> {
    let listed: dycausal::Result<Vec<Value>> =
        dycausal_baselines::all_methods().iter().map(Method::describe).collect();
    Ok(Value::from(listed.or_raise()?).to_string())
}

/// Every parameter of a method with some of them set, as JSON; raises where one is out of range.
#[pyfunction]
pub fn check(method: &str, parameters: &str) -> PyResult<String> {
    Ok(Value::Object(built(method, parameters)?.1).to_string())
}

fn built(method: &str, parameters: &str) -> PyResult<(Box<dyn Discover>, Map<String, Value>)> {
    let set: Map<String, Value> = serde_json::from_str(parameters).map_err(not_json)?;
    find(&dycausal_baselines::all_methods(), method).or_raise()?.build(&set).or_raise()
}

/// Learns a graph and checks it; also gives the record of the run, as JSON.
///
/// `progress` is called with stage, units done, units in all or None, and a note.
#[pyfunction]
#[pyo3(signature = (method, parameters, data, seed=0, threads=0, progress=None, knowledge=None, prepare=Vec::new()))]
#[allow(clippy::too_many_arguments)] // keywords in Python, checked by its stubs
pub fn fit(
    py: Python<'_>,
    method: &str,
    parameters: &str,
    data: &Data,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
    knowledge: Option<&str>,
    prepare: Vec<String>,
) -> PyResult<(Graph, String)> {
    let (method, parameters) = built(method, parameters)?;
    let said = knowledge::said(knowledge)?;
    let recipe = recipe(&prepare).or_raise()?;
    let source = data.source(py);
    let learned = run(py, seed, threads, progress, move |run| {
        source.with_panel(|panel| {
            let made = (!recipe.is_empty()).then(|| recipe.apply(panel)).transpose()?;
            let (made, record) = made.unzip();
            let panel = made.as_ref().unwrap_or(panel);
            let known = knowledge::about(said.as_ref(), panel.names(), panel.times())?;
            learn(method.as_ref(), parameters, panel, record, run.with_knowledge(known))
        })
    })?;
    let (graph, record) = learned.or_raise()?;
    Ok((Graph::of(graph), serde_json::to_string(&record).map_err(not_json)?))
}

/// What some words ask to be done to columns, one after the other.
fn recipe(words: &[String]) -> dycausal::Result<Recipe> {
    let parts: dycausal::Result<Vec<Recipe>> = words.iter().map(|text| text.parse()).collect();
    Ok(Recipe(parts?.into_iter().flat_map(|part| part.0).collect()))
}

/// Does a run's work on its threads, tells its progress, and stops it where Python asks.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
    job: impl FnOnce(Run) -> T + Send + 'static,
) -> PyResult<T> {
    let (board, cancel) = (Arc::new(Board::default()), Cancel::default());
    let run = Run::new(seed).with_progress(board.clone()).with_cancel(cancel.clone());
    let mut shown = Seen::default();
    let listen = |py: Python<'_>| match &progress {
        Some(progress) => tell(py, progress, &board, &mut shown),
        None => Ok(()),
    };
    work(py, threads, listen, || cancel.cancel(), move || job(run))
}

fn learn(
    method: &dyn Discover,
    parameters: Map<String, Value>,
    panel: &Panel,
    prepared: Option<Prepared>,
    mut run: Run,
) -> dycausal::Result<(DynamicGraph, RunRecord)> {
    let mut graph = method.discover(panel, &mut run)?;
    if let Some(prepared) = prepared {
        graph = graph.with_prepared(prepared)?;
    }
    let diagnostics = Diagnostics::after_fit(&graph, panel, &parameters, &mut run);
    let mut record = RunRecord {
        method: method.name().to_owned(),
        parameters,
        seed: run.seed(),
        threads: run.threads(),
        timings: run.finish().to_vec(),
        warnings: run.warnings().to_vec(),
        diagnostics,
        ..RunRecord::of(panel, &graph, "Python")
    };
    record.tell(run.facts());
    Ok((graph, record))
}

/// What the residuals of a graph on some data say, as JSON; `null` where the parameters are those of
/// a model whose weights are not linear effects.
#[pyfunction]
#[pyo3(signature = (graph, data, parameters, threads=0))]
pub fn diagnose(
    py: Python<'_>,
    graph: &Graph,
    data: &Data,
    parameters: &str,
    threads: usize,
) -> PyResult<String> {
    let parameters: Map<String, Value> = serde_json::from_str(parameters).map_err(not_json)?;
    if not_linear(graph.inner(), &parameters).is_some() {
        return Ok("null".into());
    }
    let (graph, source) = (graph.inner().clone(), data.source(py));
    let job = move || source.with_panel(|panel| Diagnostics::of(&graph, panel));
    serde_json::to_string(&quietly(py, threads, job)?.or_raise()?).map_err(not_json)
}

/// Calls Python where there is something new to tell.
fn tell(py: Python<'_>, progress: &Py<PyAny>, board: &Board, shown: &mut Seen) -> PyResult<()> {
    let now = board.look();
    if now == *shown {
        return Ok(());
    }
    progress.call1(py, (now.stage.as_str(), now.done, now.total, now.note.as_str()))?;
    *shown = now;
    Ok(())
}
