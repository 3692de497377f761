//! How sure: bands and tests of edges in a given order, and control over many of them.

pub(crate) mod covariance;
pub(crate) mod equation;
mod false_discovery;
pub(crate) mod own_past;
mod p_values;
pub(crate) mod partial;
mod wald;

pub use false_discovery::adjusted;
pub(crate) use false_discovery::adjusted_among;
pub(crate) use p_values::p_values;
pub(crate) use wald::{counting_rows, pointwise, simultaneous, wald_p};
