//! A good order to start from: variables are put in one by one, each where it is best.

use super::insertion::best_insertion;
use super::state::{Scorer, State};
use crate::error::Result;
use crate::method::Run;
use crate::scores::LocalScore;

/// Passes in which every variable is taken out and put back where it is best, at most.
const PASSES: usize = 3;

/// Inserts the variables in the sequence given; then each again, given all the others.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn construct<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    sequence: &[usize],
    run: &Run,
) -> Result<State<S>> {
    let mut state = scorer.state(Vec::new())?;
    for v in &scorer.given.knowledge.arranged(sequence) {
        run.proceed()?;
        scorer.append(&mut state, *v);
        insert(scorer, &mut state, *v);
    }
    settle(scorer, &mut state, sequence, run)?;
    Ok(state)
}

/// Puts every variable where it is best, one after the other, a few times.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn settle<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    state: &mut State<S>,
    sequence: &[usize],
    run: &Run,
) -> Result<()> {
    for _ in 0..PASSES {
        let mut any = false;
        for v in sequence {
            run.proceed()?;
            any |= insert(scorer, state, *v);
        }
        if !any {
            break;
        }
    }
    Ok(())
}

/// Moves a variable to its best place; tells whether it moved.
fn insert<S: LocalScore>(scorer: &Scorer<'_, S>, state: &mut State<S>, v: usize) -> bool {
    let Some((step, change)) = best_insertion(scorer, state, v) else {
        return false;
    };
    let mut scratch = scorer.given.lend();
    if change > -scorer.score.least() {
        return false;
    }
    let known = step.known(scorer, state, &mut scratch);
    known.is_some_and(|(_, fresh)| {
        step.apply(state, fresh);
        true
    })
}
