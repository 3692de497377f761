//! What the method is optimised with: Adam, a stopping rule, the central path, and what is kept of a fit that is
//! interrupted.

mod adam;
mod central_path;
mod outside;
mod state;
mod stopping;

pub use adam::{Adam, EPSILON, FIRST, SECOND, Trained};
pub use central_path::{CentralPath, Evaluation, Path, Problem};
pub use outside::Outside;
pub use state::{Reader, State, write_numbers};
pub use stopping::Stopping;
