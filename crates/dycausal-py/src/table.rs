//! The table of edges as columns of NumPy.

use std::convert::Infallible;

use dycausal::graph::table::{COLUMNS, Cell, CellKind, EdgeTable, Layout};
use dycausal::{DynamicGraph, TimeIndex};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyString};

use crate::errors::not_json;

/// Columns by name, in order.
pub struct Columns(Vec<(&'static str, Column)>);

/// One column of a table; NaN where there is no number.
enum Column {
    /// Counts, and variables and steps by number.
    Whole(Vec<i64>),
    /// Numbers.
    Real(Vec<f64>),
    /// Words.
    Words(Vec<&'static str>),
    /// Words of their own.
    Texts(Vec<String>),
}

/// Name, kind, meaning and place of every column that a table of edges can have, as JSON.
#[pyfunction]
pub fn columns() -> PyResult<String> {
    serde_json::to_string(COLUMNS).map_err(not_json)
}

impl Columns {
    /// The columns of a layout: all of them, or those that have something to say.
    pub fn of(graph: &DynamicGraph, layout: Layout, full: bool) -> Self {
        let table =
            if full { EdgeTable::full(graph, layout) } else { EdgeTable::new(graph, layout) };
        let empty = |kind: CellKind| match kind {
            CellKind::Variable | CellKind::Time | CellKind::Count => Column::Whole(Vec::new()),
            CellKind::Number => Column::Real(Vec::new()),
            CellKind::Word => Column::Words(Vec::new()),
            CellKind::Text => Column::Texts(Vec::new()),
        };
        let mut columns: Vec<_> =
            table.columns().iter().map(|column| (column.name, empty(column.kind))).collect();
        let times = from_zero(graph.times());
        let Ok(()) = table.each(|cells| {
            for (cell, (_, column)) in cells.iter().zip(&mut columns) {
                column.push(*cell, &times);
            }
            Ok::<(), Infallible>(())
        });
        Self(columns)
    }
}

impl Column {
    fn push(&mut self, cell: Cell<'_>, times: &TimeIndex) {
        match self {
            Self::Whole(numbers) => numbers.push(whole(cell)),
            Self::Real(numbers) => {
                numbers.push(if let Cell::Number(number) = cell { number } else { f64::NAN });
            }
            Self::Words(words) => words.push(if let Cell::Word(word) = cell { word } else { "" }),
            Self::Texts(texts) => texts.push(match cell {
                Cell::Text(text) => text.words(times),
                _ => String::new(),
            }),
        }
    }

    fn into_array(self, py: Python<'_>) -> Bound<'_, PyAny> {
        match self {
            Self::Whole(numbers) => numbers.into_pyarray(py).into_any(),
            Self::Real(numbers) => numbers.into_pyarray(py).into_any(),
            Self::Words(words) => {
                let text = |word: &&str| PyString::intern(py, word).into_any().unbind();
                PyArray1::from_vec(py, words.iter().map(text).collect()).into_any()
            }
            Self::Texts(texts) => {
                let text = |words: &String| PyString::new(py, words).into_any().unbind();
                PyArray1::from_vec(py, texts.iter().map(text).collect()).into_any()
            }
        }
    }
}

/// The times as Python has them: plain steps count from 0.
pub fn from_zero(times: &TimeIndex) -> TimeIndex {
    match times {
        TimeIndex::Steps(count) => {
            TimeIndex::Numbers((0..*count).map(|step| step as f64).collect())
        }
        own => own.clone(),
    }
}

/// A count as NumPy has it; counts of memory fit.
fn whole(cell: Cell<'_>) -> i64 {
    match cell {
        Cell::Variable(number) | Cell::Time(number) | Cell::Count(number) => {
            i64::try_from(number).unwrap_or(i64::MAX)
        }
        Cell::Number(_) | Cell::Word(_) | Cell::Text(_) | Cell::Nothing => -1,
    }
}

impl<'py> IntoPyObject<'py> for Columns {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        self.0.into_iter().map(|(name, column)| (name, column.into_array(py))).into_py_dict(py)
    }
}
