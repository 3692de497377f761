//! Ways to change an order: a few variables of a stretch go to its front, or to its back.
//!
//! - tuck: for an edge j → i, i goes to just before j, its ancestors in between with it;
//! - mirror tuck: j goes to just after i, its descendants in between with it;
//! - insertion: one variable goes where the total score is least; see [`super::insertion`].

use super::given::Scratch;
use super::node::Entry;
use super::state::{Scorer, State};
use crate::knowledge::Knowledge;
use crate::scores::LocalScore;

/// Variables with their new scores.
pub(super) type Fresh<S> = Vec<(usize, Entry<S>)>;

/// Where the moved variables of a stretch go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Before the others.
    Front,
    /// After the others.
    Back,
}

/// A change of the stretch `low..=high` of an order.
#[derive(Debug, Clone)]
pub(super) struct Move {
    /// First position.
    pub low: usize,
    /// Last position.
    pub high: usize,
    /// Which variables move, in the order they have.
    pub moved: Vec<usize>,
    /// Where to.
    pub side: Side,
}

impl Move {
    /// i before j with its ancestors in between, for the edge j → i.
    pub fn tuck<S: LocalScore>(
        state: &State<S>,
        j: usize,
        i: usize,
        marks: &mut Vec<bool>,
    ) -> Self {
        let (low, high) = (state.position[j], state.position[i]);
        marks.clear();
        marks.resize(state.position.len(), false);
        marks[i] = true;
        let mut moved = Vec::new();
        for v in state.order[low + 1..=high].iter().rev() {
            if marks[*v] {
                moved.push(*v);
                state.parents(*v).iter().for_each(|p| marks[*p] = true);
            }
        }
        moved.reverse();
        let side = Side::Front;
        Self { low, high, moved, side }
    }

    /// j after i with its descendants in between, for the edge j → i.
    pub fn mirror<S: LocalScore>(
        state: &State<S>,
        j: usize,
        i: usize,
        marks: &mut Vec<bool>,
    ) -> Self {
        let (low, high) = (state.position[j], state.position[i]);
        marks.clear();
        marks.resize(state.position.len(), false);
        marks[j] = true;
        let mut moved = vec![j];
        for v in &state.order[low + 1..high] {
            if state.parents(*v).iter().any(|p| marks[*p]) {
                marks[*v] = true;
                moved.push(*v);
            }
        }
        let side = Side::Back;
        Self { low, high, moved, side }
    }

    /// How much the total score changes; scores that are not known yet are computed.
    pub fn change<S: LocalScore>(
        &self,
        scorer: &Scorer<'_, S>,
        state: &State<S>,
        scratch: &mut Scratch<S::Scratch>,
    ) -> f64 {
        self.prepare(scorer, state, scratch);
        let Scratch { score, moved, touched } = scratch;
        let mut change = 0.0;
        for v in &*touched {
            let before = |c: usize| self.precedes(state, moved, c, *v);
            let (after, _) = scorer.score_near(state, *v, before, score);
            change += after - state.score(*v);
        }
        change
    }

    /// The change and the new scores, if all are known already.
    pub fn known<S: LocalScore>(
        &self,
        scorer: &Scorer<'_, S>,
        state: &State<S>,
        scratch: &mut Scratch<S::Scratch>,
    ) -> Option<(f64, Fresh<S>)> {
        self.prepare(scorer, state, scratch);
        let mut change = 0.0;
        let mut fresh = Vec::with_capacity(scratch.touched.len());
        for v in &scratch.touched {
            let before = |c: usize| self.precedes(state, &scratch.moved, c, *v);
            let scored = scorer.known(*v, before)?;
            change += scored.0 - state.score(*v);
            fresh.push((*v, scored));
        }
        Some((change, fresh))
    }

    /// Changes the order and takes the new scores over.
    pub fn apply<S: LocalScore>(&self, state: &mut State<S>, fresh: Fresh<S>) {
        let stretch = &state.order[self.low..=self.high];
        let stay = stretch.iter().copied().filter(|v| !self.moved.contains(v));
        let changed: Vec<usize> = match self.side {
            Side::Front => self.moved.iter().copied().chain(stay).collect(),
            Side::Back => stay.chain(self.moved.iter().copied()).collect(),
        };
        for (offset, v) in changed.into_iter().enumerate() {
            state.order[self.low + offset] = v;
            state.position[v] = self.low + offset;
        }
        for (v, scored) in fresh {
            state.scored[v] = scored;
        }
    }

    /// Whether the move still fits the order: its variables are still within its stretch.
    pub fn fits<S: LocalScore>(&self, state: &State<S>) -> bool {
        let inside = |v: &usize| (self.low..=self.high).contains(&state.position[*v]);
        self.moved.iter().all(inside)
            && self.moved.windows(2).all(|p| state.position[p[0]] < state.position[p[1]])
    }

    /// Whether every order of two variables that the move makes is one that may be.
    pub fn allowed<S: LocalScore>(&self, state: &State<S>, knowledge: &Knowledge) -> bool {
        if knowledge.is_empty() {
            return true;
        }
        let jumped = |v: usize| match self.side {
            Side::Front => self.low..state.position[v],
            Side::Back => state.position[v] + 1..self.high + 1,
        };
        let may = |v: usize, other: usize| match self.side {
            Side::Front => knowledge.allows_order(v, other),
            Side::Back => knowledge.allows_order(other, v),
        };
        self.moved.iter().all(|v| {
            let others = state.order[jumped(*v)].iter().filter(|u| !self.moved.contains(u));
            others.into_iter().all(|other| may(*v, *other))
        })
    }

    /// Marks who moves, and lists whose predecessors among their candidates change.
    fn prepare<S: LocalScore>(
        &self,
        scorer: &Scorer<'_, S>,
        state: &State<S>,
        scratch: &mut Scratch<S::Scratch>,
    ) {
        let moved = &mut scratch.moved;
        moved.clear();
        moved.resize(state.position.len(), false);
        self.moved.iter().for_each(|v| moved[*v] = true);
        scratch.touched.clear();
        for v in &self.moved {
            let at = state.position[*v];
            let jumped = |c: &&usize| {
                let p = state.position[**c];
                let there = match self.side {
                    Side::Front => (self.low..at).contains(&p),
                    Side::Back => (at + 1..=self.high).contains(&p),
                };
                there && !moved[**c]
            };
            let before = scratch.touched.len();
            scratch.touched.extend(scorer.nodes[*v].within.iter().filter(jumped));
            if scratch.touched.len() > before {
                scratch.touched.push(*v);
            }
        }
        scratch.touched.sort_unstable();
        scratch.touched.dedup();
    }

    /// Whether c precedes v once the move is made.
    fn precedes<S: LocalScore>(
        &self,
        state: &State<S>,
        moved: &[bool],
        c: usize,
        v: usize,
    ) -> bool {
        let (p, q) = (state.position[c], state.position[v]);
        let within = (self.low..=self.high).contains(&p);
        if !within || moved[c] == moved[v] {
            return p < q;
        }
        moved[c] == (self.side == Side::Front)
    }
}
