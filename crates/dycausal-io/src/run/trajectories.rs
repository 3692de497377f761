//! `trajectories.parquet` and `trajectories.csv`: how weights move, at a bounded number of steps.

use dycausal::graph::table::Layout;

/// Steps that a trajectory has in files, and numbers that an edge has in `graph.json`, about.
pub(super) const MOST_STEPS: usize = 500;

/// At most [`MOST_STEPS`] evenly spaced steps, or every one.
pub(super) fn layout(every_step: bool) -> Layout {
    Layout::Trajectories { most: if every_step { usize::MAX } else { MOST_STEPS } }
}
