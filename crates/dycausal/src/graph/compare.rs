//! How two graphs differ.

use serde::Serialize;

use super::DynamicGraph;
use crate::error::{Error, Result};

/// How one graph differs from another, counted over all steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Edges, per step, that both have.
    pub shared: usize,
    /// Edges, per step, that only the first has.
    pub only_first: usize,
    /// Edges, per step, that only the second has.
    pub only_second: usize,
    /// The largest difference between two weights.
    pub largest: f64,
}

impl DynamicGraph {
    /// Compares with a graph of the same variables and steps.
    ///
    /// # Errors
    /// If variables or numbers of steps differ.
    pub fn compare(&self, other: &Self) -> Result<Difference> {
        if self.names() != other.names() {
            let found = format!("{:?}", other.names());
            return Err(Error::shape(
                "variables of the second graph",
                found,
                format!("{:?}", self.names()),
            ));
        }
        if self.steps() != other.steps() {
            let expected = self.steps().to_string();
            return Err(Error::shape("steps of the second graph", other.steps(), expected));
        }
        let mut difference = Difference::default();
        for step in 0..self.steps() {
            for (edge, weight) in self.at(step) {
                match other.edge(edge.lag, edge.from, edge.to) {
                    Some(twin) if twin.presence.contains(step) => {
                        let gap = (weight - twin.trajectory.value(other.basis(), step)).abs();
                        difference.shared += 1;
                        difference.largest = difference.largest.max(gap);
                    }
                    _ => {
                        difference.only_first += 1;
                        difference.largest = difference.largest.max(weight.abs());
                    }
                }
            }
            for (edge, weight) in other.at(step) {
                let twin = self.edge(edge.lag, edge.from, edge.to);
                if !twin.is_some_and(|twin| twin.presence.contains(step)) {
                    difference.only_second += 1;
                    difference.largest = difference.largest.max(weight.abs());
                }
            }
        }
        Ok(difference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::graph::{Edge, Trajectory};
    use crate::panel::TimeIndex;

    fn graph(weights: [(usize, usize, f64); 2]) -> DynamicGraph {
        let edges = weights.map(|(from, to, w)| Edge::new(from, to, 1, Trajectory::Constant(w), 2));
        let names = ["a", "b"].map(String::from).to_vec();
        let basis = Basis::constant(2).unwrap();
        DynamicGraph::new(names, TimeIndex::Steps(2), 1, basis, edges.to_vec()).unwrap()
    }

    #[test]
    fn differences_are_counted_per_step() {
        let first = graph([(0, 1, 1.0), (1, 1, 0.5)]);
        let second = graph([(0, 1, 0.8), (1, 0, 0.1)]);
        let difference = first.compare(&second).unwrap();
        assert_eq!((difference.shared, difference.only_first, difference.only_second), (2, 2, 2));
        assert!((difference.largest - 0.5).abs() < 1e-12);
    }
}
