//! Whether the data tell which way an edge within a step points.

use crate::graph::{Edge, Mark};
use crate::run::Run;
use crate::thresholds::VERY_STRONG_EVIDENCE;

/// What the data say of the direction of an edge within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    /// Whether they tell it.
    pub told: bool,
    /// How sure the direction shown is, from 0.5, where both are as likely, to 1.
    pub confidence: f64,
}

impl Direction {
    /// Nothing is known.
    pub const OPEN: Self = Self { told: false, confidence: 0.5 };

    /// What it tells that the score is `worse` by so much, in units of −2 log likelihood, with the edge turned
    /// round: as a Bayes factor, 1/(1 + e^(−worse/2)).
    pub fn of(worse: f64) -> Self {
        let odds = 1.0 / (1.0 + (-worse / 2.0).exp());
        Self { told: worse >= VERY_STRONG_EVIDENCE, confidence: odds.max(0.5) }
    }

    /// Writes it into an edge.
    pub fn describe(self, edge: &mut Edge) {
        edge.mark = if self.told { Mark::Directed } else { Mark::Undirected };
        edge.confidence = Some(self.confidence);
    }

    /// Told only where both tell it, and as sure as the less sure one.
    pub fn and(self, other: Self) -> Self {
        Self {
            told: self.told && other.told,
            confidence: self.confidence.min(other.confidence).max(0.5),
        }
    }
}

/// Says how many edges could as well point the other way.
pub fn warn_of_open(open: usize, run: &mut Run) {
    if open > 0 {
        run.warn(format!(
            "{open} instantaneous edge(s) could as well point the other way: the data do not tell (mark `undirected`)"
        ));
    }
}
