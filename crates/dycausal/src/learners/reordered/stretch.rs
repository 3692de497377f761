//! A stretch of time, with what is learned from it alone.
//!
//! Its weights move along polynomials, whatever the basis of the whole: a stretch may be short.

use std::ops::Range;

use crate::basis::{Basis, Shape};
use crate::error::Result;
use crate::learners::ordered::pipeline::Learned;
use crate::moments::TimeBasis;
use crate::scores::linear::LinearScore;

/// A stretch of steps with one order.
#[derive(Debug)]
pub(super) struct Epoch {
    /// Steps, counted from the first that has rows.
    pub steps: Range<usize>,
    /// What was learned from them.
    pub learned: Learned,
    /// What a variable costs there.
    pub score: LinearScore,
}

/// The score of some steps alone, whose effects have so many functions of time.
///
/// # Errors
/// If the steps do not tell the functions apart.
pub(super) fn score_of(
    whole: &LinearScore,
    steps: &Range<usize>,
    functions: usize,
) -> Result<LinearScore> {
    let columns = whole.columns.reweighted(|_, t| f64::from(u8::from(steps.contains(&t))));
    let shape = Shape::Legendre { size: functions };
    let basis = Basis::new(shape, columns.steps() + columns.lag(), 0)?;
    let basis = TimeBasis::new(&basis, &columns)?;
    LinearScore::new(columns, basis, whole.non_gaussian, &whole.cancel)
}
