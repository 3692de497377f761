//! The experiments of the paper, and some beyond it, as files that anyone can run again.
//!
//! An [`Experiment`] is a TOML file: what is simulated, which methods run with which parameters,
//! what is scored. [`run_experiment`] runs its cells (a setting, a reading, a method, a seed), keeps
//! each on disk when it is finished, and gives a [`Report`]; [`reproduce`] also writes every score as one
//! Parquet file, a page with the published figures beside ours, and a picture. [`results`] makes the pages
//! again from those files, and one that sums them up. [`real`] does the same for data that were recorded.
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
mod limit;
mod matrices;
mod page;
mod plan;
mod published;
pub mod real;
mod report;
mod results;
mod runner;
mod scores;
mod spec;
mod stamp;
mod store;
mod svg;
mod table;
mod tally;
mod trace;
mod workers;

pub use beside::{Verdict, verdicts};
pub use catalogue::{experiment, experiments};
pub use cell::{Cell, Entry, Outcome};
pub use figure::figure;
pub use plan::{FIRST_SEED, Part};
pub use published::{Published, published};
pub use report::{Written, reproduce};
pub use results::results;
pub use runner::run_experiment;
pub use scores::{from_tidy, tidy};
pub use spec::{Experiment, Few, Kind, Parameters, Reading, Row, Setting, Size};
pub use stamp::Stamp;
pub use table::markdown;
pub use tally::{Mean, Report, Tally};

pub(crate) use limit::within;
pub(crate) use store::write_whole;
pub(crate) use svg::{COLOURS, Svg};
pub(crate) use table::short;
pub(crate) use workers::each;

#[cfg(test)]
mod tests;
