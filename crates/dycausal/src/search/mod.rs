//! The search over orders of the variables, for any local score.
//!
//! A score ([`crate::scores::LocalScore`]) says what a variable costs given what precedes it; the
//! search finds the order with the least total, and never asks for the same cost twice.

mod candidates;
mod construct;
mod cut;
mod given;
mod insertion;
mod last_look;
mod learn;
mod moves;
mod node;
mod rounds;
mod state;
mod tree;

pub(crate) use cut::cut;
pub(crate) use given::Given;
#[cfg(test)]
pub(crate) use last_look::regressions;
pub(crate) use learn::{Learned, Start, learn};
pub(crate) use state::{Depth, Scorer, State};

#[cfg(test)]
mod tests;
