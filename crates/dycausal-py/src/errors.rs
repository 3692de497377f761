//! Errors of Rust as exceptions of Python: one class per variant, with the variant's fields.

use std::fmt::Display;

use dycausal_io::{Note, Remedy};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;

/// Turns the error of a result into the exception of its variant.
pub trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Display + Serialize + Remediable> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error))
    }
}

/// What knows which settings help.
pub trait Remediable {
    /// These settings.
    fn remedies(&self) -> Vec<Remedy>;
}

impl Remediable for dycausal::Error {
    fn remedies(&self) -> Vec<Remedy> {
        self.remedy().map(Remedy::of_library).unwrap_or_default()
    }
}

impl Remediable for dycausal_io::Error {
    fn remedies(&self) -> Vec<Remedy> {
        self.remedies()
    }
}

impl Remediable for dycausal_lab::Error {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Library(error) => Remediable::remedies(error),
            Self::File(error) => error.remedies(),
            _ => Vec::new(),
        }
    }
}

/// The keywords of settings that help: ` (drop=, every="1h")`.
fn keywords(remedies: &[Remedy]) -> String {
    Remedy::list(remedies, |Remedy { setting, value }| match value {
        None => format!("{setting}="),
        Some(value) => format!("{setting}=\"{value}\""),
    })
}

/// What was taken for granted, with the keywords that say otherwise.
pub fn notes(notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| format!("{note}{}", keywords(&note.remedies()))).collect()
}

/// The exception of an error; the classes are those of `dycausal.errors`.
fn exception(error: &(impl Display + Serialize + Remediable)) -> PyErr {
    let message = format!("{error}{}", keywords(&error.remedies()));
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
