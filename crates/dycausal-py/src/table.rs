//! Edges as columns.

use std::collections::HashMap;

use dycausal::DynamicGraph;
use dycausal::graph::{Edge, Tests};
use numpy::IntoPyArray;
use pyo3::prelude::*;

/// One column of a table; NaN where there is no number.
pub enum Column {
    /// Counts and numbers of variables.
    Whole(Vec<i64>),
    /// Numbers.
    Real(Vec<f64>),
    /// Yes or no.
    Flag(Vec<bool>),
}

impl<'py> IntoPyObject<'py> for Column {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(match self {
            Self::Whole(numbers) => numbers.into_pyarray(py).into_any(),
            Self::Real(numbers) => numbers.into_pyarray(py).into_any(),
            Self::Flag(flags) => flags.into_pyarray(py).into_any(),
        })
    }
}

/// A count as NumPy has it; counts of memory fit.
fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Columns of what is known of each edge by itself.
fn columns_of(edges: &[&Edge]) -> HashMap<&'static str, Column> {
    let whole_of = |of: fn(&Edge) -> usize| edges.iter().map(|e| whole(of(e))).collect();
    let test = |of: fn(&Tests) -> Option<f64>| -> Vec<f64> {
        let value = |edge: &&Edge| edge.tests.as_ref().and_then(of).unwrap_or(f64::NAN);
        edges.iter().map(value).collect()
    };
    HashMap::from([
        ("source", Column::Whole(whole_of(|e| e.from))),
        ("target", Column::Whole(whole_of(|e| e.to))),
        ("lag", Column::Whole(whole_of(|e| e.lag))),
        ("p", Column::Real(test(|tests| tests.absent))),
        ("q", Column::Real(test(|tests| tests.absent_adjusted))),
        ("p_unchanging", Column::Real(test(|tests| tests.unchanging))),
        ("q_unchanging", Column::Real(test(|tests| tests.unchanging_adjusted))),
        ("undirected", Column::Flag(edges.iter().map(|e| e.undirected).collect())),
        ("support", Column::Real(edges.iter().map(|e| e.support.unwrap_or(f64::NAN)).collect())),
    ])
}

/// One row per edge and step at which it is there, by lag, cause, effect and step.
pub fn rows(graph: &DynamicGraph, only: Option<usize>) -> HashMap<&'static str, Column> {
    let (mut edges, mut steps, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for edge in graph.edges() {
        for step in edge.presence.steps().filter(|step| only.is_none_or(|only| only == *step)) {
            edges.push(edge);
            steps.push(whole(step));
            weights.push(edge.trajectory.value(graph.basis(), step));
            low.push(edge.band.as_ref().map_or(f64::NAN, |band| band.low[step]));
            high.push(edge.band.as_ref().map_or(f64::NAN, |band| band.high[step]));
        }
    }
    let mut columns = columns_of(&edges);
    columns.extend([
        ("step", Column::Whole(steps)),
        ("weight", Column::Real(weights)),
        ("low", Column::Real(low)),
        ("high", Column::Real(high)),
    ]);
    columns
}

/// One row per edge: the weight that is largest in absolute value, the mean, and when it is there.
pub fn edges(graph: &DynamicGraph) -> HashMap<&'static str, Column> {
    let edges: Vec<&Edge> = graph.edges().iter().collect();
    let mut columns = columns_of(&edges);
    let weights = |edge: &Edge| -> Vec<f64> {
        edge.presence.steps().map(|step| edge.trajectory.value(graph.basis(), step)).collect()
    };
    let strongest = |edge: &&Edge| {
        weights(edge).into_iter().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a })
    };
    let mean = |edge: &&Edge| weights(edge).iter().sum::<f64>() / edge.presence.count() as f64;
    let first = |edge: &&Edge| whole(edge.presence.steps().next().unwrap_or(0));
    let last = |edge: &&Edge| whole(edge.presence.steps().last().unwrap_or(0));
    columns.extend([
        ("strongest", Column::Real(edges.iter().map(strongest).collect())),
        ("mean", Column::Real(edges.iter().map(mean).collect())),
        ("first", Column::Whole(edges.iter().map(first).collect())),
        ("last", Column::Whole(edges.iter().map(last).collect())),
        ("steps", Column::Whole(edges.iter().map(|e| whole(e.presence.count())).collect())),
    ]);
    columns
}
