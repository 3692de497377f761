//! What a battery is, and what part of it is asked for.

use dycausal::{DynamicGraph, Run};
use serde_json::{Map, Value};

use super::condition::{Condition, Sample};
use super::sketch::Sketch;
use crate::error::{Error, Result};

/// The first seed unless another is asked for; those below 1000 are for tuning.
pub const FIRST_SEED: u64 = 8000;

/// One column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
}

/// A method with some of its parameters set.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// What the table calls it.
    pub name: String,
    /// The parameters beyond the defaults and beyond what was asked for.
    pub set: Map<String, Value>,
}

impl Variant {
    /// The method as it comes.
    pub(super) fn plain() -> Self {
        Self { name: "default".into(), set: Map::new() }
    }

    /// The method with one parameter set.
    pub(super) fn with(parameter: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let name = format!("{parameter}={shown}");
        Self { name, set: Map::from_iter([(parameter.to_owned(), value)]) }
    }
}

/// A data set, and what a method made of it.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The data set, with the answer.
    pub sample: &'a Sample,
    /// What was learned.
    pub graph: &'a DynamicGraph,
    /// The run that learned it, with what it noticed.
    pub run: &'a Run,
}

/// Conditions × variants of a method → figures.
pub struct Battery {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it measures, in a sentence.
    pub summary: &'static str,
    /// What is drawn and what counts.
    pub about: &'static str,
    /// The columns.
    pub figures: &'static [Figure],
    /// How many seeds.
    pub seeds: u64,
    /// How many seeds in the short form.
    pub quick_seeds: u64,
    /// The columns that are medians over seeds: a few that are far off would rule a mean.
    pub medians: &'static [&'static str],
    pub(super) conditions: fn() -> Vec<Condition>,
    pub(super) variants: fn() -> Vec<Variant>,
    /// The figures of one trial; one that is not defined is left out.
    pub(super) measure: fn(&Trial<'_>) -> Vec<(&'static str, f64)>,
    /// What is drawn of the trial of the first seed, if it is.
    pub(super) sketch: Option<fn(&Trial<'_>) -> Option<Sketch>>,
}

/// What part of a battery is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The short form.
    pub quick: bool,
    /// How many seeds, where not those of the form.
    pub seeds: Option<u64>,
    /// The first seed, where it is not 8000.
    pub first_seed: Option<u64>,
    /// The methods; none: `ordered`.
    pub methods: Vec<String>,
    /// The conditions; none: those of the form.
    pub conditions: Vec<String>,
    /// Parameters of the methods, below those of a variant.
    pub set: Map<String, Value>,
}

impl Battery {
    /// What most of them share: the method as it comes, and means of a few seeds.
    pub(super) const PLAIN: Self = Self {
        name: "",
        title: "",
        summary: "",
        about: "",
        figures: &[],
        seeds: 20,
        quick_seeds: 4,
        medians: &[],
        conditions: Vec::new,
        variants: || vec![Variant::plain()],
        measure: |_| Vec::new(),
        sketch: None,
    };

    /// The conditions, in the order of the table.
    pub fn conditions(&self) -> Vec<Condition> {
        (self.conditions)()
    }

    /// The conditions asked for.
    ///
    /// # Errors
    /// If there is none of a name.
    pub(super) fn chosen(&self, request: &Request) -> Result<Vec<Condition>> {
        let all = self.conditions();
        for name in &request.conditions {
            if all.iter().all(|condition| condition.name != *name) {
                let known = all.iter().map(|condition| condition.name.as_str());
                return Err(Error::unknown("condition", name, known));
            }
        }
        let taken = |condition: &Condition| match request.conditions.as_slice() {
            [] => condition.quick || !request.quick,
            names => names.contains(&condition.name),
        };
        Ok(all.into_iter().filter(taken).collect())
    }

    /// The seeds asked for.
    pub(super) fn seeds(&self, request: &Request) -> Vec<u64> {
        let usual = if request.quick { self.quick_seeds } else { self.seeds };
        let first = request.first_seed.unwrap_or(FIRST_SEED);
        (first..first.saturating_add(request.seeds.unwrap_or(usual))).collect()
    }
}
