//! Scores of many seeds, put together.

use super::outcome::{Entry, Outcome};

/// Why there is nothing of a row that could be run.
pub(crate) const NOT_YET: &str = "not run yet";

/// Mean and spread over seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (divided by one less than the count); `None` of a single value.
    pub sd: Option<f64>,
    /// How many values.
    pub count: usize,
}

impl Mean {
    /// Mean and spread of values; `None` without any.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        let sd = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        Some(Self { mean, sd, count })
    }

    /// The standard error of the mean, sd / √count; `None` of a single value.
    pub fn standard_error(self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.count as f64).sqrt())
    }
}

/// One row of the table: a method with its parameters on some data, read in some way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// The data: a setting, a condition, or a group of recorded data and a case of it.
    pub setting: String,
    /// How they are read: weights and thresholds, a variant, or whether series are put together.
    pub reading: String,
    /// The method, as the table calls it.
    pub row: String,
    /// Every score of every seed.
    pub scores: Vec<(u64, Entry)>,
    /// Seconds of the fit of every seed.
    pub seconds: Vec<(u64, f64)>,
    /// Seeds without scores, and why.
    pub failures: Vec<(u64, String)>,
    /// Why it was not run at all.
    pub barred: Option<String>,
    /// h in the course of the fit of the first seed, where it was kept.
    pub trace: Vec<f64>,
    /// Which cell each seed is: the fingerprint of all that determines what comes out; empty where none is kept.
    pub cells: Vec<(u64, String)>,
}

impl Tally {
    pub(crate) fn new(setting: &str, reading: &str, row: &str) -> Self {
        let [setting, reading, row] = [setting, reading, row].map(str::to_owned);
        Self { setting, reading, row, ..Self::default() }
    }

    /// What came out of a seed.
    pub(crate) fn add(&mut self, seed: u64, cell: &str, outcome: &Outcome) {
        if !cell.is_empty() {
            self.cells.push((seed, cell.to_owned()));
        }
        if let Some(why) = &outcome.failure {
            self.failures.push((seed, why.clone()));
            return;
        }
        self.scores.extend(outcome.scores.iter().map(|entry| (seed, entry.clone())));
        self.seconds.push((seed, outcome.seconds));
        if self.trace.is_empty() {
            self.trace.clone_from(&outcome.trace);
        }
    }

    /// Mean and spread of one score.
    pub fn mean(&self, edges: &str, at: &str, metric: &str) -> Option<Mean> {
        Mean::of(&self.values(edges, at, metric))
    }

    /// The middle of one score.
    pub fn median(&self, edges: &str, at: &str, metric: &str) -> Option<f64> {
        let mut values = self.values(edges, at, metric);
        values.sort_by(f64::total_cmp);
        let (below, above) = (values.len().checked_sub(1)? / 2, values.len() / 2);
        Some(0.5 * (values[below] + values[above]))
    }

    fn values(&self, edges: &str, at: &str, metric: &str) -> Vec<f64> {
        let own = self.scores.iter().filter(|(_, entry)| entry.is(edges, at, metric));
        own.map(|(_, entry)| entry.value).collect()
    }

    /// Mean seconds of a fit.
    pub fn mean_seconds(&self) -> Option<f64> {
        let seconds: Vec<f64> = self.seconds.iter().map(|(_, seconds)| *seconds).collect();
        Mean::of(&seconds).map(|mean| mean.mean)
    }

    /// Whether another is of the same method on the same data.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        (&self.setting, &self.reading, &self.row) == (&other.setting, &other.reading, &other.row)
    }

    /// Whether there is anything to show.
    pub fn is_empty(&self) -> bool {
        self.seconds.is_empty()
    }

    /// Whether it could be run and was not.
    pub fn is_not_yet(&self) -> bool {
        self.barred.as_deref() == Some(NOT_YET)
    }

    /// Why there is nothing, or less than there should be; empty where all is there.
    pub fn remark(&self) -> String {
        if let Some(why) = &self.barred {
            return why.clone();
        }
        match self.failures.as_slice() {
            [] => String::new(),
            [(seed, why), ..] => {
                let count = self.failures.len();
                let all = count + self.seconds.len();
                format!("{count} of {all} seeds without scores; {seed}: {why}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_that_of_a_sample() {
        let mean = Mean::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((mean.mean, mean.sd, mean.count), (2.0, Some(1.0), 3));
        assert_eq!(Mean::of(&[5.0]).unwrap().sd, None);
        assert_eq!(Mean::of(&[]), None);
    }

    #[test]
    fn the_middle_is_that_of_the_sorted() {
        let mut tally = Tally::default();
        let mut add = |seed: u64, name: &str, value: f64| {
            tally.scores.push((seed, Entry::new("", "", name, value)));
            tally.median("", "", "start")
        };
        assert_eq!(add(1, "cover", 9.0), None);
        assert_eq!(add(1, "start", 0.5), Some(0.5));
        assert_eq!(add(2, "start", 0.1), Some(0.3));
        assert_eq!(add(3, "start", 0.2), Some(0.2));
    }
}
