//! From columns to an order and the regressions in it.

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::augment::regressions;
use super::candidates::{candidates, make_symmetric};
use super::construct::{construct, settle};
use super::problem::Problem;
use super::score::Depth;
use super::scratch::Pool;
use super::search::improve;
use super::shrink::Fit;
use super::state::{Scorer, State};
use crate::error::Result;
use crate::method::Run;

/// How often candidates may be added and the search repeated.
const AUGMENTATIONS: usize = 4;

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

/// Finds the order, from a start or from one drawn at random.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn learn(
    problem: &Problem,
    start: Option<Vec<usize>>,
    pool: &Pool,
    run: &Run,
) -> Result<Learned> {
    let given = start.is_some();
    let order = start.unwrap_or_else(|| {
        let mut order: Vec<usize> = (0..problem.variables()).collect();
        order.shuffle(&mut run.random("start order"));
        order
    });
    run.parallel(|| {
        let mut candidates = candidates(problem, pool);
        let mut scorer = Scorer::new(problem, &candidates, pool);
        let mut state = if given {
            let mut state = scorer.state(order.clone());
            settle(&scorer, &mut state, &order, run)?;
            state
        } else {
            construct(&scorer, &order, run)?
        };
        improve(&scorer, &mut state, run)?;
        scorer.depth = Depth::Residuals;
        state = scorer.state(state.order);
        for _ in 0..AUGMENTATIONS {
            improve(&scorer, &mut state, run)?;
            let fits = regressions(problem, &state.position, pool);
            if !adopt(&mut scorer, &mut candidates, &fits) {
                return Ok(Learned {
                    state,
                    fits,
                    candidates,
                });
            }
            state = scorer.state(state.order);
        }
        improve(&scorer, &mut state, run)?;
        let fits = regressions(problem, &state.position, pool);
        Ok(Learned {
            state,
            fits,
            candidates,
        })
    })
}

/// Makes candidates of selected parents that were none; tells whether there was one.
fn adopt(scorer: &mut Scorer<'_>, candidates: &mut [Vec<usize>], fits: &[Fit]) -> bool {
    let before: Vec<usize> = candidates.iter().map(Vec::len).collect();
    for (list, fit) in candidates.iter_mut().zip(fits) {
        list.extend(&fit.selected);
    }
    make_symmetric(candidates, before.len());
    let grown: Vec<usize> = (0..before.len())
        .filter(|v| candidates[*v].len() > before[*v])
        .collect();
    let problem = scorer.problem;
    let nodes: Vec<_> = grown
        .par_iter()
        .map(|v| super::score::Node::new(problem, *v, &candidates[*v]))
        .collect();
    for (v, node) in grown.iter().zip(nodes) {
        scorer.nodes[*v] = node;
    }
    !grown.is_empty()
}
