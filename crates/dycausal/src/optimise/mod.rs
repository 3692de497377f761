//! What the learners optimise with: numbers, Adam, a stopping rule, the central path.

mod adam;
mod central_path;
mod real;
mod state;
mod stopping;

pub(crate) use adam::{Adam, EPSILON, FIRST, SECOND, Trained};
pub use central_path::Path;
pub(crate) use central_path::{CentralPath, Evaluation, Problem};
pub(crate) use real::Real;
pub(crate) use state::{Reader, State, write_numbers};
