//! What was taken for granted while data were read.

use std::fmt;

use crate::remedy::Remedy;

/// One thing that was taken for granted, or that a user should know of data that were read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A column is the time because of its name or place.
    TimeByName {
        /// The column.
        column: String,
    },
    /// The first sheet of several is read.
    FirstSheet {
        /// The sheet.
        sheet: String,
        /// How many there are.
        of: usize,
    },
    /// What holds for one file of several.
    In {
        /// The file.
        file: String,
        /// What holds for it.
        note: Box<Note>,
    },
    /// Anything else.
    Other(String),
}

impl Note {
    /// Whether this is so with most data, and no cause for worry.
    pub fn is_usual(&self) -> bool {
        match self {
            Self::TimeByName { .. } => true,
            Self::In { note, .. } => note.is_usual(),
            _ => false,
        }
    }

    /// The settings that would say otherwise.
    pub fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::FirstSheet { .. } => vec![Remedy::of("sheet")],
            Self::In { note, .. } => note.remedies(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeByName { column } => write!(f, "column `{column}` is taken as the time"),
            Self::FirstSheet { sheet, of } => {
                write!(f, "sheet `{sheet}`, the first of {of}, is read; another can be named")
            }
            Self::In { file, note } => write!(f, "{file}: {note}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl From<&str> for Note {
    fn from(text: &str) -> Self {
        Self::Other(text.to_owned())
    }
}
