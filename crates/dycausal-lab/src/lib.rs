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

pub mod battery;
pub mod compare;
mod error;
pub mod metrics;
mod oracle;
pub mod reproduce;
pub mod simulate;

pub use error::{Error, Result};
pub use oracle::oracle;
