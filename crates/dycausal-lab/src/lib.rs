#![doc = include_str!("../README.md")]
//! Simulators with known truth, scores and experiments.
//!
//! ```
//! use dycausal_lab::metrics::{Options, score};
//! use dycausal_lab::simulate::Simulation;
//!
//! let small = Simulation { variables: 5, series: 20, ..Simulation::default() };
//! let simulated = small.draw(1)?;
//! let scores = score(&simulated.truth, &simulated.truth, Options::default())?;
//! assert_eq!(scores.all.average.f1, Some(1.0));
//! # Ok::<(), dycausal_lab::Error>(())
//! ```
//!
//! Its rooms, each of which asks only those above it (a test holds that):
//!
//! ```text
//! error
//! metrics simulate    scores; data with a known truth
//! oracle              what the true parents would give
//! study               cells, runner, store, tallies, table, page and picture of everything that is run
//! compare             several methods on the same data
//! battery real        whether what is listed can be trusted; recorded data
//! reproduce           experiments, and the page of all results
//! ```

pub mod battery;
pub mod compare;
mod error;
pub mod metrics;
mod oracle;
pub mod real;
pub mod reproduce;
#[cfg(test)]
mod rooms;
pub mod simulate;
pub mod study;

pub use error::{Error, Result};
pub use oracle::oracle;
