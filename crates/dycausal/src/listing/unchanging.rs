//! Which of the listed edges move.

use crate::graph::Edge;
use crate::inference::adjusted;

/// q of "the weight does not move", over the listed edges that were asked.
pub fn adjust_unchanging(edges: &mut [Edge]) {
    let still = |edge: &Edge| edge.tests.as_ref().and_then(|tests| tests.unchanging);
    let p: Vec<f64> = edges.iter().filter_map(still).collect();
    let mut adjusted = adjusted(&p).into_iter();
    for edge in edges {
        if let Some(tests) = edge.tests.as_mut().filter(|tests| tests.unchanging.is_some()) {
            tests.unchanging_adjusted = adjusted.next();
        }
    }
}
