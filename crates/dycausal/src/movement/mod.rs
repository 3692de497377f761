//! How the weight of one edge moves: an average over models, each with the share the data give it.

mod course;
mod mixture;
mod motion;
mod normal;
mod regimes;

pub use course::{Course, Span};
pub use mixture::{Component, Mixture};
pub use motion::{Change, Kind, Motion};
pub use regimes::Regime;
