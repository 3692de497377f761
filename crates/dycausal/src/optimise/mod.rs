//! What the learners optimise with: numbers, Adam, a quasi-Newton method for weights that are not
//! negative, a stopping rule, the central path.

mod adam;
mod bounded;
mod central_path;
mod outside;
mod real;
mod state;
mod stopping;

pub use adam::{Adam, Trained};
pub(crate) use adam::{EPSILON, FIRST, SECOND};
pub use bounded::{Bounded, Minimum};
pub use central_path::Path;
pub(crate) use central_path::{CentralPath, Evaluation, Problem};
pub use outside::Outside;
pub use real::Real;
pub(crate) use state::{Reader, State, write_numbers};
