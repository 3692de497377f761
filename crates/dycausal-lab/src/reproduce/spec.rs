//! What an experiment is: a file that says what is simulated, fitted and scored.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::plan::Part;
use crate::error::{Error, Result};
use crate::simulate::Simulation;
use crate::study::Parameters;

/// One experiment, as its TOML file has it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: String,
    /// What it is about, in a line.
    pub title: String,
    /// Where the paper has it; empty where it goes beyond.
    #[serde(default)]
    pub paper: String,
    /// What is done, and what the paper leaves open.
    pub about: String,
    /// What was learned from it: where we win or lose, and why.
    #[serde(default)]
    pub lesson: String,
    /// What kind of experiment it is.
    #[serde(default)]
    pub kind: Kind,
    /// What is simulated, where it differs from the defaults.
    #[serde(default)]
    pub simulation: Parameters,
    /// Steps at which graphs are scored, from 1; none: the mean over steps alone.
    #[serde(default)]
    pub times: Vec<usize>,
    /// Whether the truth stays, so that the edges found at most steps are the estimate.
    #[serde(default)]
    pub still: bool,
    /// Whether only the lags of the truth are scored, as the paper does with unknown lags.
    #[serde(default)]
    pub true_lags_only: bool,
    /// Edges in the table: `all`, `instantaneous`, `lagged`.
    #[serde(default = "all_edges")]
    pub edges: Vec<String>,
    /// Scores in the table; the first is in the figure.
    #[serde(default = "usual_metrics")]
    pub metrics: Vec<String>,
    /// The reading that stands on the page of all results; none: the first.
    #[serde(default)]
    pub headline: Option<String>,
    /// Name of the experiment in the list of published values.
    #[serde(default)]
    pub published: Option<String>,
    /// The sizes that are compared.
    pub settings: Vec<Setting>,
    /// Weights and thresholds; none: both readings of the paper.
    #[serde(default)]
    pub readings: Vec<Reading>,
    /// Rows beside, or in place of those of the same name among, the usual ones.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// The usual rows that take part; none: all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Whether methods to compare with take part.
    #[serde(default)]
    pub comparisons: bool,
    /// Parameters of a method in every setting, by the name of the method.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The short form.
    pub quick: Size,
    /// The full form.
    #[serde(default)]
    pub full: Size,
}

/// What kind of experiment it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Scores against the truth.
    #[default]
    Scores,
    /// The same, and how cyclicity falls in the course of a fit.
    Traces,
    /// True and estimated weights as a picture.
    Matrices,
    /// Values, gradients and run time of the constraints.
    Constraints,
}

/// One size, or one generator, of an experiment.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Its name in the table.
    pub name: String,
    /// Its name in the list of published values.
    #[serde(default)]
    pub published: Option<String>,
    /// What is simulated, where it differs from the experiment's.
    #[serde(default)]
    pub simulation: Parameters,
    /// The lag that is fitted, where it is not the true one.
    #[serde(default)]
    pub fit_lag: Option<usize>,
    /// Parameters of a method in this setting, by the name of the method.
    #[serde(default)]
    pub parameters: Map<String, Value>,
}

/// A range of weights, and what counts as an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Its name in the table.
    pub name: String,
    /// The range of weights, where it is not the simulation's.
    #[serde(default)]
    pub weights: Option<(f64, f64)>,
    /// |weight| above which there is an edge, in truth and estimate.
    pub threshold: f64,
}

/// A method with some of its parameters set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
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
    /// The parameter that takes the threshold of the reading.
    #[serde(default)]
    pub prune: Option<String>,
    /// Whether an edge is where it is listed, however small its weight.
    #[serde(default)]
    pub as_listed: bool,
    /// The most variables it is run on; more takes too long.
    #[serde(default)]
    pub up_to: Option<usize>,
    /// The same in the short form.
    #[serde(default)]
    pub quick_up_to: Option<usize>,
    /// Whether it needs weights that a linear model gives.
    #[serde(default)]
    pub linear_only: bool,
    /// Where it is run on fewer seeds than the experiment has: more take too long.
    #[serde(default)]
    pub few: Vec<Few>,
}

/// Fewer seeds where there are many variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Few {
    /// The number of variables above which this holds.
    pub above: usize,
    /// The most seeds there.
    pub seeds: u64,
}

/// How large a form of an experiment is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Size {
    /// How many seeds.
    pub seeds: u64,
    /// The settings that take part; none: all.
    pub settings: Vec<String>,
    /// The readings that take part; none: all.
    pub readings: Vec<String>,
    /// What is simulated, where it differs; published values are then left out.
    pub simulation: Parameters,
    /// Seconds after which a fit is given up.
    pub seconds: f64,
    /// About how many minutes the form takes on two cores.
    pub minutes: f64,
}

impl Default for Size {
    fn default() -> Self {
        Self {
            seeds: 10,
            settings: Vec::new(),
            readings: Vec::new(),
            simulation: Map::new(),
            seconds: 1800.0,
            minutes: 0.0,
        }
    }
}

fn all_edges() -> Vec<String> {
    vec!["all".to_owned()]
}

fn usual_metrics() -> Vec<String> {
    ["F1", "TPR", "SHD"].map(String::from).to_vec()
}

impl Experiment {
    /// An error that names the experiment.
    pub(super) fn wrong(&self, reason: impl ToString) -> Error {
        Error::Experiment { experiment: self.name.clone(), reason: reason.to_string() }
    }

    /// The form that was asked for.
    pub fn size(&self, quick: bool) -> &Size {
        if quick { &self.quick } else { &self.full }
    }

    /// Where scores are taken: the steps asked for, or the mean over all.
    pub(super) fn places(&self) -> Vec<String> {
        if self.still {
            return vec!["still".into()];
        }
        if self.times.is_empty() {
            return vec!["mean".into()];
        }
        self.times.iter().map(|time| format!("t={time}")).collect()
    }

    /// Edges and scores of the table: all scores at few places, only the first where there are many.
    pub(super) fn shown(&self) -> Vec<(&String, &String)> {
        let many = self.places().len() * self.edges.len() > 5;
        let taken = if many { 1 } else { self.metrics.len() };
        let of = |edges| self.metrics.iter().take(taken).map(move |metric| (edges, metric));
        self.edges.iter().flat_map(of).collect()
    }

    /// What a setting simulates in a form and a reading.
    ///
    /// # Errors
    /// If a parameter is unknown or out of range.
    pub fn simulation(
        &self,
        setting: &Setting,
        reading: &Reading,
        quick: bool,
    ) -> Result<Simulation> {
        let usual = serde_json::to_value(Simulation::default());
        let Ok(Value::Object(mut all)) = usual else {
            return Err(self.wrong("the defaults of a simulation are no table"));
        };
        let layers = [&self.simulation, &setting.simulation, &self.size(quick).simulation];
        all.extend(layers.into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
        let found: std::result::Result<Simulation, _> = serde_json::from_value(Value::Object(all));
        let mut simulation = found.map_err(|reason| {
            self.wrong(format!("simulation of setting `{}`: {reason}", setting.name))
        })?;
        if let Some(weights) = reading.weights {
            simulation.weights = weights;
        }
        simulation.check()?;
        Ok(simulation)
    }

    /// The settings of a part, in order.
    ///
    /// # Errors
    /// If one is asked for that is not there.
    pub fn settings_of(&self, part: &Part) -> Result<Vec<&Setting>> {
        let known = || self.settings.iter().map(|setting| setting.name.as_str());
        if let Some(name) = part.settings.iter().find(|name| !known().any(|own| own == **name)) {
            return Err(Error::unknown("setting", name, known()));
        }
        let of_form = &self.size(part.quick).settings;
        let chosen = if part.settings.is_empty() { of_form } else { &part.settings };
        let taken = |setting: &&Setting| chosen.is_empty() || chosen.contains(&setting.name);
        Ok(self.settings.iter().filter(taken).collect())
    }
}

impl Row {
    /// The name of the method.
    pub fn method(&self) -> &str {
        self.method.as_deref().unwrap_or(&self.name)
    }

    /// How many of an experiment's seeds it is run on with so many variables.
    pub fn seeds(&self, all: u64, variables: usize) -> u64 {
        let limits = self.few.iter().filter(|few| variables > few.above).map(|few| few.seeds);
        limits.fold(all, u64::min)
    }

    /// The most variables it is run on in a form.
    pub fn limit(&self, quick: bool) -> Option<usize> {
        if quick { self.quick_up_to.or(self.up_to) } else { self.up_to }
    }
}
