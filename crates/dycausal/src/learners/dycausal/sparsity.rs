//! The lasso of Eq. 9: β times the mean over steps of |W_t|₁.

use pulp::Arch;

use super::layout::Layout;
use crate::optimise::Real;

/// Numbers that are worked on at a time.
const CHUNK: usize = 16;

/// Adds `scale` · β times the gradient of mean_t |W_t|₁, and gives β times its value.
pub(super) fn lasso<R: Real>(
    layout: &Layout,
    sparsity: f64,
    knots: &[R],
    scale: f64,
    gradient: &mut [R],
) -> f64 {
    if sparsity == 0.0 {
        return 0.0;
    }
    let size = layout.size();
    let weight = sparsity / layout.reconstructed() as f64;
    let pull = R::of(scale * weight);
    let mut value = 0.0;
    for segment in &layout.segments {
        let (left, right) = (segment.left * size, segment.right * size);
        let (x, y) = (&knots[left..left + size], &knots[right..right + size]);
        let mut start = 0;
        while start < size {
            let end = (start + CHUNK).min(size);
            let mut ends = [[R::ZERO; CHUNK]; 2];
            let (x, y) = (&x[start..end], &y[start..end]);
            value +=
                weight * Arch::new().dispatch(|| slopes(x, y, &segment.shares, &mut ends)).wide();
            for (at, slope) in ends[0][..end - start].iter().enumerate() {
                gradient[left + start + at] += pull * *slope;
            }
            for (at, slope) in ends[1][..end - start].iter().enumerate() {
                gradient[right + start + at] += pull * *slope;
            }
            start = end;
        }
    }
    value
}

/// Σ over steps and weights of |w|, and its slopes by the weights at either end.
#[inline(always)]
#[allow(clippy::inline_always)]
fn slopes<R: Real>(x: &[R], y: &[R], shares: &[f64], ends: &mut [[R; CHUNK]; 2]) -> R {
    let mut total = [R::ZERO; CHUNK];
    for share in shares {
        let (rest, share) = (R::of(1.0 - share), R::of(*share));
        for i in 0..x.len() {
            let w = rest * x[i] + share * y[i];
            let sign = w.sign();
            total[i] += w.size();
            ends[0][i] += rest * sign;
            ends[1][i] += share * sign;
        }
    }
    total.iter().copied().sum()
}
