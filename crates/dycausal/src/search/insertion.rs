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
    let around = Around { scorer, state, v, near: &near };
    let flips = around.flips();
    let others = |slot: usize| -> f64 { flips[slot.min(here)..slot.max(here)].iter().sum() };
    let others: Vec<f64> = (0..=near.len()).map(others).collect();
    let mut best = (here, 0.0);
    let mut look = |slot: usize, alone: f64| {
        if others[slot] + alone < best.1 && may(slot) {
            best = (slot, others[slot] + alone);
        }
        best.1
    };
    if scorer.score.is_monotone() {
        around.as_needed(here, &others, look);
    } else {
        around.alone().into_iter().enumerate().for_each(|(slot, alone)| {
            look(slot, alone);
        });
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

/// A variable among its candidates, which stand in their order.
struct Around<'a, S: LocalScore> {
    scorer: &'a Scorer<'a, S>,
    state: &'a State<S>,
    v: usize,
    near: &'a [usize],
}

impl<S: LocalScore> Around<'_, S> {
    /// How the score of each candidate changes with v on its other side.
    fn flips(&self) -> Vec<f64> {
        let (state, v) = (self.state, self.v);
        let own = state.position[v];
        let flipped = |loan: &mut Loan<'_, S::Scratch>, c: &usize| {
            let at = state.position[*c];
            let before = |x: usize| if x == v { at < own } else { state.position[x] < at };
            self.scorer.score_near(state, *c, before, &mut loan.score).0 - state.score(*c)
        };
        self.near.par_iter().map_init(|| self.scorer.given.lend(), flipped).collect()
    }

    /// How the score of v changes in a slot.
    fn inserted(&self, slot: usize, scratch: &mut S::Scratch) -> f64 {
        let (scorer, state, v) = (self.scorer, self.state, self.v);
        scorer.score_near(state, v, self.before(slot), scratch).0 - state.score(v)
    }

    /// Who precedes v in a slot.
    fn before(&self, slot: usize) -> impl Fn(usize) -> bool {
        let (state, v) = (self.state, self.v);
        let end = if slot == 0 { 0 } else { state.position[self.near[slot - 1]] + 1 };
        move |x: usize| state.position[x] < end && x != v
    }

    /// How the score of v changes in every slot. Where a regression tells what it tried, from the last slot on: what
    /// it never tried may leave, so that few have to be made.
    fn alone(&self) -> Vec<f64> {
        let Self { scorer, state, v, near } = *self;
        let mut loan = scorer.given.lend();
        let mut scored = scorer.score_near(state, v, self.before(near.len()), &mut loan.score);
        if !scored.1.stays(|_| true) {
            let slots = (0..=near.len()).into_par_iter();
            let one = |loan: &mut Loan<'_, S::Scratch>, slot| self.inserted(slot, &mut loan.score);
            return slots.map_init(|| scorer.given.lend(), one).collect();
        }
        let mut changes = vec![scored.0 - state.score(v); near.len() + 1];
        for (slot, left) in near.iter().enumerate().rev() {
            let known = (&scored.1, *left);
            scored = scorer.score_without(known, v, self.before(slot), &mut loan.score);
            changes[slot] = scored.0 - state.score(v);
        }
        changes
    }

    /// Looks at the slots that may be better than the best so far, which `look` tells: v is never worse in a
    /// later slot, where it has more candidates.
    fn as_needed(&self, here: usize, others: &[f64], mut look: impl FnMut(usize, f64) -> f64) {
        let mut loan = self.scorer.given.lend();
        let (last, mut best) = (self.near.len(), 0.0);
        let mut open = vec![(0..here, 0.0)];
        if here < last {
            let alone = self.inserted(last, &mut loan.score);
            best = look(last, alone);
            open.push((here + 1..last, alone));
        }
        while let Some((slots, bound)) = open.pop() {
            let least = others[slots.clone()].iter().fold(f64::INFINITY, |a, b| a.min(*b));
            if slots.is_empty() || least + bound >= best {
                continue;
            }
            let middle = usize::midpoint(slots.start, slots.end);
            let alone = self.inserted(middle, &mut loan.score);
            best = look(middle, alone);
            open.push((slots.start..middle, alone));
            open.push((middle + 1..slots.end, bound));
        }
    }
}
