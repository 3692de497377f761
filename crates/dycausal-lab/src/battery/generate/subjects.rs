//! Series that differ from each other: subjects with levels and scales of their own.

use ndarray::{Array3, Axis};

use super::super::condition::Stream;
use super::innovations::standard;

/// In what subjects differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Subjects {
    /// Every variable of a subject has a level of its own, from N(0, 2²).
    pub levels: bool,
    /// Everything in a subject is larger or smaller by exp(0.7 z), z ~ N(0, 1).
    pub scales: bool,
}

impl Subjects {
    /// Makes series of one law those of subjects: scale times value plus level.
    ///
    /// Of columns that know nothing of each other this shapes the values; of a system its innovations,
    /// so that levels are the intercepts of its equations and edges keep their weights.
    pub(in super::super) fn shape(self, stream: &mut Stream, values: &mut Array3<f64>) {
        for mut subject in values.outer_iter_mut() {
            let scale = if self.scales { (0.7 * standard(stream)).exp() } else { 1.0 };
            for mut variable in subject.axis_iter_mut(Axis(1)) {
                let level = if self.levels { 2.0 * standard(stream) } else { 0.0 };
                variable.mapv_inplace(|x| scale * x + level);
            }
        }
    }
}
