//! Times as people count them: numbers, hours, days, business days, weeks, months.
//!
//! A [`Grid`] says on which even step each time stands, so that a hole in time is a number of steps
//! and no lag reaches across it unseen.

mod civil;
mod detect;
mod every;
mod label;
mod step;

pub(crate) use civil::DAY;
pub use every::{Every, Rule};
pub use step::Step;

use super::TimeIndex;

/// Even steps, and the number of each time among them.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// How far the steps are apart.
    pub step: Step,
    /// The step of each time, from 0, increasing.
    pub places: Vec<usize>,
    /// Whether every time stands exactly on its step; false where a clock jitters.
    pub exact: bool,
}

/// Steps that are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The time before the hole, by its number.
    pub before: usize,
    /// How many steps are not there.
    pub steps: usize,
}

impl Grid {
    /// The even steps of increasing times; `None` where they are not even.
    ///
    /// Times are even if at least half of them follow the one before by one step, and the others
    /// by a whole number of steps. A step is a number, a time on the clock, a business day (where no
    /// time is on a weekend), or a number of months on one day of the month or close to its end.
    ///
    /// ```
    /// use dycausal::TimeIndex;
    /// use dycausal::calendar::{Grid, Step};
    ///
    /// let years = TimeIndex::Numbers(vec![2001.0, 2002.0, 2005.0, 2006.0]);
    /// let grid = Grid::of(&years).unwrap();
    /// assert_eq!((grid.step, &grid.places[..]), (Step::Number(1.0), &[0, 1, 4, 5][..]));
    /// assert_eq!(grid.complete(&years).label(2), "2003");
    /// ```
    pub fn of(times: &TimeIndex) -> Option<Self> {
        detect::grid(times)
    }

    /// How many steps there are, with those that are not there.
    pub fn len(&self) -> usize {
        self.places.last().map_or(0, |last| last + 1)
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether every step is there.
    pub fn is_complete(&self) -> bool {
        self.len() == self.places.len()
    }

    /// The holes, in order.
    pub fn gaps(&self) -> impl Iterator<Item = Gap> {
        let pairs = self.places.windows(2).enumerate();
        pairs
            .map(|(before, pair)| Gap { before, steps: pair[1] - pair[0] - 1 })
            .filter(|gap| gap.steps > 0)
    }

    /// The times of all steps: those given, and between them those that are not there, written in
    /// the same way.
    pub fn complete(&self, times: &TimeIndex) -> TimeIndex {
        if self.is_complete() { times.clone() } else { label::complete(self, times) }
    }
}

#[cfg(test)]
mod tests;
