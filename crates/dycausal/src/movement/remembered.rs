//! A curve that is worked out when it is first asked for, and no part of what it belongs to.

use std::sync::{Arc, OnceLock};

/// A number per step, once it was asked for; copies share it.
///
/// It follows from what it stands in, so that with or without it two are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Remembered(OnceLock<Arc<[f64]>>);

impl Remembered {
    /// The number at a step, where it is known.
    pub fn at(&self, step: usize) -> Option<f64> {
        self.0.get()?.get(step).copied()
    }

    /// All numbers, worked out if they are not known.
    pub fn all(&self, worked_out: impl FnOnce() -> Vec<f64>) -> &[f64] {
        self.0.get_or_init(|| worked_out().into())
    }
}

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
