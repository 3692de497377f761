//! What a row is: which cells are there, what they are counted from, in what unit, and how much
//! each row counts.
//!
//! The search over orders, `inspect`, the residual checks and the report ask this room, so that what is
//! fitted, what is checked and what is drawn are the same rows.

mod columns;
mod fill;
mod filled;
mod folds;
mod levels;
mod mean;
mod mean_curve;
mod missing;
mod observed;
mod own_lags;
mod partition;
mod preparation;
mod prepared;
mod profile;
mod rows;
mod score_test;
mod season;

pub(crate) use columns::{Columns, check_scale};
pub use filled::{Filled, fill_missing};
pub(crate) use folds::{FOLDS, Folds};
pub(crate) use levels::series_have_levels;
pub(crate) use mean::{smooth_mean, smoothed};
pub use mean_curve::{MeanCurve, Means};
pub use missing::{Missing, MissingCells};
pub(crate) use observed::Observed;
pub(crate) use own_lags::own_orders;
pub(crate) use partition::Partition;
pub use preparation::Preparation;
pub(crate) use prepared::Prepared;
pub use rows::UsableRows;
pub use season::Season;
pub(crate) use season::calendar;
