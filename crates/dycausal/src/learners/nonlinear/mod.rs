//! Methods for effects that are no straight lines, on the same search over orders as the linear one.
//!
//! [`Additive`]: effects that bend and add up, and may move in time. [`GaussianProcess`]: effects of any
//! shape, products among them, that stay. What both need of the data is in `data`, how the lag is chosen in
//! `lag`, what they say of an edge in `edges`.

mod additive;
mod curves;
mod data;
mod edges;
mod gp;
mod lag;
mod ranking;

pub use additive::Additive;
pub(super) use data::prepared;
pub use gp::{Bends, GaussianProcess};

use crate::error::{Error, Result};
use crate::run::{Auto, Run};

/// Whether parameters that all of these methods have make sense.
fn check(alpha: f64, level: f64, season: Auto<usize>) -> Result<()> {
    if !(alpha > 0.0 && alpha <= 1.0) {
        return Err(Error::parameter("alpha", alpha, "above 0, at most 1"));
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(Error::parameter("level", level, "between 0 and 1"));
    }
    if let Some(period @ 1..=2) = season.value() {
        return Err(Error::parameter("season", period, "3 or more, none, or auto"));
    }
    Ok(())
}

/// Says how many edges could as well point the other way.
fn warn_of_open(open: usize, run: &mut Run) {
    if open > 0 {
        run.warn(format!(
            "{open} instantaneous edge(s) could as well point the other way: the data do not tell (mark `undirected`)"
        ));
    }
}

#[cfg(test)]
mod tests;
