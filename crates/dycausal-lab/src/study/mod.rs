//! What every experiment does: questions are answered once, kept, put together, and shown.
//!
//! A study is a source of data × settings of a method × a scorer. What comes out of one fit is an [`Outcome`]: scores
//! by name, seconds, or why there are none. Those of one place of the table are a [`Tally`]; all tallies of all studies
//! of a folder are kept in one small file, [`Scores`], from which pages and pictures are made again.
//! Experiments, recorded data and batteries differ in what they draw, fit and score, and in nothing else.

mod figure;
mod limit;
mod outcome;
mod page;
mod runner;
mod scores;
mod stamp;
mod store;
mod table;
mod tally;
mod version;
mod workers;

pub use outcome::{Entry, Outcome};
pub use page::Written;
pub use scores::{Kept, Scores};
pub use stamp::Stamp;
pub use tally::{Mean, Tally};
pub use version::Parameters;

pub(crate) use figure::{COLOURS, Line, Panel, Scale, TITLE, draw};
pub(crate) use limit::within;
pub(crate) use page::Page;
pub(crate) use runner::{attempt, settle};
pub(crate) use store::{Store, fingerprint, key, write_whole};

pub(crate) use table::{head, line, short};
pub(crate) use tally::NOT_YET;
pub(crate) use version::version;
pub(crate) use workers::each;
