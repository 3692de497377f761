//! Knowledge as it was written, with the lines it stands on.

use serde_json::Value;

/// A value, and the line on which it stands where it comes from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The line, from 1.
    pub line: Option<usize>,
    /// What stands there.
    pub content: Content,
}

/// What can be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text, or a date as text.
    Text(String),
    /// A number.
    Number(f64),
    /// Anything that is neither of these nor a list or a table, by name.
    Other(String),
    /// Values one after the other.
    List(Vec<Written>),
    /// Values by key, with the line of the key.
    Table(Vec<(String, Written)>),
}

impl Content {
    /// What it is, for messages.
    pub(super) fn kind(&self) -> String {
        match self {
            Self::Text(text) => format!("`{text}`"),
            Self::Number(number) => format!("the number {number}"),
            Self::Other(what) => what.clone(),
            Self::List(_) => "a list".into(),
            Self::Table(_) => "a table".into(),
        }
    }
}

impl From<Value> for Written {
    fn from(value: Value) -> Self {
        let content = match value {
            Value::String(text) => Content::Text(text),
            Value::Number(number) => {
                number.as_f64().map_or_else(|| Content::Other(number.to_string()), Content::Number)
            }
            Value::Array(values) => Content::List(values.into_iter().map(Self::from).collect()),
            Value::Object(values) => {
                Content::Table(values.into_iter().map(|(key, v)| (key, v.into())).collect())
            }
            other => Content::Other(other.to_string()),
        };
        Self { line: None, content }
    }
}
