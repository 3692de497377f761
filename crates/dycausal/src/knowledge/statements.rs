//! What a user says of a graph, by name; not yet held against data.

use serde_json::Value;

use super::lags::Lags;
use super::parse;
use super::written::Written;
use crate::error::{Error, Result};

/// What a user says of a graph, as it was written.
///
/// | key | says |
/// |---|---|
/// | `forbid` | edges that are not there: `from`, `to`, and optionally `lag`, `since`, `until` |
/// | `require` | edges that are there: the same, `lag` needed |
/// | `tiers` | lists of variables; nothing in a later one causes anything in an earlier one, at any lag |
/// | `order` | the same within a step only |
/// | `roots` | variables that nothing causes but their own past |
/// | `sinks` | variables that cause nothing but their own future |
/// | `own_lags_only` | variables on which, of all that was before, only their own past acts |
/// | `groups` | names for lists of variables |
/// | `allow` | which group may point at which; between other groups there are no edges |
///
/// A name is that of a variable or a group, or a pattern in which `*` is any text and `?` any
/// character. Own effects are meant only where one variable is named on both sides.
///
/// ```
/// use dycausal::{Statements, TimeIndex};
/// use serde_json::json;
///
/// let said = Statements::from_json("example", json!({
///     "tiers": [["rain*"], ["soil", "river"]],
///     "require": [{"from": "rain", "to": "soil", "lag": 1}],
/// }))?;
/// let names = ["rain", "rain2", "soil", "river"].map(String::from);
/// let known = said.resolve(&names, &TimeIndex::Steps(20), &|_| None)?;
/// assert!(!known.allows(2, 0, 3) && known.allows(0, 2, 0));
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statements {
    /// Where they were written.
    pub(super) source: String,
    pub(super) edges: Vec<EdgeStatement>,
    pub(super) groups: Vec<(Name, Vec<Name>)>,
    pub(super) allowed: Vec<(Name, Name)>,
    pub(super) tiers: Vec<Vec<Name>>,
    pub(super) order: Vec<Vec<Name>>,
    pub(super) roots: Vec<Name>,
    pub(super) sinks: Vec<Name>,
    pub(super) own_lags_only: Vec<Name>,
}

/// The name of a variable or a group, or a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub text: String,
    pub line: Option<usize>,
}

/// Edges that are forbidden or required.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EdgeStatement {
    pub required: bool,
    pub from: Vec<Name>,
    pub to: Vec<Name>,
    pub lags: Lags,
    pub since: Option<Name>,
    pub until: Option<Name>,
    pub line: Option<usize>,
}

impl Statements {
    /// Reads what was written; `source` names the file in messages.
    ///
    /// # Errors
    /// If there is a key that is not known, or a value that is none of its kind.
    pub fn from_written(source: &str, written: &Written) -> Result<Self> {
        parse::statements(source, written)
    }

    /// The same from JSON, which has no lines.
    ///
    /// # Errors
    /// As [`Statements::from_written`].
    pub fn from_json(source: &str, value: Value) -> Result<Self> {
        Self::from_written(source, &value.into())
    }

    /// Each statement in a few words.
    pub fn words(&self) -> Vec<String> {
        let listed = |names: &[Name]| {
            names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
        };
        let mut words: Vec<String> = self.edges.iter().map(|edge| edge.words(listed)).collect();
        let tiers = |what: &str, tiers: &[Vec<Name>]| {
            let all: Vec<String> = tiers.iter().map(|tier| listed(tier)).collect();
            (!tiers.is_empty()).then(|| format!("{what}: {}", all.join(" | ")))
        };
        words.extend(tiers("tiers", &self.tiers));
        words.extend(tiers("order", &self.order));
        let lists = [
            ("roots", &self.roots),
            ("sinks", &self.sinks),
            ("own_lags_only", &self.own_lags_only),
        ];
        for (what, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            words.push(format!("{what}: {}", listed(names)));
        }
        words.extend(self.groups.iter().map(|(g, of)| format!("group {}: {}", g.text, listed(of))));
        words.extend(self.allowed.iter().map(|(a, b)| format!("allow {} → {}", a.text, b.text)));
        words
    }

    /// A refusal that names the lines.
    pub(super) fn refused(
        &self,
        lines: impl IntoIterator<Item = Option<usize>>,
        what: impl Into<String>,
    ) -> Error {
        Error::knowledge(&self.source, lines, what)
    }
}

impl EdgeStatement {
    fn words(&self, listed: impl Fn(&[Name]) -> String) -> String {
        let verb = if self.required { "require" } else { "forbid" };
        let (from, to) = (listed(&self.from), listed(&self.to));
        let mut words = format!("{verb} {from} → {to} at {}", self.lags.text());
        for (word, time) in [("since", &self.since), ("until", &self.until)] {
            if let Some(time) = time {
                words.extend([" ", word, " ", time.text.as_str()]);
            }
        }
        words
    }
}
