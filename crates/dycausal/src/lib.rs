#![doc = include_str!("../README.md")]
//! # How it is laid out
//! Data flow in one direction, and nothing downstream changes what it was given:
//!
//! ```text
//! Panel ─▶ design ─▶ a method (Discover) ─▶ DynamicGraph ─▶ Diagnostics
//! ```
//!
//! So do imports. A room asks only those above it here; a test (`rooms.rs`) holds that:
//!
//! ```text
//! error  thresholds                         what is refused; judgements that several rooms make
//! vectors  linear_algebra  real  bounded     numbers
//! order                                     what comes before what
//! panel  knowledge  run                     what is given: series, what is known, how to run
//! basis  design  prepare                    how weights move; what a row is; columns prepared
//! regression                                least squares of one variable on others
//! moments                                   sums of products
//! inference  movement                       is an edge there, and how does it move
//! graph                                     the answer
//! listing                                   which of the edges that were tested are listed
//! scores  search                            what a variable costs, and the order that costs least
//! inspect  diagnostics                      what data support, and what a graph leaves unexplained
//! method                                    what every method is
//! learners                                  the methods
//! ```
//!
//! - [`Panel`]: the series, with names, times and missing cells;
//! - [`Moments`]: lagged second moments per step, which add up over series;
//! - [`Basis`]: how a weight moves in time;
//! - [`Discover`]: what every method is; [`methods()`] lists them;
//! - [`Knowledge`]: what is known of the graph beforehand, given to a [`Run`];
//! - [`DynamicGraph`]: edges (from, to, lag) with a trajectory each, acyclic within every step;
//! - [`Diagnostics`]: whether to believe it, by what it leaves unexplained;
//! - [`LocalScore`](scores::LocalScore) and [`search::learn`]: a score of one's own, and the order that costs least;
//! - [`internals`]: what the crates of this repository share.

pub mod basis;
mod bounded;
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
mod linear_algebra;
pub mod listing;
mod method;
mod moments;
pub mod movement;
mod order;
mod panel;
pub mod prepare;
mod real;
mod regression;
#[cfg(test)]
mod rooms;
mod run;
pub mod scores;
pub mod search;
mod thresholds;
mod vectors;

pub use basis::Basis;
pub use basis::Family;
pub use design::{
    Filled, MeanCurve, Means, Missing, MissingCells, Preparation, Season, UsableRows, fill_missing,
};
pub use diagnostics::Diagnostics;
pub use error::{Error, Remedy, Result};
pub use graph::{Certificate, DynamicGraph, Edge, Mark};
pub use knowledge::{Content, Knowledge, Statements, Written};
pub use learners::{
    Additive, ByEvidence, GaussianProcess, Ode, Ordered, Relax, Reordered, methods,
};
pub use method::{Described, Discover, Method, Parameter, Scope, find};
pub use moments::Moments;
pub use panel::{Hole, Panel, Summary, TimeIndex, calendar};
pub use prepare::{Prepared, Recipe};
pub use run::{Auto, Cancel, Checkpoint, Facts, PanelShape, Progress, Run, Silent, Timing, facts};

/// What nearly every program asks for: `use dycausal::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Auto, Diagnostics, Discover, DynamicGraph, Edge, Error, Knowledge, Ordered, Panel, Run,
        Statements, TimeIndex,
    };
}

/// The parameters of every method, and the types that are theirs alone.
pub mod methods {
    pub use crate::learners::{
        Additive, Bends, ByEvidence, GaussianProcess, Library, Movement, Ode, Ordered, Relax,
        Reordered, Scheme, SeriesEffects,
    };
}

/// What the crates of this repository share, and writers of methods may find useful. No promise is made about it: it may
/// change with any version.
pub mod internals {
    #[doc(inline)]
    pub use crate::error::nearest;
    #[doc(inline)]
    pub use crate::run::memory;

    /// A limited-memory quasi-Newton method for parameters that are not negative.
    pub mod bounded {
        pub use crate::bounded::*;
    }

    /// Between ndarray, which holds arrays, and faer, which multiplies and factors them; and what is too small for faer.
    pub mod linear_algebra {
        pub use crate::linear_algebra::*;
    }

    /// Orders of nodes: what comes before what, or the cycle that there is.
    pub mod order {
        pub use crate::order::*;
    }

    /// The two kinds of floating-point numbers the kernels run on.
    pub mod real {
        pub use crate::real::*;
    }

    /// Least squares from sums that add up over rows.
    pub mod regression {
        pub use crate::regression::NormalEquations;
    }

    /// Judgements that several places make.
    pub mod thresholds {
        pub use crate::thresholds::SERIES_FOR_STEP_MEANS;
    }

    /// Loops compiled for the vectors that the machine has, chosen when the program runs.
    pub mod vectors {
        pub use crate::vectors::*;
    }
}
