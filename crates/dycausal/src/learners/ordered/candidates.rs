//! Which columns may be parents of which variable, before any order is known.
//!
//! Per target, forward selection among all other columns, ignoring order, down to half the cost of
//! a group and without dropping any: a wrong order wins where a true parent is missing. What is a
//! candidate within a step one way is one the other way too.
//!
//! What a variable gains from a parent may show only in the right order, where its children are
//! not yet known: two sets of NetSim came out with an edge reversed for want of a candidate. So
//! where there are few variables, everything is a candidate; where there are more, the last look
//! (see [`super::augment`]) turns edges around whose direction is a close call.

use rayon::prelude::*;

use super::problem::Problem;
use super::scratch::Pool;

/// Share of a group's cost at which selection stops.
const SHARE: f64 = 0.5;

/// Variables up to which everything is a candidate.
const FEW: usize = 15;
/// Columns, lags counted, up to which that holds: every variable has the moments of its candidates.
const COLUMNS: usize = 160;

/// Candidates of each variable, as columns in increasing order.
pub(super) fn candidates(problem: &Problem, pool: &Pool) -> Vec<Vec<usize>> {
    let d = problem.variables();
    if d <= FEW && problem.gram.size() <= COLUMNS {
        return everything(problem);
    }
    let stop = problem.stop(SHARE);
    let mut found: Vec<Vec<usize>> = (0..d)
        .into_par_iter()
        .map_init(
            || pool.lend(),
            |scratch, target| {
                let forward = &mut scratch.forward;
                forward.select(&problem.gram, target, &|column| column != target, stop);
                forward.selected.clone()
            },
        )
        .collect();
    make_symmetric(&mut found, d);
    found
}

fn everything(problem: &Problem) -> Vec<Vec<usize>> {
    let others = |target| (0..problem.gram.size()).filter(|c| *c != target).collect();
    (0..problem.variables()).map(others).collect()
}

/// Adds to every variable those that have it as a candidate within the step; sorts.
pub(super) fn make_symmetric(candidates: &mut [Vec<usize>], d: usize) {
    for target in 0..d {
        let within: Vec<usize> = candidates[target].iter().copied().filter(|c| *c < d).collect();
        for other in within {
            candidates[other].push(target);
        }
    }
    for list in candidates {
        list.sort_unstable();
        list.dedup();
    }
}
