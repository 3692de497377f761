//! Simulated data, scores, and a look at data.

use std::str::FromStr;

use dycausal::inspect::Inspection;
use dycausal_lab::metrics::{self, Options};
use dycausal_lab::simulate::{Dynamics, Model, NoiseLaw, NoiseScale, Simulation};
use numpy::{IntoPyArray, PyArray3};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::data::Data;
use crate::errors::{OrRaise, not_json};
use crate::graph::Graph;
use crate::work::quietly;

/// Values [series, time, variable], the graph they come from, and how they were made, as JSON.
type Simulated<'py> = (Bound<'py, PyArray3<f64>>, Graph, String);

/// Simulates; what is not among the parameters is as usual for the model.
#[pyfunction]
#[pyo3(signature = (parameters, seed=0, threads=0))]
pub fn simulate<'py>(
    py: Python<'py>,
    parameters: &str,
    seed: u64,
    threads: usize,
) -> PyResult<Simulated<'py>> {
    let simulation = simulation(parameters)?;
    let drawn = quietly(py, threads, move || simulation.draw(seed))?.or_raise()?;
    let spec = serde_json::to_string(&drawn.spec).map_err(not_json)?;
    Ok((drawn.panel.into_values().into_pyarray(py), Graph::of(drawn.truth), spec))
}

/// The simulation that is asked for; words are read as on the command line.
fn simulation(parameters: &str) -> PyResult<Simulation> {
    let mut set: Map<String, Value> = serde_json::from_str(parameters).map_err(not_json)?;
    word::<Model>(&mut set, "model")?;
    word::<Dynamics>(&mut set, "dynamics")?;
    word::<NoiseLaw>(&mut set, "noise")?;
    word::<NoiseScale>(&mut set, "noise_scale")?;
    let model = set.get("model").cloned().unwrap_or_else(|| Value::from("linear"));
    let usual = Simulation::of(serde_json::from_value(model).map_err(not_json)?);
    let mut all = serde_json::to_value(usual).map_err(not_json)?;
    if let Value::Object(all) = &mut all {
        all.extend(set);
    }
    serde_json::from_value(all).map_err(not_json)
}

/// Replaces a word by what it stands for.
fn word<T>(set: &mut Map<String, Value>, name: &str) -> PyResult<()>
where
    T: FromStr<Err = dycausal_lab::Error> + Serialize,
{
    if let Some(Value::String(text)) = set.get(name) {
        let meant: T = text.parse().or_raise()?;
        set.insert(name.to_owned(), serde_json::to_value(meant).map_err(not_json)?);
    }
    Ok(())
}

/// Scores of an estimate against the truth, as JSON.
#[pyfunction]
#[pyo3(signature = (truth, estimate, threshold, diagonal, threads=0))]
pub fn score(
    py: Python<'_>,
    truth: &Graph,
    estimate: &Graph,
    threshold: f64,
    diagonal: bool,
    threads: usize,
) -> PyResult<String> {
    let options = Options { threshold, diagonal };
    let (truth, estimate) = (truth.inner().clone(), estimate.inner().clone());
    let scores = quietly(py, threads, move || metrics::score(&truth, &estimate, options))?;
    serde_json::to_string(&scores.or_raise()?).map_err(not_json)
}

/// What a method with this lag should know of the data, as JSON.
#[pyfunction]
#[pyo3(signature = (data, lag, threads=0))]
pub fn inspect(py: Python<'_>, data: &Data, lag: usize, threads: usize) -> PyResult<String> {
    let source = data.source(py);
    let job = move || source.with_panel(|panel| Inspection::of(panel, lag));
    serde_json::to_string(&quietly(py, threads, job)?.or_raise()?).map_err(not_json)
}

/// The share of paths along which a number per variable grows; None without edges.
#[pyfunction]
pub fn sortability(scores: Vec<f64>, edges: Vec<(usize, usize)>) -> Option<f64> {
    dycausal::inspect::sortability(&scores, &edges)
}
