//! The experiments there are: one line per file.

use dycausal::find;
use serde::Deserialize;
use serde_json::Map;

use super::spec::{Experiment, Reading, Row};
use crate::error::{Error, Result};

/// Name and text of every experiment; a new one is a file and a line here.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../experiments/", $name, ".toml")))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "dynamics",
    "more-steps",
    "dynamics-short",
    "interpolation",
    "more-nodes",
    "fewer-samples",
    "lengths",
    "noise",
    "lags",
    "unknown-lag",
    "static-linear",
    "static-nonlinear",
    "static-lorenz",
    "deviations",
    "deviations-static",
    "deviations-networks",
    "deviations-lorenz",
    "rates",
    "constraints",
    "constraint-ablation",
    "beta",
    "non-smooth",
    "window",
    "split",
    "matrices",
    "unequal-noise",
    "standardised",
    "non-gaussian",
    "regimes",
    "appearing",
    "reordering",
    "one-long-series",
    "trajectories",
];

/// Readings and rows that experiments share.
const USUAL: &str = include_str!("../../experiments/usual.toml");

/// The row that is told the true parents.
pub(super) const ORACLE: &str = "oracle";

/// Methods of rates of change, of effects that bend and of orders that change: they take part where an experiment has a row for them.
const WHERE_ASKED_FOR: [&str; 6] = ["additive", "auto", "gp", "ode", "relax", "reordered"];

/// What experiments share unless they say otherwise.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Usual {
    readings: Vec<Reading>,
    rows: Vec<Row>,
    /// Rows of methods to compare with, for experiments that ask for them.
    comparisons: Vec<Row>,
}

/// All experiments, in the order of the paper.
///
/// # Errors
/// If a file is not what it has to be: a defect of this crate.
pub fn experiments() -> Result<Vec<Experiment>> {
    FILES.iter().map(|(name, text)| parse(name, text)).collect()
}

/// The experiment of a name.
///
/// # Errors
/// If there is none: the nearest and all names are given.
pub fn experiment(name: &str) -> Result<Experiment> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (name, text) = found
        .ok_or_else(|| Error::unknown("experiment", name, FILES.iter().map(|(name, _)| *name)))?;
    parse(name, text)
}

/// Reads an experiment, and fills in the readings and rows it does not set itself.
pub(super) fn parse(name: &str, text: &str) -> Result<Experiment> {
    let wrong = |reason: String| Error::Experiment { experiment: name.to_owned(), reason };
    let mut experiment: Experiment =
        toml::from_str(text).map_err(|reason| wrong(reason.to_string()))?;
    if experiment.name != name {
        return Err(wrong(format!("its file calls it `{}`", experiment.name)));
    }
    let usual: Usual = toml::from_str(USUAL).map_err(|reason| wrong(reason.to_string()))?;
    if experiment.readings.is_empty() {
        experiment.readings = usual.readings;
    }
    experiment.rows = rows(&experiment, usual.rows, usual.comparisons)?;
    Ok(experiment)
}

/// The usual rows that take part, then every other method of the library but those that have
/// to be asked for, then those to
/// compare with where they are asked for, then the experiment's own.
fn rows(experiment: &Experiment, usual: Vec<Row>, comparisons: Vec<Row>) -> Result<Vec<Row>> {
    let methods = dycausal_baselines::all_methods();
    let mut rows = usual;
    for method in &dycausal::methods() {
        let listed = rows.iter().any(|row| row.method() == method.name);
        if !listed && !WHERE_ASKED_FOR.contains(&method.name) {
            rows.push(plain(method.name));
        }
    }
    if experiment.comparisons {
        rows.extend(comparisons);
    }
    if !experiment.only.is_empty() {
        let known: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        if let Some(found) = experiment.only.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(Error::unknown("row", found, known));
        }
        rows.retain(|row| experiment.only.contains(&row.name));
    }
    rows.retain(|row| experiment.rows.iter().all(|own| own.name != row.name));
    rows.extend(experiment.rows.clone());
    for row in rows.iter().filter(|row| row.method() != ORACLE) {
        find(&methods, row.method())?;
    }
    Ok(rows)
}

/// A method with its defaults.
fn plain(name: &str) -> Row {
    Row {
        name: name.to_owned(),
        method: None,
        set: Map::new(),
        quick: Map::new(),
        prune: None,
        as_listed: false,
        up_to: None,
        quick_up_to: None,
        few: Vec::new(),
        linear_only: false,
    }
}
