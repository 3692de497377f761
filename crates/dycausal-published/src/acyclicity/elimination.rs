//! log det and inverse of an M-matrix in one sweep, without pivoting.
//!
//! αI − A with A ≥ 0 and spectral radius below α is an M-matrix: every pivot of the elimination
//! without row exchanges is positive, and only then. So the sweep needs no search for pivots, and
//! leaving the domain shows as a pivot that is not positive. If A has no cycle, every update of a
//! pivot is a product with a factor that is exactly 0, the pivots stay exactly α, and the
//! logarithm is exactly 0.

use dycausal::internals::vectors::{Kernel, vectorised};

/// Largest size for which this sweep was measured to be faster than a blocked factorisation.
pub(super) const LARGEST: usize = 80;

/// −log det(M / α) of M (`size` × `size`, row by row), and M⁻¹ written over M.
///
/// `None` as soon as a pivot is not positive: M is no M-matrix.
pub(super) fn log_det_and_inverse(matrix: &mut [f64], size: usize, alpha: f64) -> Option<f64> {
    vectorised::<Sweep, _>((matrix, size, alpha))
}

/// Gauss-Jordan in place: 2 size³ operations, rows contiguous.
struct Sweep;

impl Kernel<(&mut [f64], usize, f64)> for Sweep {
    type Output = Option<f64>;

    #[inline(always)]
    #[allow(clippy::inline_always)] // inlined into code compiled for the vectors of this machine
    fn run((matrix, size, alpha): (&mut [f64], usize, f64)) -> Option<f64> {
        let mut value = 0.0;
        for p in 0..size {
            let (above, rest) = matrix.split_at_mut(p * size);
            let (row, below) = rest.split_at_mut(size);
            let pivot = row[p];
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            value -= (pivot / alpha).ln();
            let inverse = 1.0 / pivot;
            row[p] = 1.0;
            for x in &mut *row {
                *x *= inverse;
            }
            let others = above.chunks_exact_mut(size).chain(below.chunks_exact_mut(size));
            for other in others {
                let factor = std::mem::replace(&mut other[p], 0.0);
                if factor != 0.0 {
                    other.iter_mut().zip(&*row).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        Some(value)
    }
}
