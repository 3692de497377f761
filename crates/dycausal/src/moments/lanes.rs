//! Eight numbers at once: how kernels that run over many columns hold them.

pub(crate) use crate::vectors::LANES;

/// One number for each of eight columns.
pub(crate) type Lane = [f64; LANES];
