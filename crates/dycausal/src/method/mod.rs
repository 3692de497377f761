//! What a method is, and how it is found by name.

mod answer;
mod discover;
mod registry;

pub use discover::{Discover, Scope};
pub(crate) use discover::{agreeing, can_honour};
pub use registry::{Described, Method, Parameter, find};
