//! When the steps of a panel were.

use serde::{Deserialize, Serialize};

use super::calendar::{Grid, Step};
use super::time_written::TimeForm;

/// The time of each step: plain steps, numbers, or dates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TimeForm", into = "TimeForm")]
pub enum TimeIndex {
    /// Steps 1, 2, … without a time of their own: how many.
    Steps(usize),
    /// Numbers, in increasing order.
    Numbers(Vec<f64>),
    /// Dates or date-times as they were written, with their seconds since 1970.
    Dates {
        /// As written.
        text: Vec<String>,
        /// Seconds since 1970-01-01T00:00.
        seconds: Vec<f64>,
    },
}

impl TimeIndex {
    /// How many steps.
    pub fn len(&self) -> usize {
        match self {
            Self::Steps(count) => *count,
            Self::Numbers(times) => times.len(),
            Self::Dates { text, .. } => text.len(),
        }
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time of a step as a person would write it; steps count from 1.
    pub fn label(&self, step: usize) -> String {
        match self {
            Self::Steps(_) => (step + 1).to_string(),
            Self::Numbers(times) => times[step].to_string(),
            Self::Dates { text, .. } => text[step].clone(),
        }
    }

    /// What it is from one step to the next, where that is the same everywhere: a number, a time, a
    /// business day, a number of months. `None` where steps are uneven or some are not there.
    pub fn step(&self) -> Option<Step> {
        if self.len() < 2 {
            return None;
        }
        Grid::of(self).filter(Grid::is_complete).map(|grid| grid.step)
    }

    /// The distance between steps (seconds, for dates), where it is the same everywhere.
    ///
    /// Two distances count as the same if they differ by less than one part in a million of the
    /// median. `None` where they differ, or where there is a single step.
    pub fn spacing(&self) -> Option<f64> {
        let times = match self {
            Self::Steps(count) => return (*count > 1).then_some(1.0),
            Self::Numbers(times) => times,
            Self::Dates { seconds, .. } => seconds,
        };
        let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_by(f64::total_cmp);
        let typical = *gaps.get(gaps.len() / 2)?;
        let even = gaps.iter().all(|gap| (gap - typical).abs() <= 1e-6 * typical.abs());
        even.then_some(typical)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_is_known_only_when_even() {
        assert_eq!(TimeIndex::Steps(3).spacing(), Some(1.0));
        assert_eq!(TimeIndex::Numbers(vec![0.0, 0.5, 1.0]).spacing(), Some(0.5));
        assert_eq!(TimeIndex::Numbers(vec![0.0, 0.5, 2.0]).spacing(), None);
        assert_eq!(TimeIndex::Steps(1).spacing(), None);
    }

    #[test]
    fn labels_are_what_was_written() {
        assert_eq!(TimeIndex::Steps(2).label(0), "1");
        assert_eq!(TimeIndex::Numbers(vec![1990.0, 1990.5]).label(1), "1990.5");
    }
}
