//! A good order to start from: variables are put in one by one, each where it is best.

use rayon::prelude::*;

use super::insertion::best_insertion;
use super::state::{Scorer, State};
use crate::error::Result;
use crate::run::Run;
use crate::scores::LocalScore;

/// Passes in which every variable is taken out and put back where it is best, at most.
const PASSES: usize = 3;
/// Variables from which on several are looked at ahead of their turn …
const MANY: usize = 100;
/// … one of so many at once, and at most this many.
const AHEAD: (usize, usize) = (32, 32);

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
    let turns = scorer.given.knowledge.arranged(sequence);
    for some in turns.chunks(at_once(scorer)) {
        run.proceed()?;
        foresee(scorer, &state, some);
        for v in some {
            scorer.append(&mut state, *v);
            insert(scorer, &mut state, *v);
        }
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
        for some in sequence.chunks(at_once(scorer)) {
            run.proceed()?;
            foresee(scorer, state, some);
            for v in some {
                any |= insert(scorer, state, *v);
            }
        }
        if !any {
            break;
        }
    }
    Ok(())
}

/// How many variables are looked at ahead of their turn: what a score is must not hang on when it is asked for, as
/// it does where a regression begins with one that is near.
fn at_once<S: LocalScore>(scorer: &Scorer<'_, S>) -> usize {
    let alike = scorer.score.is_cheap() && !scorer.score.is_monotone();
    match scorer.score.variables() {
        MANY.. if alike => (scorer.score.variables() / AHEAD.0).min(AHEAD.1),
        _ => 1,
    }
}

/// Scores the places of a few variables at once, as the order is before any of them is moved.
///
/// One variable has too few places to keep several threads busy. Few of many variables are candidates of each
/// other, so that most scores are known when their turn comes.
fn foresee<S: LocalScore>(scorer: &Scorer<'_, S>, state: &State<S>, some: &[usize]) {
    if some.len() > 1 && rayon::current_num_threads() > 1 {
        some.par_iter().with_max_len(1).for_each(|v| {
            best_insertion(scorer, state, *v);
        });
    }
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
