//! The Python extension: arrays and JSON in, arrays and JSON out.
//!
//! It knows no method by name. Whatever the registry lists can be called with parameters as JSON,
//! and the package in `python/` gives it types, names and words.

mod arrange;
mod compare;
mod data;
mod errors;
mod files;
mod fit;
mod graph;
mod knowledge;
mod lab;
mod moments;
mod pages;
mod progress;
mod table;
mod work;

use pyo3::prelude::*;

/// The compiled part of dycausal; use the package `dycausal`.
#[pymodule]
mod _dycausal {
    #[pymodule_export]
    use crate::arrange::{arrange, complete};
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::data::Data;
    #[pymodule_export]
    use crate::files::{read, read_run, seconds, write_run};
    #[pymodule_export]
    use crate::fit::{check, diagnose, fit, methods};
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::knowledge::statements;
    #[pymodule_export]
    use crate::lab::{inspect, score, simulate, sortability};
    #[pymodule_export]
    use crate::moments::Moments;
    #[pymodule_export]
    use crate::pages::{picture, report};
    #[pymodule_export]
    use crate::table::columns;

    use super::{Bound, PyModule, PyResult};
    use pyo3::types::PyModuleMethods;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
