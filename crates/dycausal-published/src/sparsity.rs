//! The lasso of Eq. 9: β times the mean over steps of |W_t|₁.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::{Kernel, vectorised};

use crate::grid::{Grid, Segment};

/// Numbers that are worked on at a time.
const CHUNK: usize = 16;

/// Adds `scale` · β times the gradient of mean_t |W_t|₁, and gives β times its value.
pub(crate) fn lasso<R: Real>(
    grid: &Grid,
    sparsity: f64,
    knots: &[R],
    scale: f64,
    gradient: &mut [R],
) -> f64 {
    if sparsity == 0.0 {
        return 0.0;
    }
    let weight = sparsity / grid.reconstructed() as f64;
    let mut value = 0.0;
    for segment in &grid.segments {
        let pull = R::of(scale * weight);
        let total = vectorised::<Along, _>((segment, grid.size(), knots, pull, &mut *gradient));
        value += weight * total;
    }
    value
}

/// Σ |w| over the steps of one segment, adding `pull` times its slopes.
struct Along;

impl<R: Real> Kernel<(&Segment, usize, &[R], R, &mut [R])> for Along {
    type Output = f64;

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((segment, size, knots, pull, gradient): (&Segment, usize, &[R], R, &mut [R])) -> f64 {
        let mut total = 0.0;
        for start in (0..size).step_by(CHUNK) {
            let count = CHUNK.min(size - start);
            let (left, right) = (segment.left * size + start, segment.right * size + start);
            let (mut x, mut y) = ([R::ZERO; CHUNK], [R::ZERO; CHUNK]);
            x[..count].copy_from_slice(&knots[left..left + count]);
            y[..count].copy_from_slice(&knots[right..right + count]);
            let (sum, slopes) = slopes(&x, &y, &segment.shares);
            total += sum.wide();
            for (g, slope) in gradient[left..left + count].iter_mut().zip(&slopes[0]) {
                *g += pull * *slope;
            }
            for (g, slope) in gradient[right..right + count].iter_mut().zip(&slopes[1]) {
                *g += pull * *slope;
            }
        }
        total
    }
}

/// Σ |w| of some weights along the way from x to y, and its slopes by x and by y.
#[inline(always)]
#[allow(clippy::inline_always)]
fn slopes<R: Real>(x: &[R; CHUNK], y: &[R; CHUNK], shares: &[f64]) -> (R, [[R; CHUNK]; 2]) {
    let mut total = [R::ZERO; CHUNK];
    let mut ends = [[R::ZERO; CHUNK]; 2];
    for share in shares {
        let (rest, share) = (R::of(1.0 - share), R::of(*share));
        for i in 0..CHUNK {
            let w = rest * x[i] + share * y[i];
            let sign = w.sign();
            total[i] += w.size();
            ends[0][i] += rest * sign;
            ends[1][i] += share * sign;
        }
    }
    (total.iter().copied().sum(), ends)
}
