//! What a row is: which cells are there, what they are counted from, in what unit, and how much
//! each row counts.
//!
//! Every method, `inspect`, the residual checks and the report ask this room, so that what is
//! fitted, what is checked and what is drawn are the same rows.

mod columns;
mod mean;
mod mean_curve;
mod own_lags;
mod preparation;
mod rows;
mod score_test;
mod season;
mod stacked;

pub(crate) use columns::Columns;
pub use mean_curve::{MeanCurve, Means};
pub(crate) use own_lags::own_orders;
pub use preparation::Preparation;
pub(crate) use rows::CompleteRows;
pub use season::Season;
pub(crate) use season::calendar;
