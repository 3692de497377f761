//! The linear structural equation model: x_t = Σ_p W_t,pᵀ x_{t-p} + noise.

use dycausal::DynamicGraph;
use ndarray::{ArrayViewMut2, s};
use rand::Rng;

use super::noise::Noise;
use super::order::Orders;
use crate::error::Result;

/// One term of the equations at a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Term {
    from: usize,
    to: usize,
    lag: usize,
    weight: f64,
}

/// The equations of every step, in an order in which they can be computed one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Equations {
    /// Terms by distinct step: lagged ones, then instantaneous ones by the order of their causes.
    terms: Vec<Vec<Term>>,
    /// Which of `terms` each step uses.
    of_step: Vec<usize>,
}

impl Equations {
    /// The equations of a graph that is acyclic at every step.
    pub(crate) fn of(graph: &DynamicGraph) -> Result<Self> {
        let orders = Orders::of(graph)?;
        let (mut terms, mut of_step) = (Vec::new(), Vec::with_capacity(graph.steps()));
        let mut before: Vec<Term> = Vec::new();
        for step in 0..graph.steps() {
            let now = terms_at(graph, step);
            if step == 0 || now != before {
                terms.push(sorted(&now, orders.at(step)));
                before = now;
            }
            of_step.push(terms.len() - 1);
        }
        Ok(Self { terms, of_step })
    }

    /// Adds to row `row` of `values` what its causes contribute at `step`.
    pub(crate) fn apply(&self, step: usize, row: usize, values: &mut ArrayViewMut2<'_, f64>) {
        for term in &self.terms[self.of_step[step]] {
            if term.lag <= row {
                values[[row, term.to]] += term.weight * values[[row - term.lag, term.from]];
            }
        }
    }

    /// Fills values\[time, variable\] of one series; steps before the first count as 0.
    ///
    /// The first `burn_in` rows follow the equations of the first step.
    pub(super) fn fill(
        &self,
        noise: &Noise,
        burn_in: usize,
        random: &mut impl Rng,
        values: &mut ArrayViewMut2<'_, f64>,
    ) {
        for row in 0..values.nrows() {
            let step = row.saturating_sub(burn_in);
            for (variable, value) in values.slice_mut(s![row, ..]).iter_mut().enumerate() {
                *value = noise.draw(step, variable, random);
            }
            self.apply(step, row, values);
        }
    }
}

fn terms_at(graph: &DynamicGraph, step: usize) -> Vec<Term> {
    let here = graph.at(step).into_iter();
    here.map(|(edge, weight)| Term { from: edge.from, to: edge.to, lag: edge.lag, weight })
        .collect()
}

fn sorted(terms: &[Term], order: &[usize]) -> Vec<Term> {
    let mut position = vec![0; order.len()];
    for (place, variable) in order.iter().enumerate() {
        position[*variable] = place;
    }
    let mut sorted = terms.to_vec();
    sorted.sort_by_key(|term| (term.lag == 0, position[term.from]));
    sorted
}
