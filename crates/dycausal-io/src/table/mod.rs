//! Tables, wide or long, on their way to a panel: what text and columnar formats share.

mod instant;
mod roles;
mod rows;
mod times;

pub(crate) use instant::Instant;
pub use instant::date_seconds;
pub(crate) use roles::{Roles, find};
pub(crate) use rows::Rows;
