//! The last look: every variable regressed on all of its predecessors and all lags, as the order
//! is and as it would be with an edge turned around.

use rayon::prelude::*;

use super::given::Given;
use super::moves::Move;
use super::state::{Scorer, State};
use crate::error::Result;
use crate::scores::LocalScore;

/// Costs of a parent up to which a call is close.
const CLOSE: f64 = 8.0;

/// The regression of each variable on everything before it, candidate or not.
///
/// # Errors
/// If the run is cancelled.
pub(crate) fn regressions<S: LocalScore>(
    score: &S,
    position: &[usize],
    candidates: &[Vec<usize>],
    given: &Given<S::Scratch>,
) -> Result<Vec<S::Regression>> {
    let d = score.variables();
    let allowed = |c: usize, target: usize| {
        (c >= d || position[c] < position[target]) && given.knowledge.allows_column(c, target, d)
    };
    let required = |target: usize| given.knowledge.required_columns(target);
    if let Some(fits) = score.regress_together(candidates, &allowed, &required)? {
        return Ok(fits);
    }
    (0..d)
        .into_par_iter()
        .map_init(
            || given.lend(),
            |scratch, target| {
                score.proceed()?;
                let (allowed, required) = (|c: usize| allowed(c, target), required(target));
                Ok(score.regress(target, allowed, &required, &mut scratch.score))
            },
        )
        .collect()
}

/// What the two ends of each of these edges j → i select were it turned around: i without j, and
/// j with i. A parent may show only then.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn turned<S: LocalScore>(
    score: &S,
    position: &[usize],
    edges: &[(usize, usize)],
    candidates: &[Vec<usize>],
    given: &Given<S::Scratch>,
) -> Result<Vec<(usize, Vec<usize>)>> {
    let d = score.variables();
    let select = |scratch: &mut S::Scratch, (other, target): (usize, usize)| {
        score.proceed()?;
        let before = |c: usize| position[c] < position[target];
        let may = |c: usize| given.knowledge.allows_column(c, target, d);
        let turned = |c: usize| c >= d || (before(c) != (c == other) && c != target);
        let required = given.knowledge.required_columns(target);
        let near = [&candidates[target][..], &candidates[other]].concat();
        let allowed = |c: usize| turned(c) && may(c);
        Ok((target, score.grow_near(target, &near, allowed, &required, 1.0, scratch)))
    };
    edges
        .par_iter()
        .flat_map_iter(|(j, i)| [(*j, *i), (*i, *j)])
        .map_init(|| given.lend(), |scratch, ends| select(&mut scratch.score, ends))
        .collect()
}

/// How much worse the total is with each edge within the step turned around, whatever else that moves.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn turns<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    state: &State<S>,
) -> Result<Vec<((usize, usize), f64)>> {
    let knowledge = &scorer.given.knowledge;
    state
        .edges()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map_init(
            || scorer.given.lend(),
            |scratch, (j, i)| {
                scorer.score.proceed()?;
                scratch.moved.resize(state.position.len(), false);
                let step = Move::tuck(state, j, i, &mut scratch.moved);
                let may = step.allowed(state, knowledge);
                let worse = if may { step.change(scorer, state, scratch) } else { f64::INFINITY };
                Ok(((j, i), worse))
            },
        )
        .collect()
}

/// Edges that could be turned around at little cost.
pub(super) fn close_calls<S: LocalScore>(
    score: &S,
    turns: &[((usize, usize), f64)],
) -> Vec<(usize, usize)> {
    let most = CLOSE * score.cost();
    turns.iter().filter(|(_, worse)| *worse < most).map(|(edge, _)| *edge).collect()
}
