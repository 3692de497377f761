//! What a run finds on its way to a graph, beside the graph: one field for each fact.
//!
//! `run.json` has it under the names of these fields, in this order.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// What was found on the way; `None` where a method has nothing to tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// How far the graph that was learned is from acyclic, where that is a constraint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cyclicity: Option<f64>,
    /// The decay of each variable per step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay: Option<BTreeMap<String, f64>>,
    /// How many edges were selected, tested and listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Counts>,
    /// Differential equations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equations: Option<Vec<WrittenEquation>>,
    /// The systems that were tried, with the score of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<TriedSystem>>,
    /// What effects are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<FunctionsOfEffects>,
    /// Steps from the beginning that were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<usize>,
    /// What was known beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knowledge: Option<StatedKnowledge>,
    /// How the lag was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lag: Option<LagChoice>,
    /// The library of terms that was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// How many links were tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links_tested: Option<usize>,
    /// What was done about missing cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<CellCounts>,
    /// The models that were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<ComparedModel>>,
    /// What was minimised, at its minimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<f64>,
    /// The variables, causes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
    /// Changes that several edges make together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regimes: Vec<RegimeChange>,
    /// The scheme of integration that was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    /// What a second look found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_look: Option<SecondLook>,
    /// What was taken out of the data beforehand, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_out: Option<Vec<String>>,
    /// Facts of methods from elsewhere, and of files of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Facts {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads facts of any version: where one has a form that is not known, all are kept as they are.
    ///
    /// # Errors
    /// If what is read is no object.
    pub fn of_any_version<'de, D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let written = Map::deserialize(reader)?;
        let known = serde_json::from_value(Value::Object(written.clone()));
        Ok(known.unwrap_or_else(|_| Self { other: written, ..Self::default() }))
    }
}

/// How many edges there were at each stage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Selected by score.
    pub selected: usize,
    /// Of these, tested: rows were enough for a regression.
    pub tested: usize,
    /// Listed.
    pub listed: usize,
}

/// How the lag was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LagChoice {
    /// The lag that was taken.
    pub chosen: usize,
    /// \[lag − 1\]: how much more it costs than the one that costs least, in units of −2 log likelihood.
    #[serde(alias = "scores")]
    pub worse: Vec<f64>,
    /// What a longer lag has to gain to be taken, where that is more than nothing.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub margin: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde asks for it
fn is_nothing(margin: &f64) -> bool {
    *margin <= 0.0
}

/// What effects are made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FunctionsOfEffects {
    /// So many functions of time.
    OfTime(usize),
    /// Functions of each cause, and of time.
    OfCauses {
        /// Of the cause.
        of_cause: usize,
        /// Of time.
        of_time: usize,
    },
    /// In words, for each variable.
    Words(Vec<String>),
}

/// An edge by names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedEdge {
    /// The cause.
    pub source: String,
    /// The effect.
    pub target: String,
    /// How many steps the cause is ahead.
    pub lag: usize,
}

/// What a second look found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondLook {
    /// Edges that were added.
    pub added: Vec<NamedEdge>,
    /// How many could have been.
    pub candidates: usize,
}

/// What was known beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedKnowledge {
    /// Where it was written.
    pub source: String,
    /// What was said.
    pub statements: Vec<String>,
}

/// Cells that are missing, and what was done about them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellCounts {
    /// What was done.
    pub how: String,
    /// Cells that are missing.
    pub missing: usize,
    /// Of these, cells that were filled.
    pub filled: usize,
    /// Rows that were left out.
    pub rows_left_out: usize,
}

/// One of the models that were compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedModel {
    /// What it is called.
    pub model: String,
    /// Log likelihood of unseen rows, per row.
    pub log_likelihood: f64,
    /// By how much it is above that of the linear model, over all rows.
    pub gain: f64,
    /// The standard error of that.
    pub error: f64,
    /// How many edges it has.
    pub edges: usize,
    /// Whether it was taken.
    pub chosen: bool,
}

/// A system of differential equations that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriedSystem {
    /// What right-hand sides are made of.
    pub library: String,
    /// How they are averaged over a step.
    pub scheme: String,
    /// Functions of time of each coefficient.
    pub functions: usize,
    /// The sum over the equations looked at; the smaller, the better.
    pub score: f64,
}

/// A differential equation in the data's units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEquation {
    /// The variable.
    pub variable: String,
    /// `dx3/dt = -1.02 x3 + 0.98 x1 x2`.
    pub words: String,
    /// The same as LaTeX.
    pub latex: String,
}

/// A change that several edges make together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegimeChange {
    /// The time of the change.
    pub at: String,
    /// The edges: cause, effect, lag.
    pub edges: Vec<(String, String, usize)>,
    /// The latest time that it may be at.
    pub high: String,
    /// The earliest.
    pub low: String,
    /// All of it in words.
    pub words: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Record {
        #[serde(deserialize_with = "Facts::of_any_version")]
        facts: Facts,
    }

    fn read(facts: &str) -> Facts {
        serde_json::from_str::<Record>(&format!(r#"{{"facts": {facts}}}"#)).unwrap().facts
    }

    #[test]
    fn facts_are_written_under_the_names_of_before() {
        let facts = Facts {
            lag: Some(LagChoice { chosen: 2, worse: vec![3.0, 0.0], margin: 0.0 }),
            edges: Some(Counts { selected: 3, tested: 2, listed: 1 }),
            functions: Some(FunctionsOfEffects::OfCauses { of_cause: 6, of_time: 1 }),
            taken_out: Some(Vec::new()),
            ..Facts::default()
        };
        let text = serde_json::to_string(&facts).unwrap();
        let known = r#"{"edges":{"selected":3,"tested":2,"listed":1},"functions":{"of_cause":6,"of_time":1},"lag":{"chosen":2,"worse":[3.0,0.0]},"taken_out":[]}"#;
        assert_eq!(text, known);
        assert_eq!(read(&text), facts);
        assert_eq!(serde_json::to_string(&Facts::default()).unwrap(), "{}");
    }

    #[test]
    fn facts_of_other_versions_are_read() {
        let before = read(r#"{"lag": {"chosen": 1, "scores": [0.0, -3.0]}, "told": [1, 2]}"#);
        assert_eq!(before.lag.unwrap().worse, [0.0, -3.0]);
        assert_eq!(before.other["told"], serde_json::json!([1, 2]));
        // A number that JSON has no word for, and a fact in a form that came later.
        let strange = read(r#"{"lag": {"chosen": 1, "worse": [null]}, "edges": "many"}"#);
        assert!(strange.lag.is_none() && strange.other.len() == 2, "{strange:?}");
    }
}
