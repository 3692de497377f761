//! Tables, wide or long, on their way to a panel: what text and columnar formats share.

mod frame;
mod instant;
mod labels;
mod order;
mod placing;
mod roles;
mod rows;
mod times;
mod zone;

pub use frame::{Arranged, Frame, FrameTimes, arrange};
pub use instant::date_seconds;
pub(crate) use instant::{Instant, is_date};
pub(crate) use placing::{Placing, place};
pub(crate) use roles::{Roles, keep};
pub(crate) use rows::Rows;
pub(crate) use times::RowTimes;
