//! Time cut into stretches that follow each other.
//!
//! One kind has so many steps in each, the last perhaps fewer; another is so many stretches, as equal as whole
//! steps allow. Long series are worked on in [pieces](Partition::pieces): within one of a thousand pieces a
//! function of time hardly changes, so rows of a piece are what the series of a step are to a panel. Products are
//! added up once per piece, and functions multiplied in afterwards, so that work does not grow with steps times
//! functions.

use crate::thresholds::SERIES_FOR_SUMS_BY_STEP;
use std::ops::Range;

/// Steps up to which each counts on its own.
const SHORT: usize = 8192;
/// Pieces of a longer series, at most.
const PIECES: usize = 1024;

/// Steps in stretches; they count from the first that has rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Partition {
    steps: usize,
    cut: Cut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// After so many steps each.
    Every(usize),
    /// Into so many stretches.
    Into(usize),
}

impl Partition {
    /// Stretches of so many steps each; the last may have fewer.
    pub fn every(length: usize, steps: usize) -> Self {
        Self { steps, cut: Cut::Every(length.max(1)) }
    }

    /// The same, as short as at most so many stretches allow.
    pub fn at_most(most: usize, steps: usize) -> Self {
        Self::every(steps.div_ceil(most.max(1)), steps)
    }

    /// So many stretches, or as many as there are steps, that differ by a step at most.
    pub fn stretches(stretches: usize, steps: usize) -> Self {
        Self { steps, cut: Cut::Into(stretches.clamp(1, steps.max(1))) }
    }

    /// Pieces in which functions of time are taken to stay as they are: single steps where there are few, or many
    /// series.
    pub fn pieces(steps: usize, series: usize) -> Self {
        let long = series < SERIES_FOR_SUMS_BY_STEP && steps > SHORT;
        Self::at_most(if long { PIECES } else { steps }, steps)
    }

    /// How many stretches.
    pub fn count(self) -> usize {
        match self.cut {
            Cut::Every(length) => self.steps.div_ceil(length),
            Cut::Into(count) => count,
        }
    }

    /// Steps of a stretch; some have fewer.
    pub fn each(self) -> usize {
        match self.cut {
            Cut::Every(length) => length,
            Cut::Into(count) => self.steps.div_ceil(count),
        }
    }

    /// The steps of a stretch.
    pub fn range(self, stretch: usize) -> Range<usize> {
        match self.cut {
            Cut::Every(length) => stretch * length..((stretch + 1) * length).min(self.steps),
            Cut::Into(count) => stretch * self.steps / count..(stretch + 1) * self.steps / count,
        }
    }

    /// All stretches.
    pub fn ranges(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count()).map(move |stretch| self.range(stretch))
    }

    /// The stretch that a step belongs to.
    pub fn of_step(self, step: usize) -> usize {
        match self.cut {
            Cut::Every(length) => step / length,
            Cut::Into(count) => ((step + 1) * count - 1) / self.steps,
        }
    }

    /// The step in the middle of a stretch.
    pub fn middle(self, stretch: usize) -> usize {
        let start = self.range(stretch).start;
        (start + self.each() / 2).min(self.steps - 1)
    }

    /// Whether a stretch has several steps.
    pub fn are_long(self) -> bool {
        self.each() > 1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_step_is_in_the_stretch_that_says_so(steps in 1..300usize, number in 1..60usize) {
            let all = [Partition::every(number, steps), Partition::stretches(number, steps), Partition::at_most(number, steps)];
            for partition in all {
                let mut next = 0;
                for (stretch, range) in partition.ranges().enumerate() {
                    prop_assert_eq!(range.start, next);
                    prop_assert!(!range.is_empty() && range.len() <= partition.each());
                    prop_assert!(range.clone().all(|step| partition.of_step(step) == stretch));
                    prop_assert!(range.contains(&partition.middle(stretch)) || range.len() < partition.each());
                    next = range.end;
                }
                prop_assert_eq!(next, steps);
            }
            prop_assert!(Partition::at_most(number, steps).count() <= number);
        }
    }

    #[test]
    fn series_are_cut_into_pieces_where_they_are_long_and_few() {
        assert_eq!(Partition::pieces(8192, 1).count(), 8192);
        assert_eq!(Partition::pieces(100_000, 8).each(), 1);
        assert_eq!(Partition::pieces(100_000, 1).each(), 98);
    }
}
