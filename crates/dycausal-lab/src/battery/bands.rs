//! Bands against true weights, step by step.

use std::ops::Range;

use dycausal::{DynamicGraph, Edge};

/// Hits and tries.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Share(usize, usize);

impl Share {
    /// One more try.
    pub(super) fn add(&mut self, hit: bool) {
        self.0 += usize::from(hit);
        self.1 += 1;
    }

    /// All the tries of another.
    pub(super) fn join(&mut self, other: Self) {
        self.0 += other.0;
        self.1 += other.1;
    }

    /// The share, where anything was tried.
    pub(super) fn named(self, name: &'static str) -> Option<(&'static str, f64)> {
        (self.1 > 0).then(|| (name, self.0 as f64 / self.1 as f64))
    }
}

impl FromIterator<bool> for Share {
    fn from_iter<I: IntoIterator<Item = bool>>(hits: I) -> Self {
        let mut share = Self::default();
        hits.into_iter().for_each(|hit| share.add(hit));
        share
    }
}

/// The steps that count: those before the first row of the regression belong to no data.
pub(super) fn rows(graph: &DynamicGraph) -> Range<usize> {
    graph.lag()..graph.steps()
}

/// At how many steps the band of a listed edge holds the true weight.
pub(super) fn held(graph: &DynamicGraph, found: &Edge, weight: impl Fn(usize) -> f64) -> Share {
    let inside = |step| {
        let bounds = found.bounds(graph.basis(), step);
        bounds.is_some_and(|bounds| holds(bounds, weight(step)))
    };
    rows(graph).map(inside).collect()
}

/// Whether the simultaneous band of a listed edge holds all of the true path; none without such a
/// band.
pub(super) fn path_held(
    graph: &DynamicGraph,
    found: &Edge,
    weight: impl Fn(usize) -> f64,
) -> Option<bool> {
    found.simultaneous_bounds(graph.basis(), rows(graph).start)?;
    let inside = |step| {
        let bounds = found.simultaneous_bounds(graph.basis(), step);
        bounds.is_some_and(|bounds| holds(bounds, weight(step)))
    };
    Some(rows(graph).all(inside))
}

/// At how many steps the weights of listed edges lie in their own bands.
pub(super) fn weights_inside(graph: &DynamicGraph) -> Share {
    let mut inside = Share::default();
    for edge in graph.edges() {
        for step in edge.presence.steps() {
            let Some(bounds) = edge.bounds(graph.basis(), step) else { continue };
            inside.add(holds(bounds, edge.weight(graph.basis(), step)));
        }
    }
    inside
}

fn holds((low, high): (f64, f64), weight: f64) -> bool {
    // A bound that is not there holds nothing.
    low <= weight && weight <= high
}
