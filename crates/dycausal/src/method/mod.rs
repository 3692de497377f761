//! What a method is, how it is found by name, and what a run of it carries.

mod auto;
mod checkpoint;
mod discover;
pub mod memory;
mod progress;
mod registry;
mod run;

pub use auto::Auto;
pub use checkpoint::Checkpoint;
pub use discover::{Discover, Scope};
pub(crate) use discover::{agreeing, can_honour};
pub use memory::PanelShape;
pub use progress::{Progress, Silent};
pub use registry::{Described, Method, Parameter, find};
pub use run::{Cancel, Run, Timing};
