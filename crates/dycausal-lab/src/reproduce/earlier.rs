//! Finished cells in the scores that were kept of experiments: what need not be run again where the cells
//! themselves are gone, as in a fresh copy of the repository.

use std::collections::HashMap;
use std::path::Path;

use super::catalogue::experiments;
use super::cell::Cell;
use super::report::file_name;
use super::spec::Experiment;
use crate::error::Result;
use crate::study::{Outcome, Scores, fingerprint, key};

/// Outcomes by the fingerprint of their cell.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    outcomes: HashMap<String, Outcome>,
}

impl Earlier {
    /// Those of an experiment, and of all others that keep the scores it shows: two may ask for the same cell.
    ///
    /// # Errors
    /// If the file of scores is broken.
    pub(super) fn read(folder: &Path, experiment: &Experiment, quick: bool) -> Result<Self> {
        let scores = Scores::open(folder)?;
        let mut outcomes = HashMap::new();
        let own = experiment.shown();
        for other in experiments()?.iter().chain([experiment]) {
            let shown = other.shown();
            if own.iter().all(|column| shown.contains(column))
                && let Some(kept) = scores.of(&file_name(other, quick))
            {
                outcomes.extend(kept.outcomes().map(|(cell, found)| (cell.to_owned(), found)));
            }
        }
        Ok(Self { outcomes })
    }

    /// What is known of a cell.
    pub(super) fn outcome(&self, cell: &Cell) -> Option<Outcome> {
        self.outcomes.get(&fingerprint(&key(cell))).cloned()
    }
}
