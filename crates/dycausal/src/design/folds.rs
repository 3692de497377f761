//! Five parts of the rows, each to be predicted from the others.

use super::partition::Partition;
use crate::thresholds::SERIES_FOR_FOLDS;

/// How many parts.
pub(crate) const FOLDS: usize = 5;
/// Stretches of time per part, where parts are time: a polynomial that had to reach over a whole
/// fifth at the end would miss however right the graph is.
const STRETCHES: usize = 8;

/// How rows are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folds {
    /// Every fifth series.
    Series,
    /// Stretches of time, in turn.
    Time(Partition),
}

impl Folds {
    /// By series where there are enough, else by time.
    pub fn of(series: usize, steps: usize) -> Self {
        if series >= SERIES_FOR_FOLDS {
            return Self::Series;
        }
        Self::Time(Partition::at_most(FOLDS * STRETCHES, steps))
    }

    /// The part that a row belongs to.
    pub fn of_row(self, step: usize, series: usize) -> usize {
        match self {
            Self::Series => series % FOLDS,
            Self::Time(stretches) => stretches.of_step(step) % FOLDS,
        }
    }

    /// How many parts a step has rows of.
    pub fn per_step(self) -> usize {
        match self {
            Self::Series => FOLDS,
            Self::Time(_) => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_of_equal_size() {
        for (series, steps) in [(1, 300), (9, 50), (10, 7), (200, 50)] {
            let folds = Folds::of(series, steps);
            let mut sizes = [0usize; FOLDS];
            for row in 0..series * steps {
                sizes[folds.of_row(row / series, row % series)] += 1;
            }
            let (low, high) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(*low > 0 && high - low <= series * steps / 10 + 7, "{sizes:?}");
        }
    }
}
