//! From columns to an order and the regressions in it.

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::augment::{regressions, turned};
use super::candidates::{candidates, make_symmetric};
use super::construct::{construct, settle};
use super::moves::Move;
use super::problem::Problem;
use super::score::Depth;
use super::scratch::Pool;
use super::search::{LEAST, improve};
use super::shrink::Fit;
use super::state::{Scorer, State};
use crate::error::Result;
use crate::method::Run;

/// How often candidates may be added and the search repeated.
const AUGMENTATIONS: usize = 4;

/// Costs of a group up to which a call is close.
const CLOSE: f64 = 8.0;

/// What the shape of the noise takes off the score of a variable, if it has one; about 2 if not.
const SHAPED: f64 = 10.0;

/// An order, and the regression of each variable in it.
#[derive(Debug)]
pub(super) struct Learned {
    /// The order with its scores.
    pub state: State,
    /// One regression per variable, on columns.
    pub fits: Vec<Fit>,
    /// Candidates of each variable.
    pub candidates: Vec<Vec<usize>>,
}

/// Finds the order: from one that is known to be near, or from a few drawn at random.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn learn(
    problem: &Problem,
    near: Option<&[usize]>,
    pool: &Pool,
    run: &Run,
) -> Result<Learned> {
    run.parallel(|| {
        let candidates = candidates(problem, pool);
        let mut scorer = Scorer::new(problem, &candidates, pool);
        let state = first_state(&mut scorer, near, run)?;
        augmented(scorer, candidates, state, run)
    })
}

/// Improves an order, with more candidates as long as the last look finds some.
fn augmented(
    mut scorer: Scorer<'_>,
    mut candidates: Vec<Vec<usize>>,
    mut state: State,
    run: &Run,
) -> Result<Learned> {
    for _ in 0..AUGMENTATIONS {
        improve(&scorer, &mut state, run)?;
        let fits = regressions(scorer.problem, &state.position, scorer.pool);
        let selected = fits.iter().enumerate().map(|(v, fit)| (v, fit.selected.clone()));
        let close = close_calls(&scorer, &state);
        let others = turned(scorer.problem, &state.position, &close, scorer.pool);
        if !adopt(&mut scorer, &mut candidates, selected.chain(others)) {
            return Ok(Learned { state, fits, candidates });
        }
        state = scorer.state(state.order);
    }
    improve(&scorer, &mut state, run)?;
    let fits = regressions(scorer.problem, &state.position, scorer.pool);
    Ok(Learned { state, fits, candidates })
}

/// The best of the starts by its whole score.
///
/// The first goes by the moments alone, which is cheap and right where weights move. Further ones
/// go by the whole score from the beginning: where only the shape of the noise tells directions,
/// the first leads astray. They are for small problems, and for those of middling size whose noise
/// has a shape.
fn first_state(scorer: &mut Scorer<'_>, near: Option<&[usize]>, run: &Run) -> Result<State> {
    let d = scorer.problem.variables();
    let mut random = run.random("start order");
    let mut sequence: Vec<usize> = (0..d).collect();
    sequence.shuffle(&mut random);
    scorer.depth = Depth::Moments;
    let mut state = match near {
        Some(order) => {
            let mut state = scorer.state(order.to_vec());
            settle(scorer, &mut state, order, run)?;
            state
        }
        None => construct(scorer, &sequence, run)?,
    };
    improve(scorer, &mut state, run)?;
    scorer.depth = Depth::Residuals;
    state = scorer.state(state.order);
    improve(scorer, &mut state, run)?;
    for _ in 1..starts(d, state.shape()) {
        sequence.shuffle(&mut random);
        let mut other = construct(scorer, &sequence, run)?;
        improve(scorer, &mut other, run)?;
        if other.total() < state.total() - LEAST {
            state = other;
        }
    }
    Ok(state)
}

/// How many starts a problem gets, given what the shape of its noise took off the score.
fn starts(variables: usize, shape: f64) -> usize {
    match variables {
        0..=15 => 5,
        16..=40 if shape > SHAPED * variables as f64 => 2,
        _ => 1,
    }
}

/// Edges within the step that could be turned around at little cost.
fn close_calls(scorer: &Scorer<'_>, state: &State) -> Vec<(usize, usize)> {
    let most = CLOSE * scorer.problem.penalty();
    let edges = (0..state.order.len())
        .flat_map(|i| state.parents(i).iter().map(move |j| (*j, i)))
        .collect::<Vec<_>>();
    edges
        .into_par_iter()
        .map_init(
            || scorer.pool.lend(),
            |scratch, (j, i)| {
                let step = Move::tuck(state, j, i, &mut scratch.moved);
                (step.change(scorer, state, scratch) < most).then_some((j, i))
            },
        )
        .flatten_iter()
        .collect()
}

/// Makes candidates of selected parents that were none; tells whether there was one.
fn adopt(
    scorer: &mut Scorer<'_>,
    candidates: &mut [Vec<usize>],
    selected: impl Iterator<Item = (usize, Vec<usize>)>,
) -> bool {
    let before: Vec<usize> = candidates.iter().map(Vec::len).collect();
    for (v, parents) in selected {
        candidates[v].extend(parents);
    }
    make_symmetric(candidates, before.len());
    let grown: Vec<usize> =
        (0..before.len()).filter(|v| candidates[*v].len() > before[*v]).collect();
    let problem = scorer.problem;
    let nodes: Vec<_> =
        grown.par_iter().map(|v| super::score::Node::new(problem, *v, &candidates[*v])).collect();
    for (v, node) in grown.iter().zip(nodes) {
        scorer.nodes[*v].replace(node);
    }
    !grown.is_empty()
}
