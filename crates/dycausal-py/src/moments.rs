//! Moments, which add up over parts of the data.

use dycausal::{Moments as Inner, Ordered};
use dycausal_io::RunRecord;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyReadonlyArray1, PyReadonlyArray3};
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::data::{Data, time_index};
use crate::errors::{OrRaise, not_json};
use crate::files::record_of;
use crate::fit::{check, run};
use crate::graph::Graph;
use crate::knowledge::{about, said};
use crate::work::quietly;

/// Lagged second moments at every step: the sum over series of z z', z = (x_t, …, x_{t-lag}, 1).
#[pyclass(frozen, eq)]
#[derive(PartialEq)]
pub struct Moments(Inner);

#[pymethods]
impl Moments {
    /// Moments that were computed elsewhere.
    #[new]
    fn new(lag: usize, centre: Vec<f64>, sums: PyReadonlyArray3<'_, f64>) -> PyResult<Self> {
        Inner::from_parts(lag, centre, sums.as_array().to_owned()).map(Self).or_raise()
    }

    /// The moments of data.
    #[staticmethod]
    #[pyo3(signature = (data, lag, threads=0))]
    fn of(py: Python<'_>, data: &Data, lag: usize, threads: usize) -> PyResult<Self> {
        let source = data.source(py);
        let job = move || source.with_panel(|panel| Inner::of(panel, lag));
        quietly(py, threads, job)?.map(Self).or_raise()
    }

    /// The moments of both parts of the data.
    fn plus(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let sum = || {
            let mut sum = self.0.clone();
            sum.merge(&other.0).map(|()| sum)
        };
        py.detach(sum).map(Self).or_raise()
    }

    /// The longest lag.
    #[getter]
    fn lag(&self) -> usize {
        self.0.lag()
    }

    /// What values are counted from.
    #[getter]
    fn centre<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.centre().to_vec().into_pyarray(py)
    }

    /// The sums [step, size, size].
    #[getter]
    fn sums<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f64>> {
        self.0.grams().to_owned().into_pyarray(py)
    }

    /// Learns from moments alone with the method `ordered`; also gives the record, as JSON.
    #[pyo3(signature = (parameters, names, times=None, labels=None, seed=0, threads=0, progress=None, knowledge=None))]
    #[allow(clippy::too_many_arguments)] // keywords in Python, checked by its stubs
    fn fit(
        &self,
        py: Python<'_>,
        parameters: &str,
        names: Vec<String>,
        times: Option<PyReadonlyArray1<'_, f64>>,
        labels: Option<Vec<String>>,
        seed: u64,
        threads: usize,
        progress: Option<Py<PyAny>>,
        knowledge: Option<&str>,
    ) -> PyResult<(Graph, String)> {
        let mut all: Map<String, Value> =
            serde_json::from_str(&check("ordered", parameters)?).map_err(not_json)?;
        // The shape of the noise is not in its moments.
        all.insert("non_gaussian".to_owned(), Value::from(false));
        let method: Ordered =
            serde_json::from_value(Value::Object(all.clone())).map_err(not_json)?;
        let times = time_index(self.0.steps(), times, labels);
        let moments = self.0.clone();
        let known = about(said(knowledge)?.as_ref(), &names, &times).or_raise()?;
        let learned = run(py, seed, threads, progress, move |run| {
            let mut run = run.with_knowledge(known);
            let graph = method.discover_moments(&moments, &names, &times, &mut run)?;
            let timings = run.finish().to_vec();
            Ok::<_, dycausal::Error>((graph, timings, run.warnings().to_vec(), run.threads()))
        })?;
        let (graph, timings, warnings, threads) = learned.or_raise()?;
        let graph = Graph::of(graph);
        let record = RunRecord {
            method: "ordered".to_owned(),
            parameters: all,
            seed,
            threads,
            timings,
            warnings,
            ..record_of(&graph, None)?
        };
        Ok((graph, serde_json::to_string(&record).map_err(not_json)?))
    }
}
