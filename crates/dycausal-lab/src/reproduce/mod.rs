//! The experiments of the paper, and some beyond it, as files that anyone can run again.
//!
//! An [`Experiment`] is a TOML file: what is simulated, which methods run with which parameters,
//! what is scored. [`run_experiment`] runs its cells (a setting, a reading, a method, a seed), keeps
//! each on disk when it is finished, and gives a [`Report`]; [`reproduce`] also keeps its scores beside those of
//! all others, and writes a page with the published figures beside ours, and a picture. [`results`] makes the pages
//! again from the scores, and one that sums them up.
//!
//! ```
//! use dycausal_lab::reproduce::experiment;
//!
//! assert!(experiment("unequal-noise")?.settings.len() > 1);
//! assert!(experiment("unequal-nois").is_err());
//! # Ok::<(), dycausal_lab::Error>(())
//! ```

mod below;
mod beside;
mod catalogue;
mod cell;
mod constraints;
mod earlier;
mod figure;
mod fit;
mod headline;
mod matrices;
mod page;
mod plan;
mod published;
mod report;
mod results;
mod runner;
mod spec;
mod table;
mod trace;
mod write;

pub use beside::{Verdict, verdicts};
pub use catalogue::{experiment, experiments};
pub use cell::Cell;
pub use figure::figure;
pub use plan::{FIRST_SEED, Part};
pub use published::{Published, published};
pub use report::Report;
pub use results::results;
pub use runner::run_experiment;
pub use spec::{Experiment, Few, Kind, Reading, Row, Setting, Size};
pub use table::markdown;
pub use write::reproduce;

#[cfg(test)]
mod tests;
