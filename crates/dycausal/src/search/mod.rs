//! The search over orders of the variables, for any local score.
//!
//! A score ([`crate::scores::LocalScore`]) says what a variable costs given what precedes it; the
//! search finds the order with the least total, and never asks for the same cost twice.
//!
//! [`learn`] is all there is to call, with a score, a [`Start`], what is [`Given`] and a [`crate::Run`]:
//!
//! ```no_run
//! # fn with<S: dycausal::scores::LocalScore>(score: &S) -> dycausal::Result<()> {
//! use dycausal::Run;
//! use dycausal::search::{Given, Start, learn};
//!
//! let learned = learn(score, Start::Anywhere, &Given::default(), &Run::new(0))?;
//! println!("causes first: {:?}, at a total of {}", learned.order(), learned.total());
//! println!("columns that cause variable 2: {:?}", learned.parents(2));
//! # Ok(())
//! # }
//! ```

mod candidates;
mod construct;
mod given;
mod insertion;
mod last_look;
mod learn;
mod moves;
mod node;
mod rounds;
mod state;

pub use given::Given;
pub use learn::{Learned, Start, learn};

#[cfg(test)]
pub(crate) use last_look::regressions;
pub(crate) use state::{Depth, Scorer, State};

#[cfg(test)]
mod tests;
