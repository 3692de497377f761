//! What a battery reads off an engine beside weights and bands: the one place to change when the
//! engine says it in another way.

use dycausal::{DynamicGraph, Edge};

/// The period, in steps, that was found in the data, if one was.
pub(super) fn found_season(graph: &DynamicGraph) -> Option<usize> {
    let season = graph.preparation()?.means.as_ref()?.seasons.first()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of steps
    let period = season.period.round() as usize;
    Some(period)
}

/// Whether the edge is listed without a claim about its direction.
pub(super) fn is_undirected(edge: &Edge) -> bool {
    edge.mark != dycausal::Mark::Directed
}
