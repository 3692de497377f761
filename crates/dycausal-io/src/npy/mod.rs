//! NumPy's array format: header, values, and writing both.

mod header;
mod values;
mod write;

pub(crate) use header::{Element, Header};
pub(crate) use values::{read_strings, read_values};
pub(crate) use write::NpyWriter;
pub(crate) use write::header_bytes;
pub use write::write_npy;
