//! In which order the variables of a step can be computed.

use dycausal::DynamicGraph;
use dycausal::internals::order::sort_or_cycle;

use crate::error::Result;

/// Orders of the variables, causes first, and which one each step uses.
#[derive(Debug, Clone)]
pub(super) struct Orders {
    distinct: Vec<Vec<usize>>,
    of_step: Vec<usize>,
}

impl Orders {
    /// # Errors
    /// If the graph has a cycle within a step.
    pub(super) fn of(graph: &DynamicGraph) -> Result<Self> {
        let (mut distinct, mut of_step) = (Vec::new(), Vec::new());
        let mut before = Vec::new();
        for step in 0..graph.steps() {
            let within = graph.instantaneous().filter(|edge| edge.presence.contains(step));
            let now: Vec<_> = within.map(|edge| (edge.from, edge.to)).collect();
            if step == 0 || now != before {
                let cyclic = |_| {
                    let found = graph.certify();
                    dycausal::Error::shape("graph to simulate", found, "acyclic at every step")
                };
                distinct.push(sort_or_cycle(graph.variables(), &now).map_err(cyclic)?);
                before = now;
            }
            of_step.push(distinct.len() - 1);
        }
        Ok(Self { distinct, of_step })
    }

    /// The order of a step.
    pub(super) fn at(&self, step: usize) -> &[usize] {
        &self.distinct[self.of_step[step]]
    }
}
