//! The linear model of a stretch of time.
//!
//! Its weights move along polynomials, whatever the basis of the whole: a stretch may be short.

use std::ops::Range;

use super::LinearScore;
use crate::basis::{Basis, Shape};
use crate::error::Result;
use crate::moments::TimeBasis;
use crate::scores::Divisible;

impl Divisible for LinearScore {
    fn steps(&self) -> usize {
        self.columns.steps()
    }

    fn rows(&self) -> f64 {
        self.columns.rows()
    }

    fn rows_at(&self, step: usize) -> f64 {
        self.columns.rows_at(step)
    }

    fn functions(&self) -> usize {
        self.basis.size()
    }

    fn part(&self, steps: Range<usize>, functions: usize) -> Result<Self> {
        let columns = self.columns.reweighted(|_, t| f64::from(u8::from(steps.contains(&t))));
        let shape = Shape::Legendre { size: functions };
        let basis = Basis::new(shape, columns.steps() + columns.lag(), 0)?;
        let basis = TimeBasis::new(&basis, &columns)?;
        Self::new(columns, basis, self.non_gaussian, &self.cancel)
    }
}
