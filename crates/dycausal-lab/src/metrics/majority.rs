//! A graph that moves as one that stays.

use dycausal::DynamicGraph;
use dycausal::graph::{Edge, Trajectory};

use crate::error::Result;

/// The edges that are there at most steps, as static ones of their mean absolute weight there.
///
/// # Errors
/// As [`DynamicGraph::new`]: a defect.
pub fn majority(graph: &DynamicGraph) -> Result<DynamicGraph> {
    let steps = graph.steps();
    let often = graph.edges().iter().filter(|edge| 2 * edge.presence.count() > steps);
    let steady = often.map(|edge| {
        let sizes = edge.presence.steps().map(|t| edge.trajectory.value(graph.basis(), t).abs());
        let mean = sizes.sum::<f64>() / edge.presence.count() as f64;
        Edge::new(edge.from, edge.to, edge.lag, Trajectory::Constant(mean), steps)
    });
    Ok(graph.with_edges(steady.collect())?)
}

#[cfg(test)]
mod tests {
    use dycausal::graph::Presence;
    use dycausal::{Basis, TimeIndex};

    use super::*;

    #[test]
    fn an_edge_of_most_steps_stays_and_others_go() {
        let edge = |to, until: usize| Edge {
            presence: Presence::when(4, |t| t < until),
            ..Edge::new(0, to, 1, Trajectory::Steps(vec![0.1, -0.5, 0.3, 9.0]), 4)
        };
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let basis = Basis::constant(4).unwrap();
        let edges = vec![edge(1, 3), edge(2, 2)];
        let graph = DynamicGraph::new(names, TimeIndex::Steps(4), 1, basis, edges).unwrap();
        let still = majority(&graph).unwrap();
        assert_eq!(still.edges().len(), 1);
        assert!((still.weight(3, 1, 0, 1) - 0.3).abs() < 1e-12);
    }
}
