//! Files: data, and the folders of runs.

use std::path::PathBuf;

use dycausal_io::{ReadOptions, RunRecord, WriteOptions};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::data::Data;
use crate::errors::{OrRaise, not_json, notes};
use crate::graph::Graph;

/// Reads files of series, as options in JSON say: several, or a pattern, are the series of one panel.
#[pyfunction]
pub fn read(py: Python<'_>, paths: Vec<String>, options: &str) -> PyResult<Data> {
    let options = options_of(options)?;
    let found = || dycausal_io::read_several(&dycausal_io::find_sources(&paths)?, &options);
    let reading = py.detach(found).or_raise()?;
    Ok(Data::of(py, reading.panel, notes(&reading.notes)))
}

/// How to read, from JSON.
pub fn options_of(text: &str) -> PyResult<ReadOptions> {
    serde_json::from_str(text).map_err(|reason| PyValueError::new_err(reason.to_string()))
}

/// Writes the folder of a run, whole or not at all; gives the files written.
#[pyfunction]
#[pyo3(signature = (folder, graph, record, force=false, also=vec![], every_step=false))]
pub fn write_run(
    py: Python<'_>,
    folder: PathBuf,
    graph: &Graph,
    record: Option<&str>,
    force: bool,
    also: Vec<String>,
    every_step: bool,
) -> PyResult<Vec<String>> {
    let extra = also.iter().map(|name| name.parse()).collect::<Result<_, _>>().or_raise()?;
    let options = WriteOptions { force, extra, every_step, ..WriteOptions::default() };
    let record = record_of(graph, record)?;
    let write = || dycausal_io::write_run(&folder, graph.inner(), &record, &options);
    Ok(py.detach(write).or_raise()?.files)
}

/// The record of a run, or of a graph that no run has made.
pub fn record_of(graph: &Graph, record: Option<&str>) -> PyResult<RunRecord> {
    match record {
        Some(text) => serde_json::from_str(text),
        None => unknown(graph),
    }
    .map_err(not_json)
}

fn unknown(graph: &Graph) -> Result<RunRecord, serde_json::Error> {
    let graph = graph.inner();
    serde_json::from_value(serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"), "method": "given", "parameters": {},
        "lag": graph.lag(), "seed": 0, "threads": 1, "source": "Python",
        "variables": graph.names(), "series": 0, "steps": graph.steps(), "missing": 0,
        "edges": graph.edges().len(), "timings": [], "warnings": [],
        "certificate": graph.certify(),
    }))
}

/// Reads the folder of a run: the graph, and the record as JSON.
#[pyfunction]
pub fn read_run(py: Python<'_>, folder: PathBuf) -> PyResult<(Graph, String)> {
    let (record, graph) = py.detach(|| dycausal_io::read_run(&folder)).or_raise()?;
    let record: Value = serde_json::to_value(record).map_err(not_json)?;
    Ok((Graph::of(graph), record.to_string()))
}

/// Seconds since 1970 of dates as text; None, and the first that is none, where one is no date.
#[pyfunction]
pub fn seconds(
    py: Python<'_>,
    dates: Vec<String>,
) -> (Option<Bound<'_, PyArray1<f64>>>, Option<usize>) {
    let mut all = Vec::with_capacity(dates.len());
    for (number, date) in dates.iter().enumerate() {
        match dycausal_io::date_seconds(date) {
            Some(seconds) => all.push(seconds),
            None => return (None, Some(number)),
        }
    }
    (Some(all.into_pyarray(py)), None)
}
