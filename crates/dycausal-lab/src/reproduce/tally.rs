//! Scores of many seeds, put together.

use super::cell::{Entry, Outcome};
use super::plan::Part;
use super::spec::{Experiment, Setting};

/// Why there is nothing of a row that could be run.
pub(super) const NOT_YET: &str = "not run yet";

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

/// One row of the table: a method in a setting and a reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// The setting.
    pub setting: String,
    /// The reading.
    pub reading: String,
    /// The row.
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
    /// Which cell each seed is: a number that stands for all that determines what comes out.
    pub cells: Vec<(u64, String)>,
}

impl Tally {
    pub(super) fn new(setting: &str, reading: &str, row: &str) -> Self {
        Self {
            setting: setting.to_owned(),
            reading: reading.to_owned(),
            row: row.to_owned(),
            scores: Vec::new(),
            seconds: Vec::new(),
            failures: Vec::new(),
            barred: None,
            trace: Vec::new(),
            cells: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, seed: u64, cell: &str, outcome: &Outcome) {
        self.cells.push((seed, cell.to_owned()));
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
        let wanted =
            |entry: &Entry| entry.edges == edges && entry.at == at && entry.metric == metric;
        let values: Vec<f64> =
            self.scores.iter().filter(|(_, e)| wanted(e)).map(|(_, e)| e.value).collect();
        Mean::of(&values)
    }

    /// Mean seconds of a fit.
    pub fn mean_seconds(&self) -> Option<f64> {
        let seconds: Vec<f64> = self.seconds.iter().map(|(_, seconds)| *seconds).collect();
        Mean::of(&seconds).map(|mean| mean.mean)
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

/// An experiment with its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The experiment.
    pub experiment: Experiment,
    /// What part of it was run.
    pub part: Part,
    /// Rows in the order of the table.
    pub tallies: Vec<Tally>,
}

impl Report {
    pub(super) fn new(experiment: &Experiment, part: &Part, tallies: Vec<Tally>) -> Self {
        Self { experiment: experiment.clone(), part: part.clone(), tallies }
    }

    /// Where scores are taken: the steps asked for, or the mean over all.
    pub fn places(&self) -> Vec<String> {
        if self.experiment.still {
            return vec!["still".into()];
        }
        if self.experiment.times.is_empty() {
            return vec!["mean".into()];
        }
        self.experiment.times.iter().map(|time| format!("t={time}")).collect()
    }

    /// The readings that were run, in order.
    pub fn readings(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for tally in &self.tallies {
            if !names.contains(&tally.reading.as_str()) {
                names.push(&tally.reading);
            }
        }
        names
    }

    /// The settings that were run, in order.
    pub fn settings(&self) -> Vec<&Setting> {
        // They were found when the report was made.
        self.experiment.settings_of(&self.part).unwrap_or_default()
    }

    /// The name of its files.
    pub fn file_name(&self) -> String {
        let form = if self.part.quick { "-quick" } else { "" };
        format!("{}{form}", self.experiment.name)
    }

    /// Whether what was run has the sizes of the paper.
    pub fn has_published_sizes(&self) -> bool {
        self.experiment.size(self.part.quick).simulation.is_empty()
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
}
