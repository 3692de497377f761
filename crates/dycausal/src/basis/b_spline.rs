//! B-splines on evenly spaced knots, the end knots repeated (Cox and de Boor's recursion).
//!
//! φ_{b,0}(x) = 1 on \[u_b, u_{b+1}), and
//! φ_{b,k}(x) = (x - u_b)/(u_{b+k} - u_b) φ_{b,k-1}(x) + (u_{b+k+1} - x)/(u_{b+k+1} - u_{b+1}) φ_{b+1,k-1}(x).

use ndarray::Array2;

use crate::error::{Error, Result};

/// Writes φ\[step, spline\].
pub(super) fn fill(degree: usize, values: &mut Array2<f64>) -> Result<()> {
    let (span, size) = values.dim();
    if degree >= size {
        return Err(Error::parameter("degree", degree, format!("below the basis size {size}")));
    }
    let pieces = size - degree;
    let knot = |u: usize| u.saturating_sub(degree).min(pieces) as f64;
    let scale = pieces as f64 / span.saturating_sub(1).max(1) as f64;
    let mut spline = vec![0.0; size + degree];
    for (row, mut phi) in values.outer_iter_mut().enumerate() {
        let x = row as f64 * scale;
        // The last step belongs to the last piece.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let piece = (x as usize).min(pieces - 1);
        spline.fill(0.0);
        spline[degree + piece] = 1.0;
        for k in 1..=degree {
            for b in 0..size + degree - k {
                let up = knot(b + k) - knot(b);
                let down = knot(b + k + 1) - knot(b + 1);
                let rising = if up > 0.0 { (x - knot(b)) / up * spline[b] } else { 0.0 };
                let falling =
                    if down > 0.0 { (knot(b + k + 1) - x) / down * spline[b + 1] } else { 0.0 };
                spline[b] = rising + falling;
            }
        }
        for b in 0..size {
            phi[b] = spline[b];
        }
    }
    Ok(())
}
