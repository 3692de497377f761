//! Finished cells in the tables that were kept of experiments: what need not be run again where the cells
//! themselves are gone, as in a fresh copy of the repository.

use std::collections::HashMap;
use std::path::Path;

use dycausal_io::read_tidy;

use super::catalogue::experiments;
use super::cell::{Cell, Outcome};
use super::scores::from_tidy;
use super::spec::Experiment;
use super::store::{fingerprint, key};
use super::tally::Tally;
use crate::error::Result;

/// What fits that take too long say for themselves; with more time they may yet finish.
const GIVEN_UP: &str = "given up after";

/// Outcomes by the fingerprint of their cell.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    outcomes: HashMap<String, Outcome>,
}

impl Earlier {
    /// Those of the tables of all experiments in a folder: two may ask for the same cell.
    ///
    /// # Errors
    /// If the table of this experiment is broken; broken ones of others count as none.
    pub(super) fn read(folder: &Path, experiment: &Experiment, quick: bool) -> Result<Self> {
        let mut tallies = kept(folder, experiment, quick)?;
        for other in experiments()?.iter().filter(|other| other.name != experiment.name) {
            tallies.extend(kept(folder, other, quick).unwrap_or_default());
        }
        Ok(Self { outcomes: tallies.iter().flat_map(outcomes).collect() })
    }

    /// What is known of a cell.
    pub(super) fn outcome(&self, cell: &Cell) -> Option<Outcome> {
        self.outcomes.get(&fingerprint(&key(cell))).cloned()
    }
}

/// The rows of the table of an experiment; none where there is no table.
fn kept(folder: &Path, experiment: &Experiment, quick: bool) -> Result<Vec<Tally>> {
    let form = if quick { "-quick" } else { "" };
    let path = folder.join(format!("{}{form}.parquet", experiment.name));
    if !path.is_file() {
        return Ok(Vec::new());
    }
    Ok(from_tidy(experiment, &read_tidy(&path)?, quick)?.tallies)
}

/// The outcomes of a row, by cell.
fn outcomes(tally: &Tally) -> impl Iterator<Item = (String, Outcome)> {
    let first = tally.seconds.first().map(|(seed, _)| *seed);
    tally.cells.iter().filter_map(move |(seed, cell)| {
        let failure = tally.failures.iter().find(|(failed, _)| failed == seed);
        if let Some((_, why)) = failure {
            return (!why.starts_with(GIVEN_UP))
                .then(|| (cell.clone(), Outcome::failed(why.clone())));
        }
        let (_, seconds) = tally.seconds.iter().find(|(known, _)| known == seed)?;
        let scores = tally.scores.iter().filter(|(known, _)| known == seed);
        let outcome = Outcome {
            scores: scores.map(|(_, entry)| entry.clone()).collect(),
            seconds: *seconds,
            trace: if first == Some(*seed) { tally.trace.clone() } else { Vec::new() },
            ..Outcome::default()
        };
        Some((cell.clone(), outcome))
    })
}
