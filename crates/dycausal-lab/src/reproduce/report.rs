//! An experiment with its scores.

use super::plan::Part;
use super::spec::{Experiment, Setting};
use crate::study::{Entry, Kept, Stamp, Tally};

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
        self.experiment.places()
    }

    /// The report of all that was kept of an experiment.
    pub(super) fn kept(experiment: &Experiment, kept: Kept, quick: bool) -> Self {
        let named = |name: &String| kept.tallies.iter().any(|tally| tally.setting == *name);
        let settings = experiment.settings.iter().map(|s| s.name.clone()).filter(named).collect();
        Self::new(experiment, &Part { quick, settings, ..Part::default() }, kept.tallies)
    }

    /// What is kept of it: the scores that its page shows.
    pub(super) fn to_keep(&self, stamp: &Stamp) -> Kept {
        let (shown, places) = (self.experiment.shown(), self.places());
        let mut tallies = self.tallies.clone();
        for tally in &mut tallies {
            tally.scores.retain(|(_, Entry { edges, at, metric, .. })| {
                places.contains(at) && shown.contains(&(edges, metric))
            });
        }
        Kept { name: self.file_name(), stamp: stamp.clone(), tallies }
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
        file_name(&self.experiment, self.part.quick)
    }

    /// Whether what was run has the sizes of the paper.
    pub fn has_published_sizes(&self) -> bool {
        self.experiment.size(self.part.quick).simulation.is_empty()
    }
}

/// The name of the files of an experiment, and of its scores.
pub(super) fn file_name(experiment: &Experiment, quick: bool) -> String {
    let form = if quick { "-quick" } else { "" };
    format!("{}{form}", experiment.name)
}
