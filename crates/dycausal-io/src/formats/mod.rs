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
