//! What comes out of one fit.

use serde::{Deserialize, Serialize};

/// What fits that take too long say for themselves; with more time they may yet finish.
pub(crate) const GIVEN_UP: &str = "given up after";

/// One score. Cells of recorded data called its words otherwise before they were those of all studies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Which edges: `all`, `instantaneous` or `lagged`; empty where they have no such parts.
    pub edges: String,
    /// Where or by what: `t=1`, `mean`, `still`; of recorded data, what pairs are ranked by.
    #[serde(alias = "by")]
    pub at: String,
    /// The score.
    pub metric: String,
    /// Its value; shares are in percent.
    #[serde(alias = "mean")]
    pub value: f64,
    /// Whether effects of variables on themselves count, where pairs are ranked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub diagonal: bool,
}

impl Entry {
    /// A score of some edges somewhere.
    pub(crate) fn new(edges: &str, at: &str, metric: &str, value: f64) -> Self {
        let [edges, at, metric] = [edges, at, metric].map(str::to_owned);
        Self { edges, at, metric, value, diagonal: false }
    }

    /// Whether it is this score, of pairs of different variables.
    pub(crate) fn is(&self, edges: &str, at: &str, metric: &str) -> bool {
        !self.diagonal && self.edges == edges && self.at == at && self.metric == metric
    }
}

/// What came out of a cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The scores; those that are not defined are left out.
    #[serde(alias = "entries")]
    pub scores: Vec<Entry>,
    /// Seconds of the fit, on one thread.
    pub seconds: f64,
    /// Why there are no scores.
    #[serde(default)]
    pub failure: Option<String>,
    /// After how many seconds the fit was given up.
    #[serde(default)]
    pub given_up: Option<f64>,
    /// h in the course of the fit, where it was asked for.
    #[serde(default)]
    pub trace: Vec<f64>,
}

impl Outcome {
    /// No scores, and why.
    pub(crate) fn failed(why: impl ToString) -> Self {
        Self { failure: Some(why.to_string()), ..Self::default() }
    }

    /// No scores after so many seconds.
    pub(crate) fn given_up(seconds: f64) -> Self {
        let why = format!("{GIVEN_UP} {seconds} s");
        Self { given_up: Some(seconds), ..Self::failed(why) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_recorded_data_are_read_as_they_were_kept() {
        let text = r#"{"entries":[{"by":"weight","edges":"all","diagonal":true,"metric":"AUROC",
            "mean":0.5,"sd":null,"count":1}],"seconds":2.0,"failure":null,"given_up":null}"#;
        let kept: Outcome = serde_json::from_str(text).unwrap();
        let entry = Entry { diagonal: true, ..Entry::new("all", "weight", "AUROC", 0.5) };
        assert_eq!(kept, Outcome { scores: vec![entry], seconds: 2.0, ..Outcome::default() });
        let again: Outcome = serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
        assert_eq!(again, kept);
    }
}
