//! When, with what and on what figures came about.

use serde::{Deserialize, Serialize};

/// When, with what and on what figures came about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The date.
    pub date: String,
    /// The version of the program.
    pub version: String,
    /// The machine, in a few words.
    pub machine: String,
}

impl Stamp {
    /// As it stands beside a command.
    pub(crate) fn words(&self) -> String {
        [self.machine.as_str(), self.date.as_str()]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }
}
