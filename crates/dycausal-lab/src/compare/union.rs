//! All edges that any method found, each with the names of those that did.

use std::collections::BTreeMap;

use dycausal::graph::{Edge, Trajectory};
use dycausal::{Basis, DynamicGraph, Panel};

use super::Comparison;
use crate::error::Result;

impl Comparison {
    /// Every edge that a method found, with its weight and tests as the first that found it has
    /// them, and the names of all that did (`found_by`).
    ///
    /// It is no graph of causes: what different methods say may contradict itself, cycles included.
    ///
    /// # Errors
    /// As [`DynamicGraph::new`]: a defect.
    pub fn union(&self, panel: &Panel) -> Result<DynamicGraph> {
        let mut edges: BTreeMap<(usize, usize, usize), Edge> = BTreeMap::new();
        let mut lag = 0;
        for entry in &self.entries {
            let Ok(graph) = &entry.outcome else { continue };
            lag = lag.max(graph.lag());
            for edge in graph.edges() {
                let place = (edge.lag, edge.from, edge.to);
                let kept = edges.entry(place).or_insert_with(|| on_steps(graph, edge));
                kept.found_by.push(entry.method.clone());
            }
        }
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let basis = Basis::constant(panel.steps())?;
        let edges = edges.into_values().collect();
        let graph = DynamicGraph::new(names, times, lag, basis, edges)?;
        let scale = panel.summaries().iter().map(|summary| summary.sd).collect();
        Ok(graph.with_scale(scale)?)
    }
}

/// The edge without what refers to the basis of its graph.
fn on_steps(graph: &DynamicGraph, edge: &Edge) -> Edge {
    let trajectory = match &edge.trajectory {
        // Neither refers to a basis.
        free @ (Trajectory::Constant(_) | Trajectory::Knots { .. } | Trajectory::Mixture(_)) => {
            free.clone()
        }
        moving => Trajectory::Steps(
            (0..graph.steps()).map(|step| moving.value(graph.basis(), step)).collect(),
        ),
    };
    Edge { trajectory, band: None, found_by: Vec::new(), ..edge.clone() }
}
