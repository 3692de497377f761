//! What is known of a graph, as JSON from Python.

use dycausal::{Knowledge, Statements, TimeIndex};
use dycausal_io::{date_seconds, knowledge_of};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use crate::errors::{OrRaise, not_json};

/// What Python says: statements, or the text of a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    File { name: String, toml: String },
    Statements { statements: Value },
}

/// What was said, where anything was.
pub fn said(text: Option<&str>) -> PyResult<Option<Statements>> {
    let Some(text) = text else { return Ok(None) };
    match serde_json::from_str(text).map_err(not_json)? {
        Said::File { name, toml } => knowledge_of(&name, &toml).or_raise(),
        Said::Statements { statements } => {
            Statements::from_json("knowledge", statements).or_raise()
        }
    }
    .map(Some)
}

/// What was said, held against names and times.
pub fn about(
    said: Option<&Statements>,
    names: &[String],
    times: &TimeIndex,
) -> dycausal::Result<Knowledge> {
    let known = said.map(|said| said.resolve(names, times, &date_seconds)).transpose()?;
    Ok(known.unwrap_or_default())
}

/// Each statement in words, as JSON; raises where one cannot be understood.
#[pyfunction]
pub fn statements(knowledge: &str) -> PyResult<String> {
    let words = said(Some(knowledge))?.map(|said| said.words()).unwrap_or_default();
    Ok(Value::from(words).to_string())
}
