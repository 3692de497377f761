//! What is known of the direction of an edge.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// Whether the direction that an edge shows is known.
///
/// Edges from an earlier step are directed by time; within a step the data may not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The cause comes first, as shown.
    #[default]
    Directed,
    /// The data cannot tell this edge from its reverse; the direction shown is one of the possible.
    Undirected,
    /// Parts of the data, or rules of the method, point both ways.
    Conflict,
}

impl Mark {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Directed, Self::Undirected, Self::Conflict];

    /// The word in files and tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Directed => "directed",
            Self::Undirected => "undirected",
            Self::Conflict => "conflict",
        }
    }

    /// Whether the direction shown is the one that was found.
    pub fn is_directed(&self) -> bool {
        *self == Self::Directed
    }

    /// A mark of a file: its word, or true and false as `undirected` had them in older files.
    pub(super) fn word_or_flag<'de, D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected `directed`, `undirected` or `conflict`")]
        enum MarkForm {
            Word(Mark),
            Undirected(bool),
        }
        Ok(match MarkForm::deserialize(reader)? {
            MarkForm::Word(mark) => mark,
            MarkForm::Undirected(true) => Self::Undirected,
            MarkForm::Undirected(false) => Self::Directed,
        })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, Trajectory};
    use super::*;

    fn edge(more: &str) -> serde_json::Result<Edge> {
        serde_json::from_str(&format!(
            r#"{{"from":0,"to":1,"lag":0,"trajectory":{{"constant":1.0}},"presence":[[0,2]]{more}}}"#
        ))
    }

    #[test]
    fn the_word_is_what_files_hold() {
        for mark in Mark::ALL {
            assert_eq!(serde_json::to_string(&mark).unwrap(), format!("\"{mark}\""));
        }
    }

    #[test]
    fn files_of_before_are_read() {
        let plain = Edge::new(0, 1, 0, Trajectory::Constant(1.0), 2);
        assert_eq!(edge("").unwrap(), plain);
        assert_eq!(edge(r#","undirected":false"#).unwrap(), plain);
        let open = Edge { mark: Mark::Undirected, ..plain };
        assert_eq!(edge(r#","undirected":true"#).unwrap(), open);
        assert_eq!(edge(r#","mark":"undirected""#).unwrap(), open);
        let refused = edge(r#","mark":"sideways""#).unwrap_err().to_string();
        assert!(refused.contains("`directed`, `undirected` or `conflict`"), "{refused}");
    }

    #[test]
    fn only_what_is_known_is_written() {
        let plain = Edge::new(0, 1, 0, Trajectory::Constant(1.0), 2);
        let text = serde_json::to_string(&plain).unwrap();
        assert!(!text.contains("mark") && !text.contains("confidence"), "{text}");
        let torn = Edge { mark: Mark::Conflict, confidence: Some(0.5), ..plain };
        let text = serde_json::to_string(&torn).unwrap();
        assert!(text.contains(r#""mark":"conflict","confidence":0.5"#), "{text}");
        assert_eq!(serde_json::from_str::<Edge>(&text).unwrap(), torn);
    }
}
