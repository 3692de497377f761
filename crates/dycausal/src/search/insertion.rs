//! The best place for one variable, the others as they stand.
//!
//! Only places among its candidates c_1, …, c_k matter. After the first s of them the total is
//! s(v | c_1 … c_s) + Σ_{r ≤ s} s(c_r | without v) + Σ_{r > s} s(c_r | with v): prefix sums of 2k
//! scores give all places.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::given::Loan;
use super::moves::{Move, Side};
use super::state::{Scorer, State};
use crate::scores::LocalScore;

/// The best insertion of `v` and how much it changes the total, if any lowers it.
pub(super) fn best_insertion<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    state: &State<S>,
    v: usize,
) -> Option<(Move, f64)> {
    let placed = |c: &usize| state.position[*c] < state.order.len();
    let mut near: Vec<usize> = scorer.nodes[v].within.iter().copied().filter(placed).collect();
    near.sort_unstable_by_key(|c| state.position[*c]);
    let here = near.partition_point(|c| state.position[*c] < state.position[v]);
    let step = |slot: usize| insertion(state, v, &near, here, slot);
    let knowledge = &scorer.given.knowledge;
    let may = |slot: usize| {
        knowledge.is_empty() || step(slot).is_none_or(|step| step.allowed(state, knowledge))
    };
    let changes = changes(scorer, state, v, &near);
    let (flips, alone) = changes.split_at(near.len());
    let mut best = (here, 0.0);
    for slot in 0..=near.len() {
        let others: f64 = flips[slot.min(here)..slot.max(here)].iter().sum();
        let change = others + alone[slot];
        if change < best.1 && may(slot) {
            best = (slot, change);
        }
    }
    step(best.0).map(|step| (step, best.1))
}

/// v after the first `slot` of its candidates instead of the first `here`.
fn insertion<S: LocalScore>(
    state: &State<S>,
    v: usize,
    near: &[usize],
    here: usize,
    slot: usize,
) -> Option<Move> {
    let own = state.position[v];
    let (low, high, side) = match slot.cmp(&here) {
        Ordering::Less => (state.position[near[slot]], own, Side::Front),
        Ordering::Greater => (own, state.position[near[slot - 1]], Side::Back),
        Ordering::Equal => return None,
    };
    Some(Move { low, high, moved: vec![v], side })
}

/// How the score of each candidate changes with v on its other side, then that of v in each slot.
fn changes<S: LocalScore>(
    scorer: &Scorer<'_, S>,
    state: &State<S>,
    v: usize,
    near: &[usize],
) -> Vec<f64> {
    let (own, count) = (state.position[v], near.len());
    let flipped = |c: usize, scratch: &mut S::Scratch| {
        let at = state.position[c];
        let before = |x: usize| if x == v { at < own } else { state.position[x] < at };
        scorer.score(c, before, scratch).0 - state.score(c)
    };
    let inserted = |slot: usize, scratch: &mut S::Scratch| {
        let end = if slot == 0 { 0 } else { state.position[near[slot - 1]] + 1 };
        let before = |x: usize| state.position[x] < end;
        scorer.score(v, before, scratch).0 - state.score(v)
    };
    let evaluate = |loan: &mut Loan<'_, S::Scratch>, k: usize| {
        let scratch = &mut loan.score;
        if k < count { flipped(near[k], scratch) } else { inserted(k - count, scratch) }
    };
    (0..2 * count + 1).into_par_iter().map_init(|| scorer.given.lend(), evaluate).collect()
}
