//! What the motion of a weight is called, how likely it is, and when it changes.

use serde::{Deserialize, Serialize};

use crate::panel::TimeIndex;

/// How a weight moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Not at all.
    Static,
    /// Smoothly.
    Drifts,
    /// It jumps once to another level.
    Jumps,
    /// It jumps once to a level of the other sign.
    Flips,
    /// It jumps twice.
    JumpsTwice,
    /// It is 0 and then is not.
    Appears,
    /// It is not 0 and then is.
    Vanishes,
    /// It is 0 but for a while.
    Pulses,
    /// It moves smoothly, and jumps once.
    DriftsAndJumps,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Static,
        Self::Drifts,
        Self::Jumps,
        Self::Flips,
        Self::JumpsTwice,
        Self::Appears,
        Self::Vanishes,
        Self::Pulses,
        Self::DriftsAndJumps,
    ];

    /// Its name in tables and files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Drifts => "drifts",
            Self::Jumps => "jumps",
            Self::Flips => "flips",
            Self::JumpsTwice => "jumps_twice",
            Self::Appears => "appears",
            Self::Vanishes => "vanishes",
            Self::Pulses => "pulses",
            Self::DriftsAndJumps => "drifts_and_jumps",
        }
    }
}

/// A sudden change of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The first step after it: the median of what is possible.
    pub at: usize,
    /// No earlier, at the level of the band.
    pub low: usize,
    /// No later, at the level of the band.
    pub high: usize,
}

/// How a weight moves, as far as the data tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// The likeliest kind.
    pub kind: Kind,
    /// How likely it is.
    pub probability: f64,
    /// How likely each kind is; those under one in a thousand are left out.
    pub shares: Vec<(Kind, f64)>,
    /// Its sudden changes, in order; none where it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

impl Motion {
    /// In words: `appears at 2021-03 ± 4 steps (97 %)`.
    ///
    /// ```
    /// use dycausal::TimeIndex;
    /// use dycausal::movement::{Change, Kind, Motion};
    ///
    /// let change = Change { at: 60, low: 56, high: 64 };
    /// let shares = vec![(Kind::Appears, 0.97), (Kind::Jumps, 0.03)];
    /// let motion = Motion { kind: Kind::Appears, probability: 0.97, shares, changes: vec![change] };
    /// assert_eq!(motion.words(&TimeIndex::Steps(100)), "appears at 61 ± 4 steps (97 %)");
    /// ```
    pub fn words(&self, times: &TimeIndex) -> String {
        let change = |(index, change): (usize, &Change)| {
            let reach = change.at.abs_diff(change.low).max(change.high.abs_diff(change.at));
            let joint = if index == 0 { "at" } else { "and" };
            let give = match reach {
                0 => String::new(),
                1 => " ± 1 step".to_owned(),
                _ => format!(" ± {reach} steps"),
            };
            format!(" {joint} {}{give}", times.label(change.at))
        };
        let changes: String = self.changes.iter().enumerate().map(change).collect();
        let kind = self.kind.word().replace('_', " ");
        format!("{kind}{changes} ({:.0} %)", 100.0 * self.probability)
    }
}
