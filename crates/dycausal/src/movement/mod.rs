//! How the weight of one edge moves: an average over models, each with the share the data give it.
//!
//! The room has its own path of data: step moments of one regression, a dictionary of functions of
//! time, priors, what the data say of one weight with the others integrated out (`profile`), how
//! likely each model makes them (`evidence`), and what is told: a [`Mixture`] per edge, its [`Motion`],
//! and tests along cosines.

mod absent;
mod average;
mod course;
mod dictionary;
mod evidence;
mod gaussian;
mod inflation;
mod kinds;
mod learn;
mod mixture;
mod motion;
mod moves;
mod normal;
mod pair_grid;
mod pairs;
mod prior;
mod profile;
mod remembered;
mod robust;
mod step_moments;
#[cfg(test)]
mod tests;
mod transforms;
mod whole_path;
mod working;

pub(crate) use absent::{Absent, Memory, Worth};
pub use course::{Course, Span};
pub(crate) use learn::{Moving, Told, Wanted};
pub use mixture::{Component, Mixture};
pub use motion::{Change, Kind, Motion};
pub(crate) use prior::Masses;
pub(crate) use whole_path::{WholePath, whole_path};
