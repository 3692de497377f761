//! What of an edge was known before the data were asked.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the user said of an edge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// Nothing: the edge was learned.
    #[default]
    Nothing,
    /// Its direction within the step: that there is an edge was learned, its reverse was ruled out.
    Direction,
    /// The edge itself: it is there because it was required. Its weight was learned.
    Edge,
}

impl Given {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Nothing, Self::Direction, Self::Edge];

    /// The word in files and tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Direction => "direction",
            Self::Edge => "edge",
        }
    }

    /// Whether all of the edge was learned.
    pub fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}

impl fmt::Display for Given {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.word())
    }
}
