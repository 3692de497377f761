//! The last look: every variable regressed on all of its predecessors and all lags, as the order
//! is and as it would be with an edge turned around.

use rayon::prelude::*;

use super::problem::Problem;
use super::scratch::{Pool, Scratch};
use super::shrink::Fit;

/// Grow-and-shrink of each variable on everything before it, candidate or not.
pub(super) fn regressions(problem: &Problem, position: &[usize], pool: &Pool) -> Vec<Fit> {
    let d = problem.variables();
    let stop = problem.stop(1.0);
    (0..d)
        .into_par_iter()
        .map_init(
            || pool.lend(),
            |loan, target| {
                let scratch: &mut Scratch = loan;
                let allowed = |c: usize| c >= d || position[c] < position[target];
                let allowed = |c: usize| c < problem.gram.size() && allowed(c);
                scratch.forward.select(&problem.gram, target, &allowed, stop);
                let mut fit = Fit::default();
                let (forward, gram) = (&scratch.forward, &problem.gram);
                scratch.shrink.backward(forward, gram, target, stop, &mut fit);
                fit
            },
        )
        .collect()
}

/// What the two ends of each of these edges j → i select were it turned around: i without j, and
/// j with i. A parent may show only then.
pub(super) fn turned(
    problem: &Problem,
    position: &[usize],
    edges: &[(usize, usize)],
    pool: &Pool,
) -> Vec<(usize, Vec<usize>)> {
    let d = problem.variables();
    let stop = problem.stop(1.0);
    let select = |scratch: &mut Scratch, (other, target): (usize, usize)| {
        let before = |c: usize| position[c] < position[target];
        let allowed = |c: usize| c >= d || (before(c) != (c == other) && c != target);
        let allowed = |c: usize| c < problem.gram.size() && allowed(c);
        scratch.forward.select(&problem.gram, target, &allowed, stop);
        (target, scratch.forward.selected.clone())
    };
    edges
        .par_iter()
        .flat_map_iter(|(j, i)| [(*j, *i), (*i, *j)])
        .map_init(|| pool.lend(), |scratch, ends| select(scratch, ends))
        .collect()
}
