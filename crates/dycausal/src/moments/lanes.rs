//! Eight numbers at once: how kernels that run over many columns hold them.

/// Columns that are worked on together.
pub(crate) const LANES: usize = 8;

/// One number for each of eight columns.
pub(crate) type Lane = [f64; LANES];
