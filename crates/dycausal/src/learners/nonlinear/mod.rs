//! Methods for effects that are no straight lines, on the same search over orders as the linear one.
//!
//! [`Additive`]: effects that bend and add up, and may move in time. [`GaussianProcess`]: effects of any
//! shape, products among them, that stay. What both need of the data is in `data`, how the lag is chosen in
//! `lag`, how an edge is tested in `group_test`.

mod additive;
mod curves;
mod data;
mod explained;
mod gp;
mod group_test;
mod lag;
mod ranking;
mod series_weights;

pub use additive::Additive;
pub(super) use data::prepared;
pub use gp::{Bends, GaussianProcess};

#[cfg(test)]
mod tests;
