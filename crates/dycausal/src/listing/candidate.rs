//! An edge that a method selected, and what is decided of it.

use super::direction::Direction;
use crate::graph::{Edge, Tests};

/// An edge that a method selected.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Candidate {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// How many steps the cause is ahead.
    pub lag: usize,
    /// p of "there is no such edge"; `None` where it could not be tested.
    pub p: Option<f64>,
    /// What was tested, where that is told.
    pub statistic: Option<f64>,
    /// Whether it was known beforehand: it is listed whatever its test says.
    pub required: bool,
    /// What is known of its direction; `None` where time tells it.
    pub direction: Option<Direction>,
}

impl Candidate {
    /// Whether it is an effect of a variable on itself.
    pub fn is_own(&self) -> bool {
        self.from == self.to
    }
}

/// A candidate, and what it comes to among all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// The candidate.
    pub candidate: Candidate,
    /// Its p-value, adjusted within its family.
    pub q: f64,
}

impl Decision {
    /// p of "there is no such edge": 1 where it could not be tested.
    pub fn p(&self) -> f64 {
        self.candidate.p.unwrap_or(1.0)
    }

    /// Whether it is listed at a false discovery rate.
    pub fn is_listed(&self, alpha: f64) -> bool {
        self.candidate.required || self.q <= alpha
    }

    /// Writes tests and direction into an edge.
    pub fn describe(&self, edge: &mut Edge) {
        edge.tests = Some(Tests {
            statistic: self.candidate.statistic,
            absent: Some(self.p()),
            absent_adjusted: Some(self.q),
            ..Tests::default()
        });
        if let Some(direction) = self.candidate.direction {
            direction.describe(edge);
        }
    }
}
