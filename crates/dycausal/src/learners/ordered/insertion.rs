//! The best place for one variable, the others as they stand.
//!
//! Only places among its candidates c_1, …, c_k matter. After the first s of them the total is
//! s(v | c_1 … c_s) + Σ_{r ≤ s} s(c_r | without v) + Σ_{r > s} s(c_r | with v): prefix sums of 2k
//! scores give all places.

use super::moves::{Move, Side};
use super::scratch::Scratch;
use super::state::{Scorer, State};

/// The best insertion of `v` and how much it changes the total, if any changes it.
pub(super) fn best_insertion(
    scorer: &Scorer<'_>,
    state: &State,
    v: usize,
    scratch: &mut Scratch,
) -> Option<(Move, f64)> {
    let mut near: Vec<usize> = scorer.nodes[v].within.clone();
    near.sort_unstable_by_key(|c| state.position[*c]);
    let own = state.position[v];
    let here = near.partition_point(|c| state.position[*c] < own);
    // Cost of each candidate with v on the other side of it, less what it costs now.
    let flips: Vec<f64> = near
        .iter()
        .map(|c| {
            let ahead = state.position[*c] < own;
            let before = |x: usize| {
                if x == v { ahead } else { state.position[x] < state.position[*c] }
            };
            let scored = scorer.nodes[*c].score(scorer.problem, &scorer.keys, before, scratch);
            scored.score - state.scored[*c].score
        })
        .collect();
    let mut best = (here, 0.0);
    for slot in (0..=near.len()).filter(|slot| *slot != here) {
        let others: f64 = flips[slot.min(here)..slot.max(here)].iter().sum();
        let last = if slot == 0 { None } else { Some(state.position[near[slot - 1]]) };
        let before = |x: usize| last.is_some_and(|last| state.position[x] <= last);
        let alone = scorer.nodes[v].score(scorer.problem, &scorer.keys, before, scratch);
        let change = others + alone.score - state.scored[v].score;
        if change < best.1 {
            best = (slot, change);
        }
    }
    let (slot, change) = best;
    let (low, high, side) = match slot.cmp(&here) {
        std::cmp::Ordering::Less => (state.position[near[slot]], own, Side::Front),
        std::cmp::Ordering::Greater => (own, state.position[near[slot - 1]], Side::Back),
        std::cmp::Ordering::Equal => return None,
    };
    let moved = vec![v];
    Some((Move { low, high, moved, side }, change))
}
