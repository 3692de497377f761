//! Changes that several edges make together, as a run tells them.

use dycausal::DynamicGraph;
use dycausal::facts::RegimeChange;

/// The regimes of a graph, by the times and names of its data.
pub(super) fn regimes(graph: &DynamicGraph) -> Vec<RegimeChange> {
    let label = |step: usize| graph.times().label(step);
    let edge = |number: &usize| {
        let edge = graph.edges().get(*number)?;
        let name = |v: usize| graph.names()[v].clone();
        Some((name(edge.from), name(edge.to), edge.lag))
    };
    let regimes = graph.regimes();
    let told = regimes.iter().map(|regime| RegimeChange {
        at: label(regime.at),
        edges: regime.edges.iter().filter_map(edge).collect(),
        high: label(regime.high),
        low: label(regime.low),
        words: regime.words(graph),
    });
    told.collect()
}
