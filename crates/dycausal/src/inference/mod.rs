//! How sure: bands and tests of edges in a given order, and control over many of them.

pub(crate) mod covariance;
mod false_discovery;
pub(crate) mod listing;
pub(crate) mod partial;
mod wald;

pub use false_discovery::adjusted;
pub(crate) use false_discovery::adjusted_among;
pub(crate) use wald::{counting_rows, pointwise, simultaneous, wald_p};
