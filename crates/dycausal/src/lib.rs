//! Learns how cause and effect change over time from multivariate time series.
//!
//! Data flow in one direction, and nothing downstream changes what it was given:
//!
//! ```text
//! Panel ─▶ design ─▶ a method (Discover) ─▶ DynamicGraph ─▶ Diagnostics
//! ```
//!
//! So do imports. A room asks only those above it here; a test (`rooms.rs`) holds that:
//!
//! ```text
//! error
//! vectors  linear_algebra  real  bounded     numbers
//! order                                     what comes before what
//! panel  knowledge  run                     what is given: series, what is known, how to run
//! basis  design  prepare                    how weights move; what a row is; columns prepared
//! moments                                   sums of products
//! inference  movement                       is an edge there, and how does it move
//! graph                                     the answer
//! scores  search                            what a variable costs, and the order that costs least
//! inspect  diagnostics                      what data support, and what a graph leaves unexplained
//! method                                    what every method is
//! learners                                  the methods
//! ```
//!
//! - [`Panel`]: the series, with names, times and missing cells;
//! - [`Moments`]: lagged second moments per step, which add up over series;
//! - [`Basis`]: how a weight moves in time;
//! - [`Discover`]: what every method is; [`methods`] lists them;
//! - [`Knowledge`]: what is known of the graph beforehand, given to a [`Run`];
//! - [`DynamicGraph`]: edges (from, to, lag) with a trajectory each, acyclic within every step;
//! - [`Diagnostics`]: whether to believe it, by what it leaves unexplained.
//!
//! ```
//! use dycausal::{Discover, LaggedLeastSquares, Panel, Run};
//! use ndarray::Array3;
//!
//! // Eight series of 30 steps: `b` follows `a` one step later.
//! let noise = |n: usize, t: usize, v: usize| ((n * 7919 + t * 104_729 + v * 15_485_863) % 1009) as f64 / 1009.0;
//! let values = Array3::from_shape_fn((8, 30, 2), |(n, t, v)| match v {
//!     1 if t > 0 => noise(n, t - 1, 0) + 0.1 * noise(n, t, 1),
//!     _ => noise(n, t, v),
//! });
//! let panel = Panel::new(values, vec!["a".into(), "b".into()])?;
//! let graph = LaggedLeastSquares::default().discover(&panel, &mut Run::new(0))?;
//! assert!(graph.weight(15, 1, 0, 1) > 0.9);
//! # Ok::<(), dycausal::Error>(())
//! ```

pub mod basis;
pub mod bounded;
mod design;
pub mod diagnostics;
mod error;
#[cfg(test)]
mod fixed_noise;
pub mod graph;
pub mod inference;
pub mod inspect;
mod knowledge;
mod learners;
pub mod linear_algebra;
mod method;
mod moments;
pub mod movement;
pub mod order;
mod panel;
pub mod prepare;
pub mod real;
#[cfg(test)]
mod rooms;
mod run;
pub mod scores;
pub mod search;
pub mod vectors;

pub use basis::Basis;
pub use basis::Family;
pub use design::{
    Filled, MeanCurve, Means, Missing, MissingCells, Preparation, Season, fill_missing,
};
pub use diagnostics::Diagnostics;
pub use error::{Error, Result, nearest};
pub use graph::{Certificate, DynamicGraph, Edge, Mark};
pub use knowledge::{Content, Knowledge, Statements, Written};
pub use learners::{
    Additive, Bends, ByEvidence, GaussianProcess, LaggedLeastSquares, Library, Movement, Ode,
    Ordered, Relax, Scheme, SeriesEffects, methods,
};
pub use method::{Described, Discover, Method, Parameter, Scope, find};
pub use moments::Moments;
pub use panel::{Hole, Panel, Summary, TimeIndex, calendar};
pub use prepare::{Prepared, Recipe};
pub use run::{Auto, Cancel, Checkpoint, PanelShape, Progress, Run, Silent, Timing, memory};
