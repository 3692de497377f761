//! The honesty battery: whether what is listed can be trusted.
//!
//! A [`Battery`] is data generators × settings of a method → figures. It scores no benchmark: it
//! counts what a method claims on data of which the answer is known, above all on data that hold
//! nothing to find. A [`Condition`] is one generator at one size, a [`Variant`] is a method with
//! some of its parameters set.
//!
//! Nothing is kept between runs: a battery measures the engine as it is now, and a figure kept
//! from an older one would be worse than none.
//!
//! ```
//! use dycausal::Run;
//! use dycausal_lab::battery::{Request, battery, run_battery};
//!
//! let request = Request { seeds: Some(2), conditions: vec!["iid".into()], ..Request::default() };
//! let findings = run_battery(battery("nulls")?, &request, &mut Run::new(0))?;
//! assert_eq!(findings.rows[0].mean("false edges").map(|mean| mean.count), Some(2));
//! # Ok::<(), dycausal_lab::Error>(())
//! ```

mod bands;
mod condition;
mod coverage;
mod definition;
mod directions;
mod edges;
mod engine;
mod findings;
mod functions;
mod generate;
mod known_course;
mod lag_choice;
mod missing;
mod motion;
mod nulls;
mod page;
mod power;
mod probe;
mod runner;
mod seasons;
mod sketch;
mod table;
#[cfg(test)]
mod tests;

pub use condition::{Condition, Sample, Size, Stream};
pub use definition::{Battery, FIRST_SEED, Figure, Request, Trial, Variant};
pub use findings::{Findings, Row};
pub use page::write_battery;
pub use runner::run_battery;
pub use table::markdown;

use crate::error::{Error, Result};

/// All batteries; a new one is a file and a line here.
const ALL: &[Battery] = &[
    nulls::NULLS,
    power::POWER,
    coverage::COVERAGE,
    motion::MOTION,
    directions::DIRECTIONS,
    lag_choice::LAG_CHOICE,
    seasons::SEASONS,
    missing::MISSING,
    functions::FUNCTIONS,
];

/// All batteries.
pub fn batteries() -> &'static [Battery] {
    ALL
}

/// The battery of a name.
///
/// # Errors
/// If there is none: the nearest and all names are given.
pub fn battery(name: &str) -> Result<&'static Battery> {
    let found = ALL.iter().find(|battery| battery.name == name);
    found.ok_or_else(|| Error::unknown("battery", name, ALL.iter().map(|battery| battery.name)))
}
