//! Listed edges against true ones.

use std::collections::HashSet;

use dycausal::{DynamicGraph, Edge};

use super::engine::is_undirected;

/// An edge's place: lag, from, to.
pub(super) type Place = (usize, usize, usize);

/// Whether an edge runs between two variables; self-lags are a family of their own.
pub(super) fn is_cross(edge: &Edge) -> bool {
    edge.from != edge.to
}

/// The places of the edges between two variables.
pub(super) fn cross(graph: &DynamicGraph) -> HashSet<Place> {
    let edges = graph.edges().iter().filter(|edge| is_cross(edge));
    edges.map(|edge| (edge.lag, edge.from, edge.to)).collect()
}

/// The same places with the direction of instantaneous edges forgotten.
pub(super) fn without_direction(places: &HashSet<Place>) -> HashSet<Place> {
    let forget = |&(lag, from, to): &Place| match lag {
        0 => (0, from.min(to), from.max(to)),
        _ => (lag, from, to),
    };
    places.iter().map(forget).collect()
}

/// The places of the edges between two variables, one whose direction is not claimed standing the
/// way it is true.
pub(super) fn cross_as_marked(graph: &DynamicGraph, truth: &HashSet<Place>) -> HashSet<Place> {
    let edges = graph.edges().iter().filter(|edge| is_cross(edge));
    let place = |edge: &Edge| {
        let (there, back) = ((edge.lag, edge.from, edge.to), (edge.lag, edge.to, edge.from));
        if is_undirected(edge) && truth.contains(&back) { back } else { there }
    };
    edges.map(place).collect()
}

/// False discoveries |listed ∖ true| / max(1, |listed|), and power |listed ∩ true| / |true|.
///
/// Power is not defined where nothing is true.
pub(super) fn discovery(listed: &HashSet<Place>, truth: &HashSet<Place>) -> (f64, Option<f64>) {
    let right = listed.intersection(truth).count() as f64;
    let false_share = (listed.len() as f64 - right) / listed.len().max(1) as f64;
    (false_share, (!truth.is_empty()).then(|| right / truth.len() as f64))
}
