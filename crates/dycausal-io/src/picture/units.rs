//! What weights are drawn in: standard deviations, or the units of the data.

use dycausal::{DynamicGraph, Edge};

/// What a weight is multiplied by to be drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units<'a> {
    /// The standard deviation of every variable; none where weights are drawn as they are.
    scale: Option<&'a [f64]>,
}

impl<'a> Units<'a> {
    /// Standard deviations of the effect per standard deviation of the cause, where those of all
    /// variables with edges are known and the data's own units are not asked for.
    pub fn of(graph: &'a DynamicGraph, data: bool) -> Self {
        let moves = |sd: f64| sd > 0.0 && sd.is_finite();
        let known = |scale: &&[f64]| {
            graph.edges().iter().all(|edge| moves(scale[edge.from]) && moves(scale[edge.to]))
        };
        Self { scale: graph.scale().filter(known).filter(|_| !data) }
    }

    /// What the weight of an edge is multiplied by.
    pub fn factor(self, edge: &Edge) -> f64 {
        let unit = self.scale.map_or(1.0, |scale| scale[edge.from] / scale[edge.to]);
        if unit.is_finite() { unit } else { 1.0 }
    }

    /// The largest absolute weight of an edge, as it is drawn.
    pub fn strength(self, graph: &DynamicGraph, edge: &Edge) -> f64 {
        edge.strength(graph.basis()) * self.factor(edge)
    }

    /// For a legend.
    pub fn words(self) -> &'static str {
        if self.scale.is_some() { "strength in standard deviations" } else { "strength" }
    }
}
