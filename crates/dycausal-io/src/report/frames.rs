//! How much of a large graph goes into a report.

use dycausal::DynamicGraph;
use dycausal::graph::Edge;

/// Curves of at most this many values together are tried first …
pub(super) const MOST_VALUES: usize = 800_000;
/// … and of no fewer than these last.
pub(super) const FEWEST_VALUES: usize = 100_000;
/// At most so many edges, the strongest.
const MOST_EDGES: usize = 2000;
/// More steps than this cannot be told apart on a screen.
const MOST_FRAMES: usize = 600;
/// Fewer steps than this do not show how a graph moves.
const FEWEST_FRAMES: usize = 40;

/// The steps that are shown, so that curves have about so many values together: evenly spread, with the first and the last.
pub(super) fn frames(steps: usize, curves: usize, values: usize) -> Vec<usize> {
    let room = (values / curves.max(1)).clamp(FEWEST_FRAMES, MOST_FRAMES);
    if steps <= room {
        return (0..steps).collect();
    }
    (0..room).map(|frame| frame * (steps - 1) / (room - 1)).collect()
}

/// The strongest edges, in the order of the graph, and how many were left out.
pub(super) fn strongest(graph: &DynamicGraph) -> (Vec<&Edge>, usize) {
    let size = |edge: &Edge| match graph.scale() {
        Some(_) => graph.standardised(edge).map_or(0.0, f64::abs),
        None => edge.strength(graph.basis()),
    };
    let mut edges: Vec<(usize, f64)> = graph.edges().iter().map(size).enumerate().collect();
    edges.sort_by(|a, b| b.1.total_cmp(&a.1));
    let left_out = edges.len().saturating_sub(MOST_EDGES);
    edges.truncate(MOST_EDGES);
    edges.sort_by_key(|(index, _)| *index);
    (edges.iter().map(|(index, _)| &graph.edges()[*index]).collect(), left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_step_are_always_shown() {
        assert_eq!(frames(5, 10, MOST_VALUES), [0, 1, 2, 3, 4]);
        for (steps, curves) in [(601, 1), (100_000, 3), (500, 20_000), (61, 1_000_000)] {
            let shown = frames(steps, curves, MOST_VALUES);
            assert_eq!((shown[0], shown[shown.len() - 1]), (0, steps - 1));
            assert!(shown.is_sorted_by(|a, b| a < b));
        }
    }
}
