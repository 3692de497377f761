//! What tests of conditional independence need.

use dycausal::PanelShape;
use dycausal::internals::memory::bytes;

/// Bytes of the samples of all nodes, whose conditions reach twice as far back as the lag, and of
/// their covariances.
pub(crate) fn memory(shape: PanelShape, lag: usize) -> u64 {
    let back = 2.0 * lag as f64 + 1.0;
    let nodes = shape.variables as f64 * back;
    bytes(3.0 * back * shape.values() + 5.0 * 8.0 * nodes * nodes)
}
