//! Rounds of moves, evaluated in parallel, until none lowers the total score.
//!
//! A round evaluates every move against the same order, then makes them one after the other from
//! the best on, as long as their scores are known: a move whose neighbourhood an earlier one
//! changed waits for the next round. So all scoring is parallel, and the outcome does not depend
//! on the number of threads.

use rayon::prelude::*;

use super::given::{Loan, Scratch};
use super::insertion::best_insertion;
use super::moves::{Children, Move};
use super::state::{Scorer, State};
use crate::error::Result;
use crate::run::Run;
use crate::scores::LocalScore;

/// Improves an order until no move lowers its total score.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn improve<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    state: &mut State<S>,
    run: &Run,
) -> Result<()> {
    let stepwise = scorer.score.insertions_first();
    let mut all = !stepwise;
    loop {
        run.proceed()?;
        let found = round(scorer, state, all);
        let moved = make(scorer, state, &found);
        if all && !moved {
            return Ok(());
        }
        all = !(stepwise && moved);
    }
}

/// What a round evaluates.
#[derive(Debug, Clone, Copy)]
enum Try {
    Insert(usize),
    Tuck(usize, usize),
    Mirror(usize, usize),
}

/// The moves that lower the total, best first: all of them, or insertions alone.
fn round<S: LocalScore>(scorer: &Scorer<'_, S>, state: &State<S>, all: bool) -> Vec<(Move, f64)> {
    let edges = state.edges().filter(|_| all);
    let tries: Vec<Try> = (0..state.order.len())
        .map(Try::Insert)
        .chain(edges.flat_map(|(j, i)| [Try::Tuck(j, i), Try::Mirror(j, i)]))
        .collect();
    let children = Children::of_state(state);
    let evaluate = |loan: &mut Loan<'_, S::Scratch>, attempt: &Try| {
        // What a round that is cut short has found is of no use: the next look says so.
        scorer.score.proceed().ok()?;
        let scratch: &mut Scratch<S::Scratch> = loan;
        scratch.moved.resize(state.position.len(), false);
        let step = match *attempt {
            Try::Insert(v) => return best_insertion(scorer, state, v),
            Try::Tuck(j, i) => Move::tuck(state, j, i, &mut scratch.moved),
            Try::Mirror(j, i) => Move::mirror(state, &children, j, i, &mut scratch.moved),
        };
        step.allowed(state, &scorer.given.knowledge).then(|| {
            let change = step.change(scorer, state, scratch);
            (step, change)
        })
    };
    let mut found: Vec<(Move, f64)> = tries
        .par_iter()
        .map_init(|| scorer.given.lend(), evaluate)
        .flatten_iter()
        .filter(|(_, change)| *change < -scorer.score.least())
        .collect();
    // Stable: equal changes stay in the order in which they were tried.
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    found
}

/// Makes the moves that still lower the total; tells whether there was one.
fn make<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    state: &mut State<S>,
    found: &[(Move, f64)],
) -> bool {
    let mut scratch = scorer.given.lend();
    let mut any = false;
    for (step, _) in found.iter().filter(|(_, change)| change.is_finite()) {
        if !step.fits(state) || !step.allowed(state, &scorer.given.knowledge) {
            continue;
        }
        if let Some((change, fresh)) = step.known(scorer, state, &mut scratch)
            && change < -scorer.score.least()
        {
            step.apply(state, fresh);
            any = true;
        }
    }
    any
}
