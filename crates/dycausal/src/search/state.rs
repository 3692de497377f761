//! An order with the score of every variable in it.

use std::sync::Arc;

use rayon::prelude::*;

use super::given::Given;
use super::node::{Entry, Node, Scored};
use crate::error::Result;
use crate::scores::LocalScore;

/// How much of the score is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What is quickly known.
    Quick,
    /// All of it.
    Whole,
}

/// The variables with their candidates, and what identifies sets of them.
#[derive(Debug)]
pub(crate) struct Scorer<'a, S: LocalScore> {
    /// What a variable costs.
    pub score: &'a S,
    /// One per variable.
    pub nodes: Vec<Node<S>>,
    /// A random number for each variable.
    keys: Vec<u64>,
    /// How much of the score is looked at.
    pub depth: Depth,
    /// Knowledge and memory.
    pub given: &'a Given<S::Scratch>,
}

impl<'a, S: LocalScore> Scorer<'a, S> {
    /// Every variable with its candidates, prepared once it is asked for.
    pub fn new(score: &'a S, candidates: &[Vec<usize>], given: &'a Given<S::Scratch>) -> Self {
        let node =
            |(target, list): (usize, &Vec<usize>)| Node::new(score, &given.knowledge, target, list);
        let nodes = candidates.iter().enumerate().map(node).collect();
        let keys = (1..=score.variables() as u64).map(scrambled).collect();
        Self { score, nodes, keys, depth: Depth::Quick, given }
    }

    /// The score of a variable if `before` tells which others precede it.
    pub fn score(
        &self,
        v: usize,
        before: impl Fn(usize) -> bool,
        scratch: &mut S::Scratch,
    ) -> Entry<S> {
        let common = (self.score, &self.keys[..], self.depth);
        self.nodes[v].score(common, None, |_| false, before, scratch)
    }

    /// The same where an order is known: its regression does, where nothing that it tried is to go and nothing
    /// comes in. Only the order that a round began with may be asked, or threads would make a difference.
    pub fn score_near(
        &self,
        state: &State<S>,
        v: usize,
        before: impl Fn(usize) -> bool,
        scratch: &mut S::Scratch,
    ) -> Entry<S> {
        let (node, own) = (&self.nodes[v], state.position[v]);
        let comes = |c: &usize| before(*c) && state.position[*c] > own;
        let stays = |now: &Scored<S::Regression>| {
            // Who has no place yet was scored without any predecessor.
            own < state.order.len() && now.stays(&before) && !node.within.iter().any(comes)
        };
        let common = (self.score, &self.keys[..], self.depth);
        node.score(common, Some(&state.scored[v].1), stays, &before, scratch)
    }

    /// The same where the regression is known on these predecessors and `more`, one of them.
    pub fn score_without(
        &self,
        (known, more): (&Arc<Scored<S::Regression>>, usize),
        v: usize,
        before: impl Fn(usize) -> bool,
        scratch: &mut S::Scratch,
    ) -> Entry<S> {
        let common = (self.score, &self.keys[..], self.depth);
        let stays = |known: &Scored<S::Regression>| known.stays(|c| c != more);
        self.nodes[v].score(common, Some(known), stays, before, scratch)
    }

    /// The same, if it was computed before.
    pub fn known(&self, v: usize, before: impl Fn(usize) -> bool) -> Option<Entry<S>> {
        self.nodes[v].known(&self.keys, self.depth, before)
    }

    /// The order with all of its scores.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn state(&self, order: Vec<usize>) -> Result<State<S>> {
        let mut position = vec![usize::MAX; self.nodes.len()];
        order.iter().enumerate().for_each(|(at, v)| position[*v] = at);
        let scored = (0..self.nodes.len())
            .into_par_iter()
            .map_init(
                || self.given.lend(),
                |scratch, v| {
                    self.score.proceed()?;
                    let before = |c: usize| position[c] < position[v];
                    Ok(self.score(v, before, &mut scratch.score))
                },
            )
            .collect::<Result<_>>()?;
        Ok(State { order, position, scored })
    }

    /// The same where an order of the same candidates is known: whoever has the same predecessors among its
    /// candidates has the same score.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn state_near(&self, order: Vec<usize>, near: &State<S>) -> Result<State<S>> {
        let mut position = vec![usize::MAX; self.nodes.len()];
        order.iter().enumerate().for_each(|(at, v)| position[*v] = at);
        let scored = (0..self.nodes.len())
            .into_par_iter()
            .map_init(
                || self.given.lend(),
                |scratch, v| {
                    let before = |c: usize| position[c] < position[v];
                    let same = |c: &usize| before(*c) == (near.position[*c] < near.position[v]);
                    if self.nodes[v].within.iter().all(same) {
                        return Ok((near.score(v), Arc::clone(&near.scored[v].1)));
                    }
                    self.score.proceed()?;
                    Ok(self.score(v, before, &mut scratch.score))
                },
            )
            .collect::<Result<_>>()?;
        Ok(State { order, position, scored })
    }

    /// Puts a variable that is not in the order yet at its end.
    pub fn append(&self, state: &mut State<S>, v: usize) {
        state.position[v] = state.order.len();
        state.order.push(v);
        let before = |c: usize| state.position[c] < state.position[v];
        let scored = self.score(v, before, &mut self.given.lend().score);
        state.scored[v] = scored;
    }
}

/// An order, and the scores in it.
#[derive(Debug)]
pub(crate) struct State<S: LocalScore> {
    /// Variables, causes first; those not in it yet have no place.
    pub order: Vec<usize>,
    /// Where each variable stands.
    pub position: Vec<usize>,
    /// The score and parents of each variable.
    pub scored: Vec<(f64, Arc<Scored<S::Regression>>)>,
}

impl<S: LocalScore> State<S> {
    /// The score of a variable.
    pub fn score(&self, v: usize) -> f64 {
        self.scored[v].0
    }

    /// The regression of a variable.
    pub fn regression(&self, v: usize) -> &S::Regression {
        self.scored[v].1.regression()
    }

    /// The parents of a variable within the step.
    pub fn parents(&self, v: usize) -> &[usize] {
        self.scored[v].1.parents()
    }

    /// The edges j → i within the step.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.order.len()).flat_map(|i| self.parents(i).iter().map(move |j| (*j, i)))
    }

    /// How much the shape of the noise took off all scores.
    pub fn shape(&self) -> f64 {
        self.scored.iter().map(|s| s.1.shape()).sum()
    }

    /// The sum of all scores.
    pub fn total(&self) -> f64 {
        self.scored.iter().map(|s| s.0).sum()
    }
}

/// SplitMix64: well mixed, the same everywhere.
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
