//! Links that tests found, as edges of a graph.

use std::collections::BTreeMap;

use dycausal::graph::{Edge, Tests, Trajectory};
use dycausal::{Basis, DynamicGraph, Mark, Panel, Result};

use crate::refit::Refit;

/// A link between a variable and another at a lag, with what was tested of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Link {
    pub from: usize,
    pub to: usize,
    pub lag: usize,
    pub mark: Mark,
    /// The statistic.
    pub value: f64,
    pub p: f64,
    pub q: f64,
}

/// The graph of some links: weights are those of a regression of each variable on all that links
/// point at it from.
pub(crate) fn graph(panel: &Panel, lag: usize, links: &[Link]) -> Result<DynamicGraph> {
    let mut causes: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for link in links {
        causes.entry(link.to).or_default().push((link.lag, link.from));
    }
    let refit = Refit::new(panel);
    let mut weights = BTreeMap::new();
    for (to, causes) in &causes {
        let fitted = refit.weights(*to, causes)?;
        weights.extend(causes.iter().zip(fitted).map(|((lag, from), w)| ((*lag, *from, *to), w)));
    }
    let steps = panel.steps();
    let edge = |link: &Link| {
        let weight = weights.get(&(link.lag, link.from, link.to)).copied().unwrap_or(0.0);
        let tests = Tests {
            statistic: Some(link.value),
            absent: Some(link.p),
            absent_adjusted: Some(link.q),
            ..Tests::default()
        };
        let plain = Edge::new(link.from, link.to, link.lag, Trajectory::Constant(weight), steps);
        Edge { tests: Some(tests), mark: link.mark, ..plain }
    };
    let edges = links.iter().map(edge).collect();
    let (names, times) = (panel.names().to_vec(), panel.times().clone());
    DynamicGraph::new(names, times, lag, Basis::constant(steps)?, edges)
}
