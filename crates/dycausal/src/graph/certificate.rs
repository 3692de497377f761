//! Proof that a graph has no cycle within any step, or the cycle.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::DynamicGraph;
use crate::order::sort_or_cycle;

/// What a topological sort at every step found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certificate {
    /// No step has a cycle among its instantaneous edges.
    Acyclic {
        /// How many steps were checked.
        steps: usize,
        /// An order, causes first, that holds at every step, where one does.
        order: Option<Vec<String>>,
    },
    /// A step has a cycle.
    Cyclic {
        /// The first such step, from 0.
        step: usize,
        /// The variables on it, each a cause of the next, the last a cause of the first.
        cycle: Vec<String>,
    },
}

impl Certificate {
    /// Whether every step is free of cycles.
    pub fn is_acyclic(&self) -> bool {
        matches!(self, Self::Acyclic { .. })
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Acyclic { steps, order: Some(_) } => {
                write!(f, "acyclic at all {steps} steps, in one order")
            }
            Self::Acyclic { steps, order: None } => {
                write!(f, "acyclic at all {steps} steps, in an order that changes")
            }
            Self::Cyclic { step, cycle } => {
                write!(f, "cyclic at step {}: {} → {}", step + 1, cycle.join(" → "), cycle[0])
            }
        }
    }
}

impl DynamicGraph {
    /// Sorts the instantaneous edges of every step topologically.
    ///
    /// If the union over time has an order, it holds at every step. Otherwise each stretch of time
    /// in which no edge comes or goes is sorted on its own.
    pub fn certify(&self) -> Certificate {
        let union: Vec<_> = self.instantaneous().map(|e| (e.from, e.to)).collect();
        let named = |nodes: Vec<usize>| nodes.iter().map(|v| self.names()[*v].clone()).collect();
        if let Ok(order) = sort_or_cycle(self.variables(), &union) {
            return Certificate::Acyclic { steps: self.steps(), order: Some(named(order)) };
        }
        for step in self.turning_steps() {
            let here = self.instantaneous().filter(|e| e.presence.contains(step));
            let edges: Vec<_> = here.map(|e| (e.from, e.to)).collect();
            if let Err(cycle) = sort_or_cycle(self.variables(), &edges) {
                return Certificate::Cyclic { step, cycle: named(cycle) };
            }
        }
        Certificate::Acyclic { steps: self.steps(), order: None }
    }

    /// The first step of every stretch in which the same instantaneous edges are there.
    pub fn turning_steps(&self) -> Vec<usize> {
        let ends = |e: &super::Edge| -> Vec<usize> {
            e.presence.ranges().iter().flat_map(|(start, end)| [*start, *end]).collect()
        };
        let mut steps: Vec<usize> = self.instantaneous().flat_map(ends).collect();
        steps.push(0);
        steps.retain(|step| *step < self.steps());
        steps.sort_unstable();
        steps.dedup();
        steps
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_order_puts_causes_first() {
        assert_eq!(sort_or_cycle(4, &[(3, 0), (0, 1), (3, 2)]), Ok(vec![3, 0, 1, 2]));
        assert_eq!(sort_or_cycle(2, &[(0, 1), (1, 0)]), Err(vec![0, 1]));
        assert_eq!(sort_or_cycle(1, &[(0, 0)]), Err(vec![0]));
    }

    proptest! {
        /// A random acyclic graph, and one more edge that closes a cycle through it.
        #[test]
        fn every_planted_cycle_is_found(
            order in Just((0..9usize).collect::<Vec<_>>()).prop_shuffle(),
            picks in prop::collection::vec((0..9usize, 0..9usize), 0..30),
            ends in (0..9usize, 0..9usize),
        ) {
            let forward = |(a, b): (usize, usize)| (order[a.min(b)], order[a.max(b)]);
            let mut edges: Vec<_> = picks.into_iter().filter(|(a, b)| a != b).map(forward).collect();
            prop_assert!(sort_or_cycle(9, &edges).is_ok());
            prop_assume!(ends.0 != ends.1);
            let (from, to) = forward(ends);
            edges.extend([(from, to), (to, from)]);
            let cycle = sort_or_cycle(9, &edges).unwrap_err();
            for (index, node) in cycle.iter().enumerate() {
                let next = cycle[(index + 1) % cycle.len()];
                prop_assert!(edges.contains(&(*node, next)), "{cycle:?} is not in {edges:?}");
            }
        }
    }
}
