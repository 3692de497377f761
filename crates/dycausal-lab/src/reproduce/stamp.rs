//! When, with what and on what figures came about.

use dycausal_io::TidyTable;

/// When, with what and on what figures came about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The date.
    pub date: String,
    /// The version of the program.
    pub version: String,
    /// The machine, in a few words.
    pub machine: String,
}

impl Stamp {
    /// As notes of a table.
    pub(crate) fn notes(&self) -> Vec<(String, String)> {
        let own = [("date", &self.date), ("version", &self.version), ("machine", &self.machine)];
        own.map(|(name, text)| (name.to_owned(), text.clone())).to_vec()
    }

    /// That of a table; empty where it has none.
    pub(crate) fn of(table: &TidyTable) -> Self {
        let note = |name: &str| table.note(name).unwrap_or_default().to_owned();
        Self { date: note("date"), version: note("version"), machine: note("machine") }
    }

    /// As it stands beside a command.
    pub(crate) fn words(&self) -> String {
        [self.machine.as_str(), self.date.as_str()]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }
}
