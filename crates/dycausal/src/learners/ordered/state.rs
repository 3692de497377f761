//! An order with the score of every variable in it.

use std::sync::Arc;

use rayon::prelude::*;

use super::problem::Problem;
use super::score::{Depth, Node, Scored, View};
use super::scratch::Pool;

/// The variables with their candidates, and what identifies sets of them.
#[derive(Debug)]
pub(super) struct Scorer<'a> {
    /// The data.
    pub problem: &'a Problem,
    /// One per variable.
    pub nodes: Vec<Node>,
    /// A random number for each variable.
    pub keys: Vec<u64>,
    /// How much of the score is looked at.
    pub depth: Depth,
    /// Memory.
    pub pool: &'a Pool,
}

impl<'a> Scorer<'a> {
    /// Prepares every variable with its candidates.
    pub fn new(problem: &'a Problem, candidates: &[Vec<usize>], pool: &'a Pool) -> Self {
        let nodes = candidates
            .par_iter()
            .enumerate()
            .map(|(target, list)| Node::new(problem, target, list))
            .collect();
        let keys = (1..=problem.variables() as u64).map(scrambled).collect();
        Self { problem, nodes, keys, depth: Depth::Moments, pool }
    }

    /// What scores are computed from.
    pub fn view(&self) -> View<'_> {
        View { problem: self.problem, keys: &self.keys, depth: self.depth }
    }

    /// The order with all of its scores.
    pub fn state(&self, order: Vec<usize>) -> State {
        let mut position = vec![usize::MAX; self.nodes.len()];
        order.iter().enumerate().for_each(|(at, v)| position[*v] = at);
        let scored = (0..self.nodes.len())
            .into_par_iter()
            .map_init(
                || self.pool.lend(),
                |scratch, v| {
                    let before = |c: usize| position[c] < position[v];
                    self.nodes[v].score(self.view(), before, scratch)
                },
            )
            .collect();
        State { order, position, scored }
    }

    /// Puts a variable that is not in the order yet at its end.
    pub fn append(&self, state: &mut State, v: usize) {
        state.position[v] = state.order.len();
        state.order.push(v);
        let before = |c: usize| state.position[c] < state.position[v];
        let scored = self.nodes[v].score(self.view(), before, &mut self.pool.lend());
        state.scored[v] = scored;
    }
}

/// An order, and the scores in it.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// Variables, causes first; those not in it yet have no place.
    pub order: Vec<usize>,
    /// Where each variable stands.
    pub position: Vec<usize>,
    /// The score and parents of each variable.
    pub scored: Vec<(f64, Arc<Scored>)>,
}

impl State {
    /// The score of a variable.
    pub fn score(&self, v: usize) -> f64 {
        self.scored[v].0
    }

    /// The parents of a variable within the step.
    pub fn parents(&self, v: usize) -> &[usize] {
        &self.scored[v].1.parents
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
