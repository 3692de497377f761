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
    /// i before j with its ancestors in between, for the edge j → i; `marks` are all unset.
    pub fn tuck<S: LocalScore>(state: &State<S>, j: usize, i: usize, marks: &mut [bool]) -> Self {
        let (low, high) = (state.position[j], state.position[i]);
        let between = |p: usize| state.position[p] > low;
        let moved = reached(state, i, marks, |v| state.parents(v), between);
        Self { low, high, moved, side: Side::Front }
    }

    /// j after i with its descendants in between, for the edge j → i; `marks` are all unset.
    pub fn mirror<S: LocalScore>(
        state: &State<S>,
        children: &Children,
        j: usize,
        i: usize,
        marks: &mut [bool],
    ) -> Self {
        let (low, high) = (state.position[j], state.position[i]);
        let between = |c: usize| state.position[c] < high;
        let moved = reached(state, j, marks, |v| children.of(v), between);
        Self { low, high, moved, side: Side::Back }
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
        self.unmark(moved);
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
        let known = |v: &usize| {
            let before = |c: usize| self.precedes(state, &scratch.moved, c, *v);
            scorer.known(*v, before).map(|scored| (*v, scored))
        };
        let fresh: Option<Fresh<S>> = scratch.touched.iter().map(known).collect();
        self.unmark(&mut scratch.moved);
        let fresh = fresh?;
        let change = fresh.iter().fold(0.0, |sum, (v, scored)| sum + (scored.0 - state.score(*v)));
        Some((change, fresh))
    }

    fn unmark(&self, marks: &mut [bool]) {
        self.moved.iter().for_each(|v| marks[*v] = false);
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

    /// Marks who moves, until they are unmarked, and lists whose predecessors among their candidates change.
    fn prepare<S: LocalScore>(
        &self,
        scorer: &Scorer<'_, S>,
        state: &State<S>,
        scratch: &mut Scratch<S::Scratch>,
    ) {
        let moved = &mut scratch.moved;
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

/// A variable and those that are reached from it by steps to ones `between`, in their order.
fn reached<'a, S: LocalScore>(
    state: &State<S>,
    from: usize,
    marks: &mut [bool],
    next: impl Fn(usize) -> &'a [usize],
    between: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut found = vec![from];
    marks[from] = true;
    let mut done = 0;
    while done < found.len() {
        for other in next(found[done]) {
            if between(*other) && !marks[*other] {
                marks[*other] = true;
                found.push(*other);
            }
        }
        done += 1;
    }
    for v in &found {
        marks[*v] = false;
    }
    found.sort_unstable_by_key(|v| state.position[*v]);
    found
}

/// The children of every variable within the step.
#[derive(Debug)]
pub(super) struct Children {
    /// Where the children of each begin.
    starts: Vec<usize>,
    all: Vec<usize>,
}

impl Children {
    /// In an order and its regressions.
    pub fn of_state<S: LocalScore>(state: &State<S>) -> Self {
        let mut starts = vec![0; state.position.len() + 1];
        state.edges().for_each(|(j, _)| starts[j + 1] += 1);
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut all = vec![0; starts.last().copied().unwrap_or(0)];
        let mut next = starts.clone();
        for (j, i) in state.edges() {
            all[next[j]] = i;
            next[j] += 1;
        }
        Self { starts, all }
    }

    fn of(&self, v: usize) -> &[usize] {
        &self.all[self.starts[v]..self.starts[v + 1]]
    }
}
