//! `weights.npy`, one step at a time.

use std::path::Path;

use dycausal::DynamicGraph;

use crate::error::Result;
use crate::npy::NpyWriter;

/// Writes weights\[time, lag, from, to\]; only one step is ever in memory.
pub(super) fn write(path: &Path, graph: &DynamicGraph) -> Result<()> {
    let (d, lags) = (graph.variables(), graph.lag() + 1);
    let mut writer = NpyWriter::create(path, &[graph.steps(), lags, d, d])?;
    let mut step_weights = vec![0.0; lags * d * d];
    for step in 0..graph.steps() {
        step_weights.fill(0.0);
        for edge in graph.edges() {
            if edge.presence.contains(step) {
                let place = (edge.lag * d + edge.from) * d + edge.to;
                step_weights[place] = edge.trajectory.value(graph.basis(), step);
            }
        }
        writer.write(step_weights.iter().copied())?;
    }
    writer.finish()
}
