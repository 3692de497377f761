//! What is done to columns before a graph is learned: explicit, in an order, with a record.
//!
//! A [`Recipe`] is a list of [`Step`]s, written `log:sales,difference(12):price,standardise`; applied
//! to a panel it gives another panel, and a [`Prepared`] record that says what was done, what a unit of
//! each column is then, and what the column looked like before and after. Nothing else in the library
//! changes data: methods see the panel that comes out.

mod clip;
mod column;
mod deseason;
mod detrend;
mod difference;
mod kind;
mod log;
mod rank;
mod recipe;
mod record;
mod standardise;
#[cfg(test)]
mod tests;

pub(crate) use clip::bounds;
pub(crate) use column::Column;
pub(crate) use detrend::line;
pub use kind::Kind;
pub use recipe::{Recipe, Step};
pub use record::{Prepared, PreparedColumn, Sketch};
