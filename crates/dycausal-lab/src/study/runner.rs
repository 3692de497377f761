//! Answers questions: each once, within its time, and none that was answered before.

use std::time::Instant;

use dycausal::{Cancel, Run};
use serde::Serialize;

use super::limit::within;
use super::outcome::Outcome;
use super::store::Store;
use crate::error::Result;

/// Does `work` within so many seconds and gives how many it took; what fails or takes longer is an outcome too.
///
/// # Errors
/// If the run was cancelled.
pub(crate) fn attempt<T>(
    limit: f64,
    run: &Run,
    work: impl FnOnce(Cancel) -> Result<T>,
) -> Result<(f64, std::result::Result<T, Outcome>)> {
    let begun = Instant::now();
    let found = within(limit, run, work);
    let seconds = begun.elapsed().as_secs_f64();
    // Stopped by whoever asked for all of this, and not by the limit.
    run.proceed()?;
    let found = found.map_err(|error| {
        if seconds >= limit { Outcome::given_up(limit) } else { Outcome::failed(error) }
    });
    Ok((seconds, found))
}

/// Answers those of some cells that are not finished, all with one call of `fit`, and keeps what comes out.
///
/// # Errors
/// If the run was cancelled, or what came out cannot be kept.
pub(crate) fn settle<C: Serialize>(
    cells: &[&C],
    outcomes: &mut [Option<Outcome>],
    store: &Store,
    (limit, run): (f64, &Run),
    fit: impl FnOnce(&[&C]) -> Result<Vec<Outcome>>,
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
    let sharing: Vec<&C> = left.iter().map(|k| cells[*k]).collect();
    for (k, outcome) in left.into_iter().zip(fit(&sharing)?) {
        store.keep(cells[k], &outcome)?;
        outcomes[k] = Some(outcome);
    }
    Ok(())
}
