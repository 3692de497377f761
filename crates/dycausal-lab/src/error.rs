//! What can go wrong in a simulation or a score.

use serde::Serialize;
use thiserror::Error;

/// Result of anything in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no simulation or no score.
#[derive(Debug, Clone, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum Error {
    /// A parameter, a panel or a graph is not what it has to be.
    #[error(transparent)]
    Library(#[from] dycausal::Error),
    /// A word that is not among the choices.
    #[error("there is no {what} `{found}`{}; there are: {}", hint(nearest.as_deref()), known.join(", "))]
    UnknownChoice {
        /// What is chosen.
        what: &'static str,
        /// The word that was given.
        found: String,
        /// The closest choice.
        nearest: Option<String>,
        /// All choices.
        known: Vec<&'static str>,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(Box<dycausal_io::Error>),
    /// A name that is not in a list.
    #[error("there is no {what} `{found}`{}; there are: {}", hint(nearest.as_deref()), known.join(", "))]
    UnknownName {
        /// What is named.
        what: &'static str,
        /// The name that was given.
        found: String,
        /// The closest name.
        nearest: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The file of an experiment is not what it has to be.
    #[error("experiment `{experiment}`: {reason}")]
    Experiment {
        /// The experiment.
        experiment: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// A folder or file cannot be used.
    #[error("{path}: {reason}")]
    Unusable {
        /// The folder or file.
        path: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
    /// Weights that do not move have no stationary distribution.
    #[error(
        "the system grows by a factor of {radius:.3} per step in the best of {draws} draws of the lagged weights; lower `weights` ({low} to {high}; 0.3 to 0.5 is mostly stable) or `density` ({density}), or raise `decay` ({decay})"
    )]
    Unstable {
        /// The smallest growth per step (spectral radius) seen.
        radius: f64,
        /// How many draws were made.
        draws: usize,
        /// The smallest absolute weight asked for.
        low: f64,
        /// The largest absolute weight asked for.
        high: f64,
        /// The density asked for.
        density: f64,
        /// The decay asked for.
        decay: f64,
    },
    /// Values left the range in which they mean anything.
    #[error(
        "values reach a root mean square of {rms:e} at step {}, above the limit of {limit:e}; lower `weights` or `density`, raise `decay`, or simulate fewer steps",
        step + 1
    )]
    Explodes {
        /// The first such step, from 0.
        step: usize,
        /// The root mean square over series and variables there.
        rms: f64,
        /// The limit.
        limit: f64,
    },
}

impl From<dycausal_io::Error> for Error {
    fn from(error: dycausal_io::Error) -> Self {
        Self::File(Box::new(error))
    }
}

impl Error {
    /// Whether what was given is at fault.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Library(error) => error.is_input(),
            Self::File(error) => error.is_input(),
            _ => true,
        }
    }

    /// A parameter out of range.
    pub(crate) fn parameter(name: &str, found: impl ToString, expected: &str) -> Self {
        Self::Library(dycausal::Error::parameter(name, found, expected))
    }

    /// A name that is not in a list.
    pub(crate) fn unknown<'a>(
        what: &'static str,
        found: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let nearest = dycausal::internals::nearest(found, known.iter().map(String::as_str));
        Self::UnknownName { what, found: found.to_owned(), nearest, known }
    }

    /// A folder or file that cannot be used.
    pub(crate) fn unusable(path: &std::path::Path, reason: impl ToString) -> Self {
        Self::Unusable { path: path.display().to_string(), reason: reason.to_string() }
    }

    /// A word that is not among the choices.
    pub(crate) fn choice(what: &'static str, found: &str, known: &[&'static str]) -> Self {
        Self::UnknownChoice {
            what,
            found: found.to_owned(),
            nearest: dycausal::internals::nearest(found, known.iter().copied()),
            known: known.to_vec(),
        }
    }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}
