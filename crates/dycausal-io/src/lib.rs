#![doc = include_str!("../README.md")]
//! Time series in, dynamic causal graphs out: the file formats of dycausal.
//!
//! [`read_panel`] reads CSV, TSV, Parquet, Arrow, NPY, NPZ, MATLAB, Excel and OpenDocument files;
//! [`read`] also says what it took for granted, and [`read_several`] reads files as the series of one
//! panel. [`write_run`] writes a graph and how it was found as a folder, whole or not
//! at all, and [`read_run`] reads it back. [`Report`] is a graph as a page to look
//! at, [`Picture`] as a still picture. Every [`Error`] names the file, the place in it, what was
//! found, what was expected and what to do.
//!
//! A room asks only those above it here:
//!
//! ```text
//! remedy  note                        what helps after a refusal; what was taken for granted
//! endless  error                      what can go wrong
//! unpack  source  format              where bytes come from, and what they say of their format
//! aside  write_file  npy              files written whole or not at all; arrays
//! options                             what is asked for of a file
//! table                               rows and columns on their way to a panel
//! formats                             one file or folder per format
//! read  several  knowledge  truth     panels, and what is known of their graph
//! tidy                                tables of numbers, written and read
//! run                                 the folder of a run
//! layout  report  picture             a graph as a page, and as a still picture
//! ```

mod aside;
mod endless;
mod error;
mod format;
mod formats;
mod knowledge;
mod layout;
mod note;
mod npy;
mod options;
mod picture;
mod read;
mod remedy;
mod report;
#[cfg(test)]
mod rooms;
mod run;
mod several;
mod source;
mod table;
mod tidy;
mod truth;
mod unpack;
mod write_file;

/// What pictures are drawn with: a [`Scene`](drawing::Scene) of lines, discs and words that becomes SVG.
pub mod drawing {
    pub use crate::picture::scene::{
        Anchor, Colour, INK, LINE, Label, Look, MUTED, Piece, Point, SOFT, Scene, Shape, WHITE,
    };
}

pub use aside::abandon;
pub use error::{Error, Moment, Place, Result};
pub use format::Format;
pub use knowledge::{knowledge_of, read_knowledge};
pub use note::Note;
pub use npy::write_npy;
pub use options::{DateOrder, Decimal, ReadOptions};
pub use picture::{Picture, PictureKind};
pub use read::{Reading, read, read_panel};
pub use remedy::{Expected, Remedy};
pub use report::Report;
pub use run::{
    Dense, Extra, RunRecord, WriteOptions, Written, check_folder, read_graph, read_run,
    tigramite_arrays, write_folder, write_json, write_run, write_truth,
};
pub use several::{find_sources, read_several};
pub use source::Source;
pub use table::{Arranged, Frame, FrameTimes, arrange, date_seconds};
pub use tidy::{TidyColumn, TidyTable, read_tidy, write_tidy};
pub use truth::read_truth;
