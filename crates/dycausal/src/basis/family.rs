//! A shape before its numbers are known.

use serde::{Deserialize, Serialize};

use super::{Basis, Shape};
use crate::error::Result;

/// The family of functions along which weights move: a [`Shape`] whose size and knots follow from
/// the data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Weights that do not move.
    Constant,
    /// Polynomials.
    #[default]
    Legendre,
    /// Linear interpolation between evenly spaced knots.
    Hat,
    /// Cubic splines (of lower degree where there are fewer than four functions).
    BSpline,
    /// Weights that jump at evenly spaced breaks.
    Step,
}

impl Family {
    /// The shape of `size` functions on the steps `first..steps`.
    pub(crate) fn shape(self, size: usize, steps: usize, first: usize) -> Shape {
        let span = steps - first;
        let even = |k: usize, of: usize| first + k * (span - 1) / of.max(1);
        match self {
            _ if size == 1 => Shape::Constant,
            Self::Constant => Shape::Constant,
            Self::Legendre => Shape::Legendre { size },
            Self::Hat => Shape::Hat { knots: (0..size).map(|k| even(k, size - 1)).collect() },
            Self::BSpline => Shape::BSpline { size, degree: 3.min(size - 1) },
            Self::Step => {
                Shape::Step { breaks: (1..size).map(|k| first + k * span / size).collect() }
            }
        }
    }

    /// The basis of `size` functions for rows from step `lag` on; fewer where there are fewer steps.
    ///
    /// Polynomials go on into the first `lag` steps, where these are few for their degree: beyond
    /// the rows they grow with its square. Others are held there.
    pub(crate) fn basis(self, size: usize, steps: usize, lag: usize) -> Result<Basis> {
        let size = size.min(steps - lag);
        let goes_on = self == Self::Legendre && lag * size * size <= 2 * steps;
        let first = if goes_on { 0 } else { lag };
        Basis::new(self.shape(size, steps, first), steps, first)
    }
}
