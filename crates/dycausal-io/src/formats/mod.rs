//! One file or folder per format, each with a `read`.

mod array;
pub(crate) mod arrow;
mod cells;
pub(crate) mod columnar;
pub(crate) mod csv;
pub(crate) mod mat;
pub(crate) mod npy;
pub(crate) mod npz;
pub(crate) mod parquet;
pub(crate) mod sheet;

use dycausal::Panel;

use crate::error::Result;
use crate::format::Format;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::source::Source;

/// Reads a panel, and says what was taken for granted.
type Reader = fn(&Source, &ReadOptions) -> Result<(Panel, Vec<Note>)>;

/// What reads a format.
pub(crate) fn reader(format: Format) -> Reader {
    match format {
        Format::Csv => csv::read,
        Format::Tsv => csv::read_tsv,
        Format::Parquet => parquet::read,
        Format::Arrow => arrow::read,
        Format::Npy => npy::read,
        Format::Npz => npz::read,
        Format::Mat => mat::read,
        Format::Xlsx => sheet::read_xlsx,
        Format::Ods => sheet::read_ods,
    }
}
