//! What one check found, as data and in words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::rounded;

/// How far what was found is from what the graph promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing speaks against the graph here.
    Fine,
    /// Worth a look before the graph is used.
    Doubtful,
    /// The graph should not be believed here.
    Bad,
}

impl Verdict {
    /// Bad below .01, doubtful below .05, fine from there on.
    pub(super) fn of_p(p: f64) -> Self {
        if p < 0.01 {
            Self::Bad
        } else if p < 0.05 {
            Self::Doubtful
        } else {
            Self::Fine
        }
    }
}

/// The answer of one check for one variable, a pair of variables, or the whole graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The check's name.
    pub check: String,
    /// The variables it is about; none where it is about the whole graph.
    pub variables: Vec<String>,
    /// What was measured, by name.
    pub figures: BTreeMap<String, f64>,
    /// How likely as much would be if nothing were wrong, adjusted for the number of variables or
    /// pairs looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Whether to worry.
    pub verdict: Verdict,
    /// What it may mean.
    pub words: String,
}

impl Finding {
    /// A finding about some variables that nothing is known of yet.
    pub(super) fn about(check: &str, variables: &[&str]) -> Self {
        Self {
            check: check.to_owned(),
            variables: variables.iter().map(|name| (*name).to_owned()).collect(),
            figures: BTreeMap::new(),
            p: None,
            verdict: Verdict::Fine,
            words: String::new(),
        }
    }

    /// With one more figure; what is no number is left out, since JSON has no word for it.
    pub(super) fn with(mut self, name: &str, figure: f64) -> Self {
        if figure.is_finite() {
            self.figures.insert(name.to_owned(), rounded(figure));
        }
        self
    }

    /// With an adjusted p-value.
    pub(super) fn with_p(self, p: f64) -> Self {
        Self { p: Some(rounded(p.min(1.0))), ..self }
    }

    /// With a verdict in words.
    pub(super) fn judged(self, verdict: Verdict, words: impl Into<String>) -> Self {
        Self { verdict, words: words.into(), ..self }
    }
}

/// A share in whole percent, with a proper minus.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share).replace('-', "−")
}
