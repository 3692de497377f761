//! The graph that was learned.

use dycausal::graph::table::Layout;
use dycausal::graph::{Ranking, Sources};
use dycausal::{DynamicGraph, Edge};
use ndarray::Array3;
use numpy::{
    IntoPyArray, PyArray1, PyArray3, PyArray4, PyReadonlyArray1, PyReadonlyArray3, PyReadonlyArray4,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::data::{labels, numbers, time_index};
use crate::errors::{OrRaise, not_json};
use crate::table::{Columns, from_zero};

/// Edges (from, to, lag) between named variables, each with a weight that moves in time.
#[pyclass(frozen, eq)]
#[derive(PartialEq)]
pub struct Graph(DynamicGraph);

/// The weight of an edge at each step, and its bounds where there are any.
type Path<'py> =
    (Bound<'py, PyArray1<f64>>, Option<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)>);

#[pymethods]
impl Graph {
    /// The graph of what `to_json` gave.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map(Self).map_err(not_json)
    }

    /// The graph of weights [time, lag, from, to]; an edge is there where its weight is not 0.
    #[staticmethod]
    #[pyo3(signature = (weights, names, times=None, labels=None))]
    fn from_weights(
        weights: PyReadonlyArray4<'_, f64>,
        names: Vec<String>,
        times: Option<PyReadonlyArray1<'_, f64>>,
        labels: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let weights = weights.as_array();
        let times = time_index(weights.dim().0, times, labels);
        DynamicGraph::from_dense(names, times, weights).map(Self).or_raise()
    }

    /// The graph as JSON, exactly.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(not_json)
    }

    /// The statistic of every possible edge [lag, from, to] and what it is; None where there is none.
    #[pyo3(signature = (sources="same"))]
    fn ranking<'py>(
        &self,
        py: Python<'py>,
        sources: &str,
    ) -> PyResult<Option<(Bound<'py, PyArray3<f64>>, String)>> {
        let sources: Sources = sources.parse().or_raise()?;
        Ok(self.0.ranking().map(|ranking| {
            let ranking = ranking.with_sources(sources);
            (ranking.values().into_pyarray(py), ranking.statistic().to_owned())
        }))
    }

    /// The same graph with a statistic for every possible edge [lag, from, to].
    fn with_ranking(&self, values: PyReadonlyArray3<'_, f64>, statistic: &str) -> PyResult<Self> {
        let ranking = Ranking::new(statistic, values.as_array().to_owned()).or_raise()?;
        self.0.clone().with_ranking(ranking).map(Self).or_raise()
    }

    /// Whether each place [lag, from, to] is listed.
    fn listed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<bool>> {
        let d = self.0.variables();
        let mut listed = Array3::from_elem((self.0.lag() + 1, d, d), false);
        self.0.edges().iter().for_each(|edge| listed[[edge.lag, edge.from, edge.to]] = true);
        listed.into_pyarray(py)
    }

    /// The variables' names.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names().to_vec()
    }

    /// The longest lag looked at.
    #[getter]
    fn lag(&self) -> usize {
        self.0.lag()
    }

    /// How many steps there are.
    #[getter]
    fn steps(&self) -> usize {
        self.0.steps()
    }

    /// How many edges there are.
    #[getter]
    fn count(&self) -> usize {
        self.0.edges().len()
    }

    /// What was done to columns before, as JSON; None where nothing was.
    #[getter]
    fn prepared(&self) -> PyResult<Option<String>> {
        let text = self.0.prepared().map(serde_json::to_string);
        text.transpose().map_err(not_json)
    }

    /// What was said of the graph before it was learned.
    #[getter]
    fn known(&self) -> Option<Vec<String>> {
        self.0.known().map(|known| known.statements.clone())
    }

    /// What of an edge was known before: `nothing`, `direction` or `edge`.
    fn given(&self, edge: usize) -> PyResult<&'static str> {
        Ok(self.numbered(edge)?.given.word())
    }

    /// Numbers, or seconds since 1970; None for plain steps.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        numbers(self.0.times()).map(|times| times.to_vec().into_pyarray(py))
    }

    /// Dates as they were written; None where times are numbers or steps.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        labels(self.0.times()).map(<[String]>::to_vec)
    }

    /// Weights [time, lag, from, to], unless that takes more than `limit` bytes.
    fn weights<'py>(&self, py: Python<'py>, limit: u64) -> PyResult<Bound<'py, PyArray4<f64>>> {
        let dense = py.detach(|| self.0.dense(limit.into()));
        Ok(dense.or_raise()?.into_pyarray(py))
    }

    /// Weights [lag, from, to] at a step.
    fn snapshot<'py>(&self, py: Python<'py>, step: usize) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.check_step(step)?;
        let d = self.0.variables();
        let mut weights = Array3::zeros((self.0.lag() + 1, d, d));
        for (edge, weight) in self.0.at(step) {
            weights[[edge.lag, edge.from, edge.to]] = weight;
        }
        Ok(weights.into_pyarray(py))
    }

    /// One row per edge that is there at a step.
    fn rows(&self, py: Python<'_>, step: usize) -> Columns {
        py.detach(|| Columns::of(&self.0, Layout::At(step), false))
    }

    /// One row per edge and step at which it is there, of at most so many steps; edges that stay once.
    fn trajectories(&self, py: Python<'_>, most: usize) -> Columns {
        py.detach(|| Columns::of(&self.0, Layout::Trajectories { most }, false))
    }

    /// One row per edge; with `full` also the columns that nothing is known of.
    #[pyo3(signature = (full=true))]
    fn edges(&self, py: Python<'_>, full: bool) -> Columns {
        py.detach(|| Columns::of(&self.0, Layout::Edges, full))
    }

    /// The numbers of the edges by q-value, equal ones by strength.
    fn ranked(&self) -> Vec<usize> {
        self.0.ranked()
    }

    /// The standard deviation of every variable; None where it is not known.
    #[getter]
    fn scale<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.scale().map(|scale| scale.to_vec().into_pyarray(py))
    }

    /// The weight of an edge, by its number, at each step, and its bounds: of each step, or of the
    /// whole path.
    #[pyo3(signature = (edge, simultaneous=false))]
    fn path<'py>(&self, py: Python<'py>, edge: usize, simultaneous: bool) -> PyResult<Path<'py>> {
        let edge = self.numbered(edge)?;
        let weight = |step| edge.weight(self.0.basis(), step);
        let weights: Vec<f64> = (0..self.0.steps()).map(weight).collect();
        let of = |step| self.bounds(edge, step, simultaneous);
        let bounds: Option<Vec<(f64, f64)>> = (0..self.0.steps()).map(of).collect();
        let bounds = bounds.map(|bounds| {
            let (low, high): (Vec<f64>, Vec<f64>) = bounds.into_iter().unzip();
            (low.into_pyarray(py), high.into_pyarray(py))
        });
        Ok((weights.into_pyarray(py), bounds))
    }

    /// The weight of an edge at a step; 0 where it is not there.
    fn weight(&self, edge: usize, step: usize) -> PyResult<f64> {
        self.check_step(step)?;
        Ok(self.numbered(edge)?.weight(self.0.basis(), step))
    }

    /// The bounds of a weight at a step: of that step alone, or of a band that holds the whole path.
    #[pyo3(signature = (edge, step, simultaneous=false))]
    fn band(&self, edge: usize, step: usize, simultaneous: bool) -> PyResult<Option<(f64, f64)>> {
        self.check_step(step)?;
        Ok(self.bounds(self.numbered(edge)?, step, simultaneous))
    }

    /// What values of the cause do, as JSON; none where a weight says it all.
    fn effect(&self, edge: usize) -> PyResult<Option<String>> {
        let effect = &self.numbered(edge)?.effect;
        effect.as_ref().map(|effect| serde_json::to_string(effect).map_err(not_json)).transpose()
    }

    /// Whether an edge changes over time.
    fn is_changing(&self, edge: usize) -> PyResult<bool> {
        Ok(self.0.is_changing(self.numbered(edge)?))
    }

    /// How the weight of an edge moves, as JSON, and in words; None where that is not known.
    fn motion(&self, edge: usize) -> PyResult<Option<(String, String)>> {
        let Some(motion) = &self.numbered(edge)?.motion else { return Ok(None) };
        let words = motion.words(&from_zero(self.0.times()));
        Ok(Some((serde_json::to_string(motion).map_err(not_json)?, words)))
    }

    /// The steps, first to before last, at which an edge is there.
    fn present(&self, edge: usize) -> PyResult<Vec<(usize, usize)>> {
        Ok(self.numbered(edge)?.presence.ranges().to_vec())
    }

    /// The steps, first to before last, at which a weight is certainly not 0; None where not tested.
    fn certain(&self, edge: usize) -> PyResult<Option<Vec<(usize, usize)>>> {
        let tests = self.numbered(edge)?.tests.as_ref();
        let certain = tests.and_then(|tests| tests.certain.as_ref());
        Ok(certain.map(|certain| certain.ranges().to_vec()))
    }

    /// Changes that several edges make together, as JSON; edges by number.
    fn regimes(&self) -> PyResult<String> {
        serde_json::to_string(&self.0.regimes()).map_err(not_json)
    }

    /// Proof that no step has a cycle, or the cycle, as JSON.
    fn certificate(&self) -> PyResult<String> {
        serde_json::to_string(&self.0.certify()).map_err(not_json)
    }

    /// The graph without the steps at which a weight is at most `threshold`.
    fn prune(&self, threshold: f64) -> PyResult<Self> {
        self.0.prune(threshold).map(Self).or_raise()
    }

    /// Links and strongest weights [from, to, lag] as tigramite has them; links in one row.
    fn tigramite<'py>(&self, py: Python<'py>) -> (Vec<&'static str>, Bound<'py, PyArray3<f64>>) {
        let (links, values) = dycausal_io::tigramite_arrays(&self.0);
        (links.into_iter().collect(), values.into_pyarray(py))
    }
}

impl Graph {
    /// A graph of Rust.
    pub fn of(graph: DynamicGraph) -> Self {
        Self(graph)
    }

    fn numbered(&self, edge: usize) -> PyResult<&Edge> {
        let missing = || PyIndexError::new_err(format!("edge {edge} of {}", self.count()));
        self.0.edges().get(edge).ok_or_else(missing)
    }

    /// NaN where the edge is not there.
    fn bounds(&self, edge: &Edge, step: usize, simultaneous: bool) -> Option<(f64, f64)> {
        let bounds = if simultaneous { Edge::simultaneous_bounds } else { Edge::bounds };
        let unknown = (f64::NAN, f64::NAN);
        let there = edge.presence.contains(step);
        bounds(edge, self.0.basis(), step).map(|known| if there { known } else { unknown })
    }

    fn check_step(&self, step: usize) -> PyResult<()> {
        if step < self.0.steps() {
            return Ok(());
        }
        let message = format!("step {step}; there are {} steps, from 0", self.0.steps());
        Err(PyIndexError::new_err(message))
    }

    /// As Rust has it.
    pub fn inner(&self) -> &DynamicGraph {
        &self.0
    }
}
