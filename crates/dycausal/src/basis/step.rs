//! Pieces: φ_b(t) = 1 between break b and break b + 1, 0 elsewhere.

use ndarray::Array2;

use super::increasing;
use crate::error::Result;

/// Writes φ\[step - first, piece\].
pub(super) fn fill(breaks: &[usize], first: usize, values: &mut Array2<f64>) -> Result<()> {
    increasing("breaks", breaks, first + 1, first + values.nrows() - 1)?;
    for (row, mut phi) in values.outer_iter_mut().enumerate() {
        let piece = breaks.partition_point(|start| *start <= first + row);
        phi[piece] = 1.0;
    }
    Ok(())
}
