//! What every search of a run is given: what is known, and memory for one thread at a time.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use crate::knowledge::Knowledge;

/// What is known of the graph, and memory that is lent and given back: `T` is [`crate::scores::LocalScore::Scratch`].
#[derive(Debug, Default)]
pub struct Given<T> {
    /// Variables numbered as the score numbers them.
    pub knowledge: Knowledge,
    /// Memory that is not in use.
    free: Mutex<Vec<Scratch<T>>>,
}

/// What a move and its scores need besides the data.
#[derive(Debug, Default)]
pub(crate) struct Scratch<T> {
    /// What the score needs.
    pub score: T,
    /// Which variables a move takes along; none between two moves.
    pub moved: Vec<bool>,
    /// Which variables a move touches.
    pub touched: Vec<usize>,
}

impl<T: Default> Given<T> {
    /// What a search with this knowledge is given.
    pub fn new(knowledge: Knowledge) -> Self {
        Self { knowledge, free: Mutex::default() }
    }

    /// Memory until the loan is dropped.
    pub(crate) fn lend(&self) -> Loan<'_, T> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let scratch = free.pop().unwrap_or_default();
        Loan { given: self, scratch }
    }
}

/// Scratch memory on loan.
pub(crate) struct Loan<'a, T: Default> {
    given: &'a Given<T>,
    scratch: Scratch<T>,
}

impl<T: Default> Deref for Loan<'_, T> {
    type Target = Scratch<T>;

    fn deref(&self) -> &Scratch<T> {
        &self.scratch
    }
}

impl<T: Default> DerefMut for Loan<'_, T> {
    fn deref_mut(&mut self) -> &mut Scratch<T> {
        &mut self.scratch
    }
}

impl<T: Default> Drop for Loan<'_, T> {
    fn drop(&mut self) {
        let mut free = self.given.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.scratch));
    }
}
