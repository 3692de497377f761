//! The order in which edges are told: the best supported first.

use rayon::prelude::*;

use super::{DynamicGraph, Edge};

impl DynamicGraph {
    /// The edges by q-value, smallest first; equal ones, and those not tested, by strength.
    ///
    /// Where a test was not adjusted its p-value counts. Strength is in standard deviations where
    /// they are known ([`DynamicGraph::standardised`]), else the largest absolute weight.
    pub fn ranked(&self) -> Vec<usize> {
        let keys: Vec<(f64, f64)> = self.edges().par_iter().map(|edge| self.rank(edge)).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|a, b| {
            let ((q, strength), (other_q, other)) = (keys[*a], keys[*b]);
            q.total_cmp(&other_q).then_with(|| other.total_cmp(&strength))
        });
        order
    }

    fn rank(&self, edge: &Edge) -> (f64, f64) {
        let q = edge.tests.as_ref().and_then(|tests| tests.absent_adjusted.or(tests.absent));
        let strength = match self.scale() {
            Some(_) => self.standardised(edge).map_or(0.0, f64::abs),
            None => edge.strength(self.basis()),
        };
        (q.filter(|q| q.is_finite()).unwrap_or(f64::INFINITY), strength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::graph::{Tests, Trajectory};
    use crate::panel::TimeIndex;

    #[test]
    fn sure_edges_come_first_then_strong_ones() {
        let edge = |to: usize, weight: f64, q: Option<f64>| {
            let tests = Some(Tests { absent_adjusted: q, ..Tests::default() });
            Edge { tests, ..Edge::new(0, to, 1, Trajectory::Constant(weight), 2) }
        };
        let edges = vec![
            edge(0, 9.0, None),
            edge(1, 0.1, Some(0.01)),
            edge(2, -0.5, Some(0.2)),
            edge(3, 0.4, Some(0.2)),
        ];
        let names = ["a", "b", "c", "d"].map(String::from).to_vec();
        let basis = Basis::constant(2).unwrap();
        let graph = DynamicGraph::new(names, TimeIndex::Steps(2), 1, basis, edges).unwrap();
        assert_eq!(graph.ranked(), [1, 2, 3, 0]);
        // In standard deviations the third is weaker than the fourth.
        let graph = graph.with_scale(vec![1.0, 1.0, 2.0, 1.0]).unwrap();
        assert_eq!(graph.ranked(), [1, 3, 2, 0]);
    }
}
