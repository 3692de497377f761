//! φ(t) = 1.

use ndarray::Array2;

/// Writes φ\[step, 0\] = 1.
pub(super) fn fill(values: &mut Array2<f64>) {
    values.fill(1.0);
}
