//! The rows of data frames, on the steps of their series.

use dycausal::calendar::Grid;
use dycausal_io::{Arranged, Frame, FrameTimes};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{Data, labels as labels_of, numbers, time_index};
use crate::errors::{OrRaise, notes as told};
use crate::files::options_of;

/// Times as numbers, and as they are written where they are dates.
type Times<'py> = (Option<Bound<'py, PyArray1<f64>>>, Option<Vec<String>>);

/// Puts rows on the steps of their series: the data, or none and the times where rows are steps
/// already; and what was taken for granted.
///
/// `times` are numbers, or seconds where `labels` are dates; labels alone are text to be read.
#[pyfunction]
#[pyo3(signature = (values, names, series, variables, times, labels, column, options))]
#[allow(clippy::too_many_arguments)] // one call, from one place
pub fn arrange<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Option<Vec<String>>,
    series: Option<Vec<String>>,
    variables: Option<Vec<String>>,
    times: Option<PyReadonlyArray1<'py, f64>>,
    labels: Option<Vec<String>>,
    column: String,
    options: &str,
) -> PyResult<(Option<Data>, Times<'py>, Vec<String>)> {
    let options = options_of(options)?;
    let rows = values.as_array().nrows();
    let times = times.map(|times| times.as_array().to_vec());
    let lengths = [series.as_ref().map(Vec::len), variables.as_ref().map(Vec::len)];
    let lengths =
        lengths.into_iter().chain([times.as_ref().map(Vec::len), labels.as_ref().map(Vec::len)]);
    if lengths.flatten().any(|length| length != rows) {
        return Err(PyValueError::new_err("series, variables, times and rows have to be as many"));
    }
    let times = match (times, labels) {
        (Some(seconds), Some(labels)) => Some(FrameTimes::Dates(labels, seconds)),
        (Some(numbers), None) => Some(FrameTimes::Numbers(numbers)),
        (None, labels) => labels.map(FrameTimes::Text),
    };
    let frame = Frame { values: values.as_array(), names, series, variables, times, column };
    let mut notes = Vec::new();
    match dycausal_io::arrange(frame, &options, &mut notes).or_raise()? {
        Arranged::Panel(panel) => {
            Ok((Some(Data::of(py, panel, Vec::new())), (None, None), told(&notes)))
        }
        Arranged::InPlace(times) => {
            let found = numbers(&times).map(|times| times.to_vec().into_pyarray(py));
            Ok((None, (found, labels_of(&times).map(<[String]>::to_vec)), told(&notes)))
        }
    }
}

/// The same times with those that are not there, where they are even.
#[pyfunction]
#[pyo3(signature = (times, labels=None))]
pub fn complete<'py>(
    py: Python<'py>,
    times: PyReadonlyArray1<'py, f64>,
    labels: Option<Vec<String>>,
) -> Times<'py> {
    let given = time_index(times.as_array().len(), Some(times), labels);
    let grid = Grid::of(&given).filter(|grid| grid.len() <= given.len().saturating_mul(10));
    let all = grid.map_or(given.clone(), |grid| grid.complete(&given));
    let found = numbers(&all).map(|times| times.to_vec().into_pyarray(py));
    (found, labels_of(&all).map(<[String]>::to_vec))
}
