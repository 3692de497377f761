//! What a battery reads off an engine beside weights and bands: the one place to change when the
//! engine says it in another way.

use dycausal::graph::Band;
use dycausal::{DynamicGraph, Edge, Run};

/// Whether the run says which season it took out of the data.
pub(super) const TELLS_SEASON: bool = false;

/// The period, in steps, that the run found in the data, if it found one.
pub(super) fn found_season(_run: &Run, _graph: &DynamicGraph) -> Option<usize> {
    None
}

/// Whether the edge is listed without a claim about its direction.
pub(super) fn is_undirected(edge: &Edge) -> bool {
    edge.undirected
}

/// The band that holds the whole path at its level, where the graph gives one.
pub(super) fn simultaneous_band(_edge: &Edge) -> Option<&Band> {
    None
}
