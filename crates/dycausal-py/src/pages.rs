//! Pages and pictures of a graph.

use std::path::PathBuf;

use dycausal_io::{Picture, PictureKind, Report};
use pyo3::prelude::*;

use crate::data::Data;
use crate::errors::OrRaise;
use crate::files::record_of;
use crate::graph::Graph;
use crate::work::quietly;

/// Writes a page in which the graph can be seen to move, whole or not at all.
#[pyfunction]
#[pyo3(signature = (path, graph, record, data=None, truth=None))]
pub fn report(
    py: Python<'_>,
    path: PathBuf,
    graph: &Graph,
    record: Option<&str>,
    data: Option<&Data>,
    truth: Option<&Graph>,
) -> PyResult<()> {
    let record = record_of(graph, record)?;
    let source = data.map(|data| data.source(py));
    let graph = graph.inner().clone();
    let truth = truth.map(|truth| truth.inner().clone());
    let job = move || -> dycausal_io::Result<()> {
        let mut report = Report::new(&graph, &record);
        if let Some(truth) = &truth {
            report = report.with_truth(truth)?;
        }
        match source {
            Some(source) => source.with_panel(|panel| report.with_panel(panel)?.write(&path)),
            None => report.write(&path),
        }
    };
    quietly(py, 0, job)?.or_raise()
}

/// Writes a still picture, SVG or PNG by its ending: `graph`, `trajectories` or `matrix`.
#[pyfunction]
#[pyo3(signature = (path, graph, kind, truth=None, data_units=false))]
pub fn picture(
    py: Python<'_>,
    path: PathBuf,
    graph: &Graph,
    kind: &str,
    truth: Option<&Graph>,
    data_units: bool,
) -> PyResult<()> {
    let kind: PictureKind = kind.parse().or_raise()?;
    py.detach(|| {
        let mut picture = Picture::new(graph.inner(), kind).in_data_units(data_units);
        if let Some(truth) = truth {
            picture = picture.with_truth(truth.inner())?;
        }
        picture.write(&path)
    })
    .or_raise()
}
