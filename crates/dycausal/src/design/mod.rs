//! What a row is: which cells are there, what they are counted from, in what unit, and how much
//! each row counts.
//!
//! Every method, `inspect`, the residual checks and the report ask this room, so that what is
//! fitted, what is checked and what is drawn are the same rows.

mod columns;
mod mean;
mod rows;
mod stacked;

pub(crate) use columns::Columns;
pub(crate) use rows::CompleteRows;
