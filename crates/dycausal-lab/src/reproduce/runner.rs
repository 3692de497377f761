//! Runs the cells of an experiment: in parallel, each once, and none that was run before.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use dycausal::Run;

use super::cell::{Cell, Outcome};
use super::plan::{Part, Place, places};
use super::spec::Experiment;
use super::store::Store;
use super::tally::{NOT_YET, Report, Tally};
use super::workers::each;
use crate::error::Result;

/// Runs a part of an experiment; finished cells are kept in `folder` and not run again. A part that is
/// `finished` runs nothing.
///
/// Cells run in parallel, as many as the run has threads, on one thread each; what comes out does not depend on
/// how many there are, but for the seconds.
///
/// # Errors
/// If a parameter is wrong, the folder cannot be used, or the run is cancelled; what was finished
/// by then is kept.
pub fn run_experiment(
    experiment: &Experiment,
    part: &Part,
    folder: &Path,
    run: &mut Run,
) -> Result<Report> {
    let places = places(experiment, part)?;
    let store = Store::open(folder)?;
    let limit = experiment.size(part.quick).seconds;
    let all = distinct(&places);
    run.stage(&experiment.name, Some(all.len() as u64));
    let shared = &*run;
    let outcomes = each(&all, shared.threads(), |cell| {
        let outcome = if part.finished {
            store.load::<Cell, Outcome>(cell)
        } else {
            Some(settle(cell, &store, limit, shared)?)
        };
        shared.advance(1);
        Ok(outcome)
    })?;
    let found = all.iter().map(|cell| key(cell)).zip(&outcomes);
    let by_key: HashMap<String, &Outcome> =
        found.filter_map(|(key, outcome)| Some((key, outcome.as_ref()?))).collect();
    let tallies = places.iter().map(|place| tally(place, &by_key)).collect();
    Ok(Report::new(experiment, part, tallies))
}

/// The outcome of a cell: as it was kept, or by running it.
fn settle(cell: &Cell, store: &Store, limit: f64, run: &Run) -> Result<Outcome> {
    if let Some(kept) = store.load::<Cell, Outcome>(cell) {
        // What was given up sooner than now may yet finish.
        if kept.given_up.is_none_or(|seconds| seconds >= limit) {
            return Ok(kept);
        }
    }
    run.proceed()?;
    let outcome = cell.run(run, limit)?;
    store.keep(cell, &outcome)?;
    Ok(outcome)
}

/// Every cell once: settings that differ only for some methods share the cells of the others.
fn distinct(places: &[Place]) -> Vec<&Cell> {
    let mut seen = HashSet::new();
    let cells = places.iter().filter_map(|place| place.cells.as_ref().ok()).flatten();
    cells.filter(|cell| seen.insert(key(cell))).collect()
}

fn key(cell: &Cell) -> String {
    serde_json::to_string(cell).unwrap_or_default()
}

fn tally(place: &Place, outcomes: &HashMap<String, &Outcome>) -> Tally {
    let mut tally = Tally::new(&place.setting, &place.reading, &place.row);
    match &place.cells {
        Err(why) => tally.barred = Some(why.clone()),
        Ok(cells) => {
            for cell in cells {
                if let Some(outcome) = outcomes.get(&key(cell)) {
                    tally.add(cell.seed, outcome);
                }
            }
            if tally.is_empty() && tally.failures.is_empty() {
                tally.barred = Some(NOT_YET.into());
            }
        }
    }
    tally
}
