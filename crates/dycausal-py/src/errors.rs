//! Errors of Rust as exceptions of Python: one class per variant, with the variant's fields.

use std::fmt::Display;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;

/// Turns the error of a result into the exception of its variant.
pub trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Display + Serialize> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error))
    }
}

/// The exception of an error; the classes are those of `dycausal.errors`.
fn exception(error: &(impl Display + Serialize)) -> PyErr {
    let message = error.to_string();
    let data = serde_json::to_value(error).unwrap_or_default();
    let (variant, fields) = innermost(data);
    let made = Python::attach(|py| {
        let arguments = (variant, message.as_str(), fields.to_string());
        let made = py.import("dycausal.errors")?.call_method1("from_rust", arguments)?;
        Ok::<_, PyErr>(PyErr::from_value(made))
    });
    made.unwrap_or_else(|_| PyRuntimeError::new_err(message))
}

/// The variant's name and fields; a variant that only carries another error stands for that one.
fn innermost(data: Value) -> (String, Value) {
    let Value::Object(tagged) = data else {
        return (data.as_str().unwrap_or_default().to_owned(), Value::Null);
    };
    let Some((variant, fields)) = tagged.into_iter().next() else {
        return (String::new(), Value::Null);
    };
    match (variant.as_str(), fields) {
        ("Library" | "File", inner) => innermost(inner),
        ("Data", Value::Object(mut carried)) => {
            innermost(carried.remove("reason").unwrap_or_default())
        }
        (_, fields) => (variant, fields),
    }
}

/// An exception for JSON that this package itself wrote badly.
pub fn not_json(reason: serde_json::Error) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(format!("not the JSON that was expected: {reason}"))
}
