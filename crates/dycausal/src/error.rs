//! What can go wrong, as data: which parameter, which value, what was expected.

use serde::{Serialize, Serializer};
use thiserror::Error;

/// Result of anything in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What helps after a refusal, as data: whoever reads files has a setting for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Remedy {
    /// Variables are left out.
    LeaveOutVariables,
}

/// Why the library could not answer.
///
/// Every variant but [`Error::Cancelled`], [`Error::Still`] and [`Error::Numerical`] is a matter of what was
/// given, which [`Error::is_input`] tells.
#[derive(Debug, Clone, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum Error {
    /// A parameter has a value outside its range.
    #[error("parameter `{name}` is {found}; expected {expected}")]
    Parameter {
        /// The parameter's name.
        name: String,
        /// Its value, as given.
        found: String,
        /// What it has to be.
        expected: String,
    },
    /// A method was given a parameter that it does not have.
    #[error("method `{method}` has no parameter `{name}`{}; it has: {}", hint(nearest.as_deref()), known.join(", "))]
    UnknownParameter {
        /// The method.
        method: String,
        /// The name that was given.
        name: String,
        /// The closest name it does have.
        nearest: Option<String>,
        /// All of its parameters.
        known: Vec<String>,
    },
    /// No method has this name.
    #[error("there is no method `{name}`{}; there are: {}", hint(nearest.as_deref()), known.join(", "))]
    UnknownMethod {
        /// The name that was given.
        name: String,
        /// The closest name there is.
        nearest: Option<String>,
        /// All methods.
        known: Vec<String>,
    },
    /// Parts that belong together have different sizes.
    #[error("{what}: found {found}, expected {expected}")]
    Shape {
        /// Which part.
        what: String,
        /// Its size.
        found: String,
        /// The size that fits.
        expected: String,
    },
    /// Two variables (or two series) have one name.
    #[error(
        "the name `{name}` stands for two {what} (numbers {} and {}); names have to be unique",
        first + 1,
        second + 1
    )]
    DuplicateName {
        /// "variables" or "series".
        what: &'static str,
        /// The name.
        name: String,
        /// Where it stands first, from 0.
        first: usize,
        /// Where it stands again, from 0.
        second: usize,
    },
    /// A value is infinite.
    #[error("variable `{variable}` is {value} in series `{series}` at step {}; values have to be finite, or missing (NaN)", step + 1)]
    NotFinite {
        /// The variable's name.
        variable: String,
        /// The series' name.
        series: String,
        /// The step, from 0.
        step: usize,
        /// What stands there.
        #[serde(serialize_with = "as_text")]
        value: f64,
    },
    /// A logarithm of a value that has none.
    #[error("`log` of variable `{variable}`: it is {value} in series `{series}` at step {} (time {time}); expected values above 0: leave it out of `log`, or add what is missing to 0 first", step + 1)]
    NotPositive {
        /// The variable's name.
        variable: String,
        /// The series' name.
        series: String,
        /// The step, from 0.
        step: usize,
        /// Its time.
        time: String,
        /// What stands there.
        value: f64,
    },
    /// A variable has no value at all.
    #[error("variable `{variable}` has no value: all of its cells are missing; leave it out")]
    AllMissing {
        /// The variable's name.
        variable: String,
    },
    /// A variable never changes.
    #[error(
        "variable `{variable}` is constant ({value}); it can neither cause nor be caused, leave it out"
    )]
    Constant {
        /// The variable's name.
        variable: String,
        /// Its only value.
        value: f64,
    },
    /// The series are too short for the lag.
    #[error(
        "the series have {steps} step(s), too few for lag {lag}: at least {needed} are needed; lower the lag or give longer series"
    )]
    TooShort {
        /// How many steps there are.
        steps: usize,
        /// The lag asked for.
        lag: usize,
        /// How many steps it takes.
        needed: usize,
    },
    /// No row has all of its values, so nothing can be estimated.
    #[error(
        "no step of any series has all {variables} variables at lags 0..{lag} ({missing} cells are missing); leave out the variables that miss most"
    )]
    NoCompleteRow {
        /// How many variables.
        variables: usize,
        /// The lag asked for.
        lag: usize,
        /// How many cells are missing.
        missing: usize,
    },
    /// The method does not work with missing cells.
    #[error(
        "method `{method}` needs every cell, and {missing} are missing (NaN); fill them in, leave out those variables, or use a method that takes missing cells (`dycausal methods`)"
    )]
    MissingNotSupported {
        /// The method.
        method: String,
        /// How many cells are missing.
        missing: usize,
    },
    /// What is known contradicts itself, or does not fit the data.
    #[error("{}: {what}", place(source_name, lines))]
    Knowledge {
        /// Where it was written.
        source_name: String,
        /// The lines, from 1; none where it was not a file.
        lines: Vec<usize>,
        /// What is wrong.
        what: String,
    },
    /// The method cannot honour what is known.
    #[error(
        "method `{method}` cannot honour {what} (from {source_name}); leave it out, or use a method that can (`dycausal methods`)"
    )]
    KnowledgeNotSupported {
        /// The method.
        method: String,
        /// What it cannot honour.
        what: String,
        /// Where it was written.
        source_name: String,
    },
    /// An array would not fit.
    #[error("{what} would take {bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Which array.
        what: String,
        /// Its size.
        bytes: u128,
        /// The limit.
        limit: u128,
    },
    /// There is not enough memory.
    #[error("{what} needs about {}, and {whose} is {}: {help}", in_units(*needed), in_units(*limit))]
    NoMemory {
        /// What needs it.
        what: String,
        /// How many bytes.
        needed: u64,
        /// How many there are.
        limit: u64,
        /// What sets that limit.
        whose: String,
        /// What would make it fit.
        help: String,
        /// The same as data, where data could be left out.
        remedy: Option<Remedy>,
    },
    /// What was kept of an interrupted fit cannot be used, or cannot be kept.
    #[error("checkpoint: {what}")]
    Checkpoint {
        /// What is wrong with it, and what may help.
        what: String,
    },
    /// A variable has nothing left to explain once its mean at each step is taken out.
    #[error("variable `{variable}` does not move around its mean; leave it out")]
    Still {
        /// The variable's name.
        variable: String,
    },
    /// Numbers left the range in which the method works.
    #[error("{stage}: {what}")]
    Numerical {
        /// What was being computed.
        stage: String,
        /// What was found, and what may help.
        what: String,
    },
    /// The caller asked to stop.
    #[error("stopped on request")]
    Cancelled,
}

impl Error {
    /// Whether what was given is at fault (rather than the computation, or a request to stop).
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::Cancelled | Self::Still { .. } | Self::Numerical { .. })
    }

    /// What helps, where that is known as data.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::NoMemory { remedy, .. } => *remedy,
            _ => None,
        }
    }

    /// A parameter out of range.
    pub fn parameter(
        name: impl Into<String>,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::Parameter { name: name.into(), found: found.to_string(), expected: expected.into() }
    }

    /// A part of the wrong size.
    pub fn shape(
        what: impl Into<String>,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::Shape { what: what.into(), found: found.to_string(), expected: expected.into() }
    }

    /// Knowledge that cannot be, with the lines that are known.
    pub(crate) fn knowledge(
        source: &str,
        lines: impl IntoIterator<Item = Option<usize>>,
        what: impl Into<String>,
    ) -> Self {
        let mut lines: Vec<usize> = lines.into_iter().flatten().collect();
        lines.sort_unstable();
        lines.dedup();
        Self::Knowledge { source_name: source.to_owned(), lines, what: what.into() }
    }

    /// A computation that left its range.
    pub fn numerical(stage: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Numerical { stage: stage.into(), what: what.into() }
    }
}

/// "640 GB".
fn in_units(bytes: u64) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < units.len() {
        size /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{size:.1} {}", units[unit]) }
}

/// "file.toml, lines 3 and 9".
fn place(source: &str, lines: &[usize]) -> String {
    let mut numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
    match numbers.pop() {
        None => source.to_owned(),
        Some(last) if numbers.is_empty() => format!("{source}, line {last}"),
        Some(last) => format!("{source}, lines {} and {last}", numbers.join(", ")),
    }
}

/// JSON has no infinite numbers.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn as_text<S: Serializer>(value: &f64, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.collect_str(value)
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

/// The closest of `known` to `name`, if any is close enough to be a slip of the finger.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_only_when_it_is_near() {
        assert_eq!(nearest("orderd", ["ordered", "dycausal"]), Some("ordered".to_owned()));
        assert_eq!(nearest("zzz", ["ordered", "dycausal"]), None);
    }

    #[test]
    fn only_cancelling_and_numerics_are_not_about_the_input() {
        assert!(Error::parameter("lag", 0, "at least 1").is_input());
        assert!(!Error::Cancelled.is_input());
        assert!(!Error::numerical("fit", "not finite").is_input());
    }
}
