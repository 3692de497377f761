#![doc = include_str!("../README.md")]
//! # What it is made of
//! [`DyCausal`] learns weights at knots, interpolated in between, that reconstruct the series from their causes and
//! are driven towards acyclicity. It is one of the methods that ship with `dycausal`, by the name `dycausal`.
//!
//! A room asks only those above it here; a test (`rooms.rs`) holds that:
//!
//! ```text
//! optimise                     Adam, the central path, its stopping rule, checkpoints
//! acyclicity                   what says how far a matrix is from having no cycle
//! kernels  parameters          loops; what can be set
//! grid  balance                which steps and knots there are, and how much a step counts
//! encoder  decoder  weights    a state of each knot, and the weights that are made of it
//! model                        how well weights reconstruct the series: the loss
//! order  sparsity              acyclicity of all knots or steps; the lasso
//! objective  parts             all of it as one function; which parts it is made of
//! equal_noise                  the score that an order is improved by
//! method                       from a panel to a graph
//! ```
//!
//! ```
//! use dycausal::{Discover, Panel, Run};
//! use dycausal_published::DyCausal;
//! use ndarray::Array3;
//!
//! // Eight series of 30 steps: `b` follows `a` one step later.
//! let noise = |n: usize, t: usize, v: usize| ((n * 7919 + t * 104_729 + v * 15_485_863) % 1009) as f64 / 1009.0;
//! let values = Array3::from_shape_fn((8, 30, 2), |(n, t, v)| match v {
//!     1 if t > 0 => noise(n, t - 1, 0) + 0.1 * noise(n, t, 1),
//!     _ => noise(n, t, v),
//! });
//! let panel = Panel::new(values, vec!["a".into(), "b".into()])?;
//! let fitted = DyCausal { iterations: 300, ..DyCausal::default() }.fit(&panel, &mut Run::new(0))?;
//! assert!(fitted.graph.weight(15, 1, 0, 1) > 0.5);
//! assert!(fitted.path.loss.last() < fitted.path.loss.first());
//! # Ok::<(), dycausal::Error>(())
//! ```

pub mod acyclicity;
mod balance;
pub mod decoder;
pub mod encoder;
mod equal_noise;
#[cfg(test)]
#[path = "../../dycausal/src/fixed_noise.rs"]
mod fixed_noise;
pub mod grid;
mod kernels;
mod method;
pub mod model;
mod objective;
pub mod optimise;
mod order;
pub mod parameters;
mod parts;
#[cfg(test)]
mod rooms;
mod sparsity;
mod weights;

use dycausal::Method;

pub use method::{Fitted, Variant};
pub use parameters::DyCausal;
pub use parts::Setting;

/// The methods of this crate.
pub fn methods() -> Vec<Method> {
    vec![Method::of::<DyCausal>()]
}
