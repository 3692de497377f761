//! Runs the cells of an experiment: in parallel, each once, and none that was run before.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use dycausal::Run;

use super::cell::{Cell, Outcome};
use super::earlier::Earlier;
use super::fit::{by_fit, run_together};
use super::plan::{Part, Place, places};
use super::spec::Experiment;
use super::store::{Store, fingerprint, key};
use super::tally::{NOT_YET, Report, Tally};
use super::workers::each;
use crate::error::Result;

/// Runs a part of an experiment; finished cells are kept in `folder`, one by one and all together in its table,
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
            settle(cells, &mut outcomes, &store, limit, shared)?;
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

/// Runs the cells of a fit that were not finished.
fn settle(
    cells: &[&Cell],
    outcomes: &mut [Option<Outcome>],
    store: &Store,
    limit: f64,
    run: &Run,
) -> Result<()> {
    // What was given up sooner than now may yet finish.
    let open = |outcome: &Option<Outcome>| {
        outcome.as_ref().is_none_or(|kept| kept.given_up.is_some_and(|seconds| seconds < limit))
    };
    let left: Vec<usize> = (0..cells.len()).filter(|k| open(&outcomes[*k])).collect();
    if left.is_empty() {
        return Ok(());
    }
    run.proceed()?;
    let sharing: Vec<&Cell> = left.iter().map(|k| cells[*k]).collect();
    for (k, outcome) in left.into_iter().zip(run_together(&sharing, run, limit)?) {
        store.keep(cells[k], &outcome)?;
        outcomes[k] = Some(outcome);
    }
    Ok(())
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
