//! Each edge once, with what stays of its weight when time is left out.

use dycausal::DynamicGraph;
use dycausal::graph::Edge;

/// The weight of an edge over the steps at which it is there.
pub(super) struct Overall {
    /// The weight that is largest in absolute value, with its sign.
    pub strongest: f64,
    /// The mean weight.
    pub mean: f64,
    /// The first step, from 0.
    pub first: usize,
    /// The last step, from 0.
    pub last: usize,
    /// How many steps.
    pub steps: usize,
}

impl Overall {
    pub(super) fn of(graph: &DynamicGraph, edge: &Edge) -> Self {
        let mut overall = Self { strongest: 0.0, mean: 0.0, first: usize::MAX, last: 0, steps: 0 };
        for step in edge.presence.steps() {
            let weight = edge.trajectory.value(graph.basis(), step);
            if weight.abs() > overall.strongest.abs() {
                overall.strongest = weight;
            }
            overall.mean += weight;
            overall.first = overall.first.min(step);
            overall.last = step;
            overall.steps += 1;
        }
        overall.mean /= overall.steps.max(1) as f64;
        overall
    }
}
