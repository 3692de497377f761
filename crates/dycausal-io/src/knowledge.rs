//! What is known of a graph, from TOML, with the lines it stands on.

use std::fs;
use std::path::Path;

use dycausal::{Content, Statements, Written};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Result};

/// Reads a file that says what is known of a graph (see `docs/concepts.md`).
///
/// # Errors
/// If the file is not there, is no TOML, or says what cannot be understood; with the line.
pub fn read_knowledge(path: &Path) -> Result<Statements> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|reason| Error::unreadable(&name, reason))?;
    knowledge_of(&name, &text)
}

/// The same from text; `name` names it in messages.
///
/// ```
/// let text = "roots = ['rain']\n\n[[require]]\nfrom = 'rain'\nto = 'soil'\n";
/// let refused = dycausal_io::knowledge_of("known.toml", text).unwrap_err();
/// assert!(refused.to_string().starts_with("known.toml, line 3: `require` without a lag"));
/// ```
///
/// # Errors
/// As [`read_knowledge`].
pub fn knowledge_of(name: &str, text: &str) -> Result<Statements> {
    let table = DeTable::parse(text).map_err(|reason| {
        let line = reason.span().map(|span| line(text, span.start));
        let what = reason.message().to_owned();
        let lines = line.into_iter().collect();
        Error::from(dycausal::Error::Knowledge { source_name: name.to_owned(), lines, what })
    })?;
    let written = entries(text, table.get_ref());
    Ok(Statements::from_written(name, &Written { line: None, content: written })?)
}

/// The line of a byte, from 1.
fn line(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|b| *b == b'\n').count() + 1
}

fn entries(text: &str, table: &DeTable<'_>) -> Content {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        (key.to_string(), written(text, value))
    };
    Content::Table(table.iter().map(entry).collect())
}

fn written(text: &str, value: &Spanned<DeValue<'_>>) -> Written {
    let content = match value.get_ref() {
        DeValue::String(words) => Content::Text(words.to_string()),
        DeValue::Integer(number) => number_of(&number.to_string()),
        DeValue::Float(number) => number_of(&number.to_string()),
        DeValue::Boolean(flag) => Content::Other(flag.to_string()),
        DeValue::Datetime(time) => Content::Text(time.to_string()),
        DeValue::Array(values) => {
            Content::List(values.iter().map(|value| written(text, value)).collect())
        }
        DeValue::Table(table) => entries(text, table),
    };
    Written { line: Some(line(text, value.span().start)), content }
}

fn number_of(text: &str) -> Content {
    let plain = text.replace('_', "");
    plain.parse().map_or_else(|_| Content::Other(text.to_owned()), Content::Number)
}
