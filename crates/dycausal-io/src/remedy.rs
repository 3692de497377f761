//! What helps after a refusal, as data.
//!
//! A message says what is wrong and what to do, and names no way of typing: the command has options for a
//! setting, Python keywords, Rust fields. Each adds the words of its own for the settings that are meant here.

use std::fmt;

use serde::Serialize;

/// A setting that helps, with the value it is to have where that is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// The setting, by the name that it has in [`crate::ReadOptions`] or [`crate::WriteOptions`].
    pub setting: &'static str,
    /// The value to give; none where the user has to choose.
    pub value: Option<String>,
}

impl Remedy {
    /// A setting whose value is for the user to choose.
    pub(crate) fn of(setting: &'static str) -> Self {
        Self { setting, value: None }
    }

    /// A setting with its value.
    pub(crate) fn with(setting: &'static str, value: impl Into<String>) -> Self {
        Self { setting, value: Some(value.into()) }
    }

    /// Rows are counted, whatever their times.
    pub(crate) fn count_rows() -> Self {
        Self::with("time", "")
    }

    /// The settings that do what helps after a refusal of the library.
    pub fn of_library(remedy: dycausal::Remedy) -> Vec<Self> {
        match remedy {
            dycausal::Remedy::LeaveOutVariables => vec![Self::of("columns"), Self::of("drop")],
            _ => Vec::new(),
        }
    }

    /// Several in one line, each as it is typed.
    ///
    /// ```
    /// let error = dycausal_io::Error::Exists { folder: "run".into() };
    /// let typed = |remedy: &dycausal_io::Remedy| format!("{}=True", remedy.setting);
    /// assert_eq!(dycausal_io::Remedy::list(&error.remedies(), typed), " (force=True)");
    /// ```
    pub fn list(remedies: &[Self], typed: impl Fn(&Self) -> String) -> String {
        if remedies.is_empty() {
            return String::new();
        }
        format!(" ({})", remedies.iter().map(typed).collect::<Vec<_>>().join(", "))
    }
}

/// What should have been there, and what helps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// In words.
    #[serde(rename = "expected")]
    pub words: String,
    /// As settings.
    pub remedies: Vec<Remedy>,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Expected {
    /// In words, with what helps.
    pub(crate) fn new(words: impl Into<String>, remedies: impl Into<Vec<Remedy>>) -> Self {
        Self { words: words.into(), remedies: remedies.into() }
    }
}

impl From<&str> for Expected {
    fn from(words: &str) -> Self {
        Self::new(words, [])
    }
}

impl From<String> for Expected {
    fn from(words: String) -> Self {
        Self::new(words, [])
    }
}
