//! Moments, which add up over parts of the data.

use dycausal::Moments as Inner;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyReadonlyArray3};
use pyo3::prelude::*;

use crate::data::Data;
use crate::errors::OrRaise;
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
}
