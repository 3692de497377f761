//! Eight numbers at once: how kernels that run over many columns hold them.

/// Columns that are worked on together.
pub(crate) const LANES: usize = 8;

/// One number for each of eight columns.
pub(crate) type Lane = [f64; LANES];

/// Runs `work` compiled for the widest vectors that this machine has.
///
/// Only what is inlined into `work` gains; the arithmetic, and so every bit, is the same.
#[inline]
pub(crate) fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
