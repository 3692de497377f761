//! What is run on recorded data: groups of cases and rows, from a file.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::study::Parameters;

const FILE: &str = include_str!("../../experiments/real.toml");

/// The file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealSpec {
    /// What stands before the tables.
    pub about: String,
    /// Groups of cases, by the name of their folder.
    pub groups: BTreeMap<String, Group>,
    /// Rows.
    pub rows: Vec<RealRow>,
    /// What others printed.
    pub published: Vec<Printed>,
}

/// Cases that are treated alike.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What the data are, and what was learned.
    pub about: String,
    /// How its files are laid out.
    #[serde(default)]
    pub form: Form,
    /// The longest lag that is fitted.
    pub lag: usize,
    /// Edges that are ranked: `instantaneous`, `lagged` or `all`.
    pub edges: String,
    /// Whether columns are standardised within each series, or over all.
    pub each: bool,
    /// Whether series are also fitted one by one.
    #[serde(default)]
    pub alone: bool,
    /// Cases of the short form; none: all.
    #[serde(default)]
    pub quick: Vec<String>,
    /// Cases that were looked at while methods were made: their figures are no test.
    #[serde(default)]
    pub looked_at: Vec<String>,
}

/// How the files of a group are laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// `NAME_series*.npy` with `NAME_truth*.npy` (or `_net`, `_lag`) beside it.
    #[default]
    Pairs,
    /// Gauges with gaps, looked at in connected sets.
    Rivers,
    /// A folder per case with `gen_data.npy` and `graph.npy`.
    CausalTime,
}

/// A method on recorded data.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealRow {
    /// Its name in the table.
    pub name: String,
    /// The method; none: that of the row's name.
    #[serde(default)]
    pub method: Option<String>,
    /// Parameters that differ from the defaults.
    #[serde(default)]
    pub set: Parameters,
    /// Parameters that differ in the short form.
    #[serde(default)]
    pub quick: Parameters,
    /// How many knots there are, where the method has a spacing.
    #[serde(default)]
    pub knots: Option<usize>,
    /// The most variables it is run on.
    #[serde(default)]
    pub up_to: Option<usize>,
    /// Whether it is run on series one by one.
    #[serde(default)]
    pub alone: bool,
    /// It is run on one in so many subsets of variables.
    #[serde(default = "one")]
    pub every: usize,
}

/// A figure that somebody printed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// The group.
    pub group: String,
    /// The case, or what was averaged.
    pub case: String,
    /// The method.
    pub method: String,
    /// The area under the receiver operating characteristic.
    pub auroc: f64,
    /// What is comparable about it.
    pub note: String,
    /// Our cases that it stands beside.
    #[serde(default)]
    pub ours: Vec<String>,
}

fn one() -> usize {
    1
}

impl RealRow {
    /// The name of the method.
    pub fn method(&self) -> &str {
        self.method.as_deref().unwrap_or(&self.name)
    }
}

/// The file, read; methods of the library without a row get one with their defaults.
///
/// # Errors
/// If the file is not what it has to be: a defect of this crate.
pub fn real_spec() -> Result<RealSpec> {
    let wrong = |reason: toml::de::Error| Error::Experiment {
        experiment: "real".into(),
        reason: reason.to_string(),
    };
    let mut spec: RealSpec = toml::from_str(FILE).map_err(wrong)?;
    for method in dycausal::methods() {
        if spec.rows.iter().all(|row| row.method() != method.name) {
            spec.rows.push(RealRow {
                name: method.name.to_owned(),
                method: None,
                set: Parameters::new(),
                quick: Parameters::new(),
                knots: None,
                up_to: Some(30),
                alone: false,
                every: 20,
            });
        }
    }
    Ok(spec)
}
