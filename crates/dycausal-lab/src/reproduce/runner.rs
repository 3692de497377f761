//! Runs the cells of an experiment: in parallel, each once, and none that was run before.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use dycausal::Run;

use super::cell::Cell;
use super::earlier::Earlier;
use super::fit::{by_fit, run_together};
use super::plan::{Part, Place, places};
use super::report::Report;
use super::spec::Experiment;
use crate::error::Result;
use crate::study::{NOT_YET, Outcome, Store, Tally, each, fingerprint, key, settle};

/// Runs a part of an experiment; finished cells are kept in `folder`,
/// and not run again. A part that is `finished` runs nothing.
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
    let earlier = Earlier::read(folder, experiment, part.quick)?;
    let known = |cell: &Cell| store.load::<Cell, Outcome>(cell).or_else(|| earlier.outcome(cell));
    let limit = experiment.size(part.quick).seconds;
    let all = distinct(&places);
    let fits = by_fit(&all);
    run.stage(&experiment.name, Some(all.len() as u64));
    let shared = &*run;
    let outcomes = each(&fits, shared.threads(), |cells| {
        let mut outcomes: Vec<Option<Outcome>> = cells.iter().map(|cell| known(cell)).collect();
        if !part.finished {
            let fit = |sharing: &[&Cell]| run_together(sharing, shared, limit);
            settle(cells, &mut outcomes, &store, (limit, shared), fit)?;
        }
        shared.advance(cells.len() as u64);
        Ok(outcomes)
    })?;
    let all: Vec<&Cell> = fits.into_iter().flatten().collect();
    let outcomes: Vec<Option<Outcome>> = outcomes.into_iter().flatten().collect();
    let found = all.iter().map(key).zip(&outcomes);
    let by_key: HashMap<String, &Outcome> =
        found.filter_map(|(key, outcome)| Some((key, outcome.as_ref()?))).collect();
    let tallies = places.iter().map(|place| tally(place, &by_key)).collect();
    Ok(Report::new(experiment, part, tallies))
}

/// Every cell once: settings that differ only for some methods share the cells of the others.
fn distinct(places: &[Place]) -> Vec<&Cell> {
    let mut seen = HashSet::new();
    let cells = places.iter().filter_map(|place| place.cells.as_ref().ok()).flatten();
    cells.filter(|cell| seen.insert(key(cell))).collect()
}

fn tally(place: &Place, outcomes: &HashMap<String, &Outcome>) -> Tally {
    let mut tally = Tally::new(&place.setting, &place.reading, &place.row);
    match &place.cells {
        Err(why) => tally.barred = Some(why.clone()),
        Ok(cells) => {
            for cell in cells {
                let key = key(cell);
                if let Some(outcome) = outcomes.get(&key) {
                    tally.add(cell.seed, &fingerprint(&key), outcome);
                }
            }
            if tally.is_empty() && tally.failures.is_empty() {
                tally.barred = Some(NOT_YET.into());
            }
        }
    }
    tally
}
