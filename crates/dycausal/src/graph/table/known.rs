//! What several columns read, computed once per row.

use super::super::{DynamicGraph, Edge};

/// An edge over all steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overall {
    /// The weight that is largest in absolute value.
    pub strongest: f64,
    /// The mean weight over the steps at which the edge is there.
    pub mean: f64,
}

impl Overall {
    pub(super) fn of(graph: &DynamicGraph, edge: &Edge) -> Self {
        let curve = edge.curve(graph.basis());
        Self { strongest: edge.strongest_of(&curve), mean: edge.mean_of(&curve) }
    }
}

/// An edge at a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The step.
    pub step: usize,
    /// The weight then.
    pub weight: f64,
    /// Its bounds then, where there is a band.
    pub bounds: Option<(f64, f64)>,
}

impl Moment {
    pub(super) fn of(graph: &DynamicGraph, edge: &Edge, step: usize) -> Self {
        let (weight, bounds) = edge.weight_and_bounds(graph.basis(), step);
        Self { step, weight, bounds }
    }
}
