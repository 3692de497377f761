//! Hat functions: φ_k is 1 at knot k, 0 at every other knot, and linear in between.
//!
//! φ_k(t) = (t - s_{k-1}) / (s_k - s_{k-1}) on the way up, (s_{k+1} - t) / (s_{k+1} - s_k) on the
//! way down: with coefficients W_k this is Eq. 5 of the paper. Before the first and after the last
//! knot the end values are held.

use ndarray::Array2;

use super::increasing;
use crate::error::Result;

/// Writes φ\[step - first, knot\].
pub(super) fn fill(knots: &[usize], first: usize, values: &mut Array2<f64>) -> Result<()> {
    increasing("knots", knots, first, first + values.nrows() - 1)?;
    let mut right = 0;
    for (row, mut phi) in values.outer_iter_mut().enumerate() {
        let t = first + row;
        while right < knots.len() && knots[right] < t {
            right += 1;
        }
        if right == 0 || right == knots.len() {
            phi[right.min(knots.len() - 1)] = 1.0;
            continue;
        }
        let (from, to) = (knots[right - 1], knots[right]);
        let share = (t - from) as f64 / (to - from) as f64;
        phi[right] = share;
        phi[right - 1] = 1.0 - share;
    }
    Ok(())
}
