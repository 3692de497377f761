//! The data of Python as a panel, read where they lie.

use dycausal::{Panel, TimeIndex};
use ndarray::ArrayView3;
use numpy::{
    IntoPyArray, PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Values [series, time, variable] with the names of variables and series, and times.
#[pyclass(frozen)]
pub struct Data {
    values: Py<PyArray3<f64>>,
    names: Vec<String>,
    series: Option<Vec<String>>,
    times: TimeIndex,
    /// What was taken for granted when they were read.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl Data {
    /// `times` are numbers, or seconds since 1970 where `labels` are the dates as written.
    #[new]
    #[pyo3(signature = (values, names, series=None, times=None, labels=None))]
    fn new(
        values: Bound<'_, PyArray3<f64>>,
        names: Vec<String>,
        series: Option<Vec<String>>,
        times: Option<PyReadonlyArray1<'_, f64>>,
        labels: Option<Vec<String>>,
    ) -> PyResult<Self> {
        if !(values.is_c_contiguous() && values.data().is_aligned()) {
            return Err(PyValueError::new_err("values have to lie in C order, aligned"));
        }
        let times = time_index(values.shape()[1], times, labels);
        Ok(Self { values: values.unbind(), names, series, times, notes: Vec::new() })
    }

    /// Values [series, time, variable]; NaN is missing.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f64>> {
        self.values.bind(py).clone()
    }

    /// The variables' names.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The series' names, where they have any.
    #[getter]
    fn series(&self) -> Option<Vec<String>> {
        self.series.clone()
    }

    /// Numbers, or seconds since 1970; None for plain steps.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        numbers(&self.times).map(|times| times.to_vec().into_pyarray(py))
    }

    /// Dates as they were written; None where times are numbers or steps.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        labels(&self.times).map(<[String]>::to_vec)
    }
}

impl Data {
    /// The data of a panel that was read from a file.
    pub fn of(py: Python<'_>, panel: Panel, notes: Vec<String>) -> Self {
        Self {
            names: panel.names().to_vec(),
            series: Some(panel.series_names().to_vec()),
            times: panel.times().clone(),
            values: panel.into_values().into_pyarray(py).unbind(),
            notes,
        }
    }

    /// What is needed to make a panel of the data on another thread.
    pub fn source(&self, py: Python<'_>) -> Source {
        let array = self.values.bind(py);
        let shape = [array.shape()[0], array.shape()[1], array.shape()[2]];
        // SAFETY: the array is aligned and in C order (checked in `new`), and `owner` keeps its
        // memory for as long as the view is there: see `Source`.
        #[allow(unsafe_code)]
        // there is no safe way to read memory that Python owns without its lock
        let view = unsafe { ArrayView3::from_shape_ptr(shape, array.data().cast_const()) };
        Source {
            view,
            names: self.names.clone(),
            series: self.series.clone(),
            times: self.times.clone(),
            owner: self.values.clone_ref(py),
        }
    }
}

/// A view of an array of Python, and the reference that keeps it.
///
/// The view is only lent, in a panel that does not outlive the source.
pub struct Source {
    view: ArrayView3<'static, f64>,
    names: Vec<String>,
    series: Option<Vec<String>>,
    times: TimeIndex,
    owner: Py<PyArray3<f64>>,
}

impl Source {
    /// Does something with the panel; nothing of the panel is left when it returns.
    pub fn with_panel<T, E: From<dycausal::Error>>(
        self,
        act: impl FnOnce(&Panel) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut panel = Panel::new(self.view, self.names)?.with_times(self.times)?;
        if let Some(series) = self.series {
            panel = panel.with_series_names(series)?;
        }
        let answer = act(&panel);
        drop(panel);
        drop(self.owner);
        answer
    }
}

/// Plain steps, numbers, or dates.
pub fn time_index(
    steps: usize,
    times: Option<PyReadonlyArray1<'_, f64>>,
    labels: Option<Vec<String>>,
) -> TimeIndex {
    match (times.map(|times| times.as_array().to_vec()), labels) {
        (Some(seconds), Some(text)) => TimeIndex::Dates { text, seconds },
        (Some(numbers), None) => TimeIndex::Numbers(numbers),
        (None, _) => TimeIndex::Steps(steps),
    }
}

/// The numbers behind times; seconds, for dates.
pub fn numbers(times: &TimeIndex) -> Option<&[f64]> {
    match times {
        TimeIndex::Steps(_) => None,
        TimeIndex::Numbers(numbers) => Some(numbers),
        TimeIndex::Dates { seconds, .. } => Some(seconds),
    }
}

/// Dates as they were written.
pub fn labels(times: &TimeIndex) -> Option<&[String]> {
    match times {
        TimeIndex::Dates { text, .. } => Some(text),
        _ => None,
    }
}
