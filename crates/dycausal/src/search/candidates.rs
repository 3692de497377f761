//! Which columns may be parents of which variable, before any order is known.
//!
//! Per target, what the score finds among all other columns, ignoring order, down to half the cost
//! of a parent and without dropping any: a wrong order wins where a true parent is missing. What is
//! a candidate within a step one way is one the other way too.
//!
//! What a variable gains from a parent may show only in the right order, where its children are
//! not yet known: two sets of NetSim came out with an edge reversed for want of a candidate. So
//! where there are few variables, everything is a candidate; where there are more, the last look
//! (see [`super::last_look`]) turns edges around whose direction is a close call.

use rayon::prelude::*;

use super::given::Given;
use crate::error::Result;
use crate::scores::{LocalScore, make_symmetric};

/// Share of a parent's cost at which selection stops.
const SHARE: f64 = 0.5;

/// Variables up to which everything is a candidate.
const FEW: usize = 15;
/// Columns, lags counted, up to which that holds: every variable is prepared with its candidates.
const COLUMNS: usize = 160;

/// Candidates of each variable, as columns in increasing order.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn candidates<S: LocalScore>(
    score: &S,
    given: &Given<S::Scratch>,
) -> Result<Vec<Vec<usize>>> {
    let d = score.variables();
    if score.is_cheap() && d <= FEW && score.columns() <= COLUMNS {
        return Ok(everything(score));
    }
    let allowed =
        |c: usize, target: usize| c != target && given.knowledge.allows_column(c, target, d);
    let required = |target: usize| given.knowledge.required_columns(target);
    if let Some(mut found) = score.grow_together(&allowed, &required, SHARE)? {
        for (target, list) in found.iter_mut().enumerate() {
            list.extend(required(target).into_iter().filter(|c| *c < score.columns()));
        }
        make_symmetric(&mut found, d);
        return Ok(found);
    }
    let mut found: Vec<Vec<usize>> = (0..d)
        .into_par_iter()
        .map_init(
            || given.lend(),
            |scratch, target| {
                score.proceed()?;
                let (allowed, required) = (|c: usize| allowed(c, target), required(target));
                let mut found = score.grow(target, allowed, &required, SHARE, &mut scratch.score);
                found.extend(required.into_iter().filter(|c| *c < score.columns()));
                Ok(found)
            },
        )
        .collect::<Result<_>>()?;
    make_symmetric(&mut found, d);
    Ok(found)
}

fn everything<S: LocalScore>(score: &S) -> Vec<Vec<usize>> {
    let others = |target| (0..score.columns()).filter(|c| *c != target).collect();
    (0..score.variables()).map(others).collect()
}
