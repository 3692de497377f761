//! Whether an edge changes over time: one rule for whatever shows a graph.

use super::{DynamicGraph, Edge};
use crate::movement::Kind;

/// q of "the weight does not move" up to which an edge is known to move.
const MOVES: f64 = 0.05;
/// Where nothing else tells: the share of its strength by which the weight of an edge that changes moves.
const SHARE: f64 = 0.25;

impl Edge {
    /// Whether the test of "the weight does not move" says that it moves; `None` where there is none.
    pub(super) fn moves_by_test(&self) -> Option<bool> {
        let unchanging = self.tests.as_ref().and_then(|tests| tests.unchanging_adjusted);
        unchanging.map(|q| q <= MOVES)
    }
}

impl DynamicGraph {
    /// Whether an edge changes over time: it comes or goes, or its weight moves. That it moves is what its
    /// test says (q up to 0.05); else the likeliest kind of its motion; else its weight moves by more than a quarter
    /// of its largest size.
    ///
    /// ```
    /// use dycausal::graph::{DynamicGraph, Edge, Trajectory};
    /// use dycausal::{Basis, TimeIndex};
    ///
    /// let edge = |to: usize, last: f64| Edge::new(0, to, 1, Trajectory::Steps(vec![1.0, last]), 2);
    /// let names = ["rain", "river"].map(String::from).to_vec();
    /// let edges = vec![edge(0, 0.9), edge(1, 0.5)];
    /// let graph = DynamicGraph::new(names, TimeIndex::Steps(2), 1, Basis::constant(2)?, edges)?;
    /// let changing: Vec<bool> = graph.edges().iter().map(|edge| graph.is_changing(edge)).collect();
    /// assert_eq!(changing, [false, true]);
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    pub fn is_changing(&self, edge: &Edge) -> bool {
        let likeliest = || edge.motion.as_ref().map(|motion| motion.kind != Kind::Static);
        edge.presence.count() < self.steps()
            || edge.moves_by_test().or_else(likeliest).unwrap_or_else(|| self.moves_far(edge))
    }

    /// What the rule rests on in this graph, as a sentence.
    pub fn changing_means(&self) -> String {
        let tested = self.edges().iter().any(|edge| edge.moves_by_test().is_some());
        let known = self.edges().iter().any(|edge| edge.motion.is_some());
        let moves = match (tested, known) {
            (true, _) => format!("the test that it stays the same has q up to {MOVES}"),
            (false, true) => "the likeliest kind of its motion is not to stay".to_owned(),
            (false, false) => {
                format!("it moves by more than {:.0} % of its strength", 100.0 * SHARE)
            }
        };
        format!("An edge counts as changing if {moves}, or if it comes or goes.")
    }

    fn moves_far(&self, edge: &Edge) -> bool {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = (0..self.steps()).fold(start, |(low, high), step| {
            let weight = edge.trajectory.value(self.basis(), step);
            (low.min(weight), high.max(weight))
        });
        high - low > SHARE * high.abs().max(low.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::graph::{Presence, Tests, Trajectory};
    use crate::movement::Motion;
    use crate::panel::TimeIndex;

    fn tested(q: f64) -> Tests {
        Tests { unchanging_adjusted: Some(q), ..Tests::default() }
    }

    fn moving(kind: Kind) -> Motion {
        Motion { kind, probability: 0.9, shares: Vec::new(), changes: Vec::new() }
    }

    #[test]
    fn a_test_goes_before_the_likeliest_kind_and_that_before_the_size_of_the_move() {
        let still = || Edge::new(0, 1, 1, Trajectory::Steps(vec![1.0, 1.0, 1.0]), 3);
        let moved = || Edge::new(0, 1, 1, Trajectory::Steps(vec![1.0, 1.2, 1.4]), 3);
        let cases = [
            (still(), false),
            (moved(), true),
            (Edge { motion: Some(moving(Kind::Static)), ..moved() }, false),
            (Edge { motion: Some(moving(Kind::Drifts)), ..still() }, true),
            (
                Edge { tests: Some(tested(0.05)), motion: Some(moving(Kind::Static)), ..still() },
                true,
            ),
            (
                Edge { tests: Some(tested(0.06)), motion: Some(moving(Kind::Drifts)), ..moved() },
                false,
            ),
            (
                Edge {
                    presence: Presence::when(3, |t| t > 0),
                    tests: Some(tested(0.9)),
                    ..still()
                },
                true,
            ),
        ];
        for (edge, expected) in cases {
            let names = ["a", "b"].map(String::from).to_vec();
            let basis = Basis::constant(3).unwrap();
            let edges = vec![edge];
            let graph = DynamicGraph::new(names, TimeIndex::Steps(3), 1, basis, edges).unwrap();
            assert_eq!(graph.is_changing(&graph.edges()[0]), expected, "{:?}", graph.edges());
        }
    }
}
