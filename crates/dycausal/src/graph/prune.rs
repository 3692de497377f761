//! Leaving out what is weak, and what closes a cycle.

use serde::Serialize;

use super::{Certificate, DynamicGraph, Edge, Presence};
use crate::error::Result;
use crate::knowledge::Knowledge;
use crate::order::sort_or_cycle;

/// What making a graph acyclic took away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// Edges that lost at least one step.
    pub edges: usize,
    /// Steps at which an edge was taken away, over all edges.
    pub steps: usize,
}

impl DynamicGraph {
    /// The graph without the steps at which a weight is at most `threshold` in absolute value.
    ///
    /// # Errors
    /// Never, for a threshold that is a number; as [`DynamicGraph::new`] otherwise.
    pub fn prune(&self, threshold: f64) -> Result<Self> {
        let strong = |edge: &Edge| {
            let mut kept = edge.clone();
            kept.presence = Presence::when(self.steps(), |step| {
                edge.weight(self.basis(), step).abs() > threshold
            });
            kept
        };
        self.with_edges(self.edges().iter().map(strong).collect())
    }

    /// The graph without the weakest edge of every cycle, at the steps where there is one.
    ///
    /// Within a stretch of time in which no edge comes or goes, the edge taken away is the one of
    /// the cycle whose largest weight over the stretch is smallest.
    ///
    /// # Errors
    /// Never in practice: as [`DynamicGraph::new`].
    pub fn break_cycles(&self) -> Result<(Self, Repair)> {
        self.break_cycles_given(&Knowledge::default())
    }

    /// The same, where edges that have to be stay, and what has to come before something else within
    /// a step counts as causing it.
    ///
    /// # Errors
    /// Never in practice: as [`DynamicGraph::new`].
    pub fn break_cycles_given(&self, known: &Knowledge) -> Result<(Self, Repair)> {
        if known.is_empty()
            && let Certificate::Acyclic { .. } = self.certify()
        {
            return Ok((self.clone(), Repair::default()));
        }
        let mut edges = self.edges().to_vec();
        let mut starts = self.turning_steps();
        starts.push(self.steps());
        for stretch in starts.windows(2) {
            self.break_cycles_within(&mut edges, stretch[0], stretch[1], known);
        }
        let mut repair = Repair::default();
        for (before, after) in self.edges().iter().zip(&edges) {
            let lost = before.presence.count() - after.presence.count();
            repair.edges += usize::from(lost > 0);
            repair.steps += lost;
        }
        Ok((self.with_edges(edges)?, repair))
    }

    fn break_cycles_within(&self, edges: &mut [Edge], start: usize, end: usize, known: &Knowledge) {
        let mut here: Vec<usize> = (0..edges.len())
            .filter(|e| edges[*e].lag == 0 && edges[*e].presence.contains(start))
            .collect();
        let strength = |edge: &Edge| {
            (start..end).map(|t| edge.trajectory.value(self.basis(), t).abs()).fold(0.0, f64::max)
        };
        loop {
            let own = here.iter().map(|e| (edges[*e].from, edges[*e].to));
            let pairs: Vec<_> = own.chain(known.orders()).collect();
            let Err(cycle) = sort_or_cycle(self.variables(), &pairs) else {
                return;
            };
            let follows = |e: usize| {
                let at = cycle.iter().position(|v| *v == edges[e].from);
                at.is_some_and(|at| cycle[(at + 1) % cycle.len()] == edges[e].to)
            };
            let free = |e: &usize| !known.requires(edges[*e].from, edges[*e].to, 0);
            let on_cycle = here.iter().copied().filter(|e| follows(*e)).filter(free);
            let weakest =
                on_cycle.min_by(|a, b| strength(&edges[*a]).total_cmp(&strength(&edges[*b])));
            let Some(weakest) = weakest else { return };
            edges[weakest].presence = edges[weakest].presence.without(start, end);
            here.retain(|e| *e != weakest);
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array4;
    use proptest::prelude::*;

    use super::*;
    use crate::panel::TimeIndex;

    fn graph(weights: &Array4<f64>) -> DynamicGraph {
        let names = (0..weights.dim().2).map(|v| v.to_string()).collect();
        let times = TimeIndex::Steps(weights.dim().0);
        DynamicGraph::from_dense(names, times, weights.view()).unwrap()
    }

    #[test]
    fn pruning_is_per_step() {
        let mut weights = Array4::zeros((4, 1, 2, 2));
        for t in 0..4 {
            weights[[t, 0, 0, 1]] = 0.1 * (t as f64 + 1.0);
        }
        let pruned = graph(&weights).prune(0.25).unwrap();
        assert_eq!(pruned.edges()[0].presence.ranges(), [(2, 4)]);
        assert!(graph(&weights).prune(1.0).unwrap().edges().is_empty());
    }

    #[test]
    fn the_weakest_edge_of_a_cycle_goes_only_where_the_cycle_is() {
        let mut weights = Array4::zeros((4, 1, 3, 3));
        for t in 0..4 {
            weights[[t, 0, 0, 1]] = 1.0;
            weights[[t, 0, 1, 2]] = 0.8;
            if t >= 2 {
                weights[[t, 0, 2, 0]] = -0.3;
            }
        }
        let (mended, repair) = graph(&weights).break_cycles().unwrap();
        assert!(mended.certify().is_acyclic());
        assert_eq!(repair, Repair { edges: 1, steps: 2 });
        assert_eq!(mended.edge(0, 2, 0), None);
    }

    proptest! {
        #[test]
        fn what_is_mended_is_acyclic_at_every_step(numbers in prop::collection::vec(-1.0..1.0f64, 3 * 25)) {
            let mut weights = Array4::from_shape_vec((3, 1, 5, 5), numbers).unwrap();
            for t in 0..3 {
                for v in 0..5 {
                    weights[[t, 0, v, v]] = 0.0;
                }
            }
            let (mended, _) = graph(&weights).prune(0.3).unwrap().break_cycles().unwrap();
            prop_assert!(mended.certify().is_acyclic());
        }
    }
}
