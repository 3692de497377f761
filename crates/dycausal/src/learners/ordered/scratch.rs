//! Memory for one thread at a time, lent and given back.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use super::forward::Forward;
use super::noise::Residuals;
use super::shrink::{Fit, Shrink};

/// What scoring needs besides the data.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Forward selection.
    pub forward: Forward,
    /// Backward elimination.
    pub shrink: Shrink,
    /// The regression at hand.
    pub fit: Fit,
    /// Its residuals.
    pub residuals: Residuals,
    /// Which local candidates are admitted.
    pub admitted: Vec<bool>,
    /// Which variables a move takes along.
    pub moved: Vec<bool>,
    /// Which variables a move touches.
    pub touched: Vec<usize>,
}

/// Scratch memory that is not in use.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Vec<Scratch>>);

impl Pool {
    /// Memory until the loan is dropped.
    pub fn lend(&self) -> Loan<'_> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let scratch = free.pop().unwrap_or_default();
        Loan { pool: self, scratch }
    }
}

/// Scratch memory on loan.
pub(super) struct Loan<'a> {
    pool: &'a Pool,
    scratch: Scratch,
}

impl Deref for Loan<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.scratch
    }
}

impl DerefMut for Loan<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut free = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.scratch));
    }
}
