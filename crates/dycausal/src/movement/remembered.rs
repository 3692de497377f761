//! Curves that are worked out when they are first asked for, and no part of what they belong to.

use std::sync::{Arc, OnceLock};

/// A number per step, and the bounds of a level beside it, once they were asked for; copies share them.
///
/// They follow from what they stand in, so that with or without them two are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Remembered {
    medians: OnceLock<Arc<[f64]>>,
    bounds: OnceLock<LevelBounds>,
}

/// The bounds of a level at every step.
#[derive(Debug, Clone)]
struct LevelBounds {
    level: f64,
    at: Arc<[(f64, f64)]>,
}

impl Remembered {
    /// The median at a step, where it is known.
    pub fn median(&self, step: usize) -> Option<f64> {
        self.medians.get()?.get(step).copied()
    }

    /// All medians, worked out if they are not known.
    pub fn medians(&self, worked_out: impl FnOnce() -> Vec<f64>) -> &[f64] {
        self.medians.get_or_init(|| worked_out().into())
    }

    /// The bounds of a level at a step, where they are known.
    pub fn bounds(&self, step: usize, level: f64) -> Option<(f64, f64)> {
        let known = self.bounds.get().filter(|known| known.level == level)?;
        known.at.get(step).copied()
    }

    /// Keeps medians between the bounds of a level at every step.
    pub fn keep(&self, level: f64, all: impl Iterator<Item = (f64, f64, f64)>) {
        let (bounds, medians): (Vec<_>, Vec<_>) =
            all.map(|(low, median, high)| ((low, high), median)).unzip();
        self.medians.get_or_init(|| medians.into());
        self.bounds.get_or_init(|| LevelBounds { level, at: bounds.into() });
    }
}

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
