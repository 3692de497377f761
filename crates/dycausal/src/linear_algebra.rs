//! The border between ndarray, which holds arrays, and faer, which multiplies and factors them; and
//! what is too small for faer.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{ArrayView2, ArrayViewMut2};

use crate::vectors::{Kernel, LANES, vectorised};

/// Adds aᵀ b to `out`, on the calling thread. All three have to be contiguous, row by row.
pub fn add_transposed_product(
    out: &mut ArrayViewMut2<'_, f64>,
    a: &ArrayView2<'_, f64>,
    b: &ArrayView2<'_, f64>,
) {
    let (rows, cols) = out.dim();
    debug_assert_eq!((a.ncols(), b.ncols(), a.nrows()), (rows, cols, b.nrows()));
    if let (Some(out), Some(left), Some(right)) = (out.as_slice_mut(), a.as_slice(), b.as_slice()) {
        let left = MatRef::from_row_major_slice(left, a.nrows(), a.ncols());
        let right = MatRef::from_row_major_slice(right, b.nrows(), b.ncols());
        let out = MatMut::from_row_major_slice_mut(out, rows, cols);
        matmul(out, Accum::Add, left.transpose(), right, 1.0, Par::Seq);
    } else {
        *out += &a.t().dot(b);
    }
}

/// Numbers from which on it pays to ask for wide vectors.
const WIDE: usize = 32;

/// a'b, in eight interleaved sums so that it vectorises; the same bits everywhere.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() < WIDE { Dot::run((a, b)) } else { vectorised::<Dot, _>((a, b)) }
}

/// The loop of [`dot`], for loops around it.
pub(crate) struct Dot;

impl Kernel<(&[f64], &[f64])> for Dot {
    type Output = f64;

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((a, b): (&[f64], &[f64])) -> f64 {
        let mut sums = [0.0; LANES];
        let (whole, rest) = a.as_chunks::<LANES>();
        let (other, last) = b.as_chunks::<LANES>();
        for (x, y) in whole.iter().zip(other) {
            for lane in 0..LANES {
                sums[lane] += x[lane] * y[lane];
            }
        }
        let (mut total, mut tail) = (0.0, 0.0);
        for sum in sums {
            total += sum;
        }
        for (x, y) in rest.iter().zip(last) {
            tail += x * y;
        }
        total + tail
    }
}

/// Adds `factor` times some values.
pub fn add_scaled(out: &mut [f64], factor: f64, values: &[f64]) {
    if out.len() < WIDE {
        AddScaled::run((out, factor, values));
    } else {
        vectorised::<AddScaled, _>((out, factor, values));
    }
}

struct AddScaled;

impl Kernel<(&mut [f64], f64, &[f64])> for AddScaled {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((out, factor, values): (&mut [f64], f64, &[f64])) {
        for (o, x) in out.iter_mut().zip(values) {
            *o += factor * x;
        }
    }
}

/// Counts a column from its mean and brings its sum of squares to `squares`; all 0 where it does not move,
/// and then nothing is returned.
///
/// Squares are taken in units of the largest, so that neither very large nor very small numbers are lost.
pub fn standardise(column: &mut [f64], squares: f64) -> Option<()> {
    let largest = |column: &[f64]| column.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let before = largest(column);
    let mean = column.iter().sum::<f64>() / column.len() as f64;
    for x in &mut *column {
        *x -= mean;
    }
    let spread = largest(column);
    if spread <= MOVES * before || !spread.is_finite() {
        column.fill(0.0);
        return None;
    }
    let norm = spread * column.iter().map(|x| (x / spread).powi(2)).sum::<f64>().sqrt();
    let unit = norm / squares.sqrt();
    for x in column {
        *x /= unit;
    }
    Some(())
}

/// Distance from the mean, as a share of the largest number, that rounding leaves of a column that does not move.
const MOVES: f64 = 1e-14;

/// x' V⁻¹ x for a small V, of which the lower triangle is given, row by row.
///
/// Its factor takes the place of V, and factor⁻¹ x that of x. Squared pivots are `least` at least;
/// `None` if one is not above 0, where V is not positive definite.
#[inline]
pub(crate) fn quadratic(v: &mut [f64], x: &mut [f64], least: f64) -> Option<f64> {
    let size = x.len();
    let mut total = 0.0;
    for row in 0..size {
        for col in 0..=row {
            let dot: f64 = (0..col).map(|e| v[row * size + e] * v[col * size + e]).sum();
            let value = v[row * size + col] - dot;
            v[row * size + col] = if row == col {
                let square = value.max(least);
                if square <= 0.0 {
                    return None;
                }
                square.sqrt()
            } else {
                value / v[col * size + col]
            };
        }
        let dot: f64 = (0..row).map(|e| v[row * size + e] * x[e]).sum();
        x[row] = (x[row] - dot) / v[row * size + row];
        total += x[row] * x[row];
    }
    Some(total)
}

/// V⁻¹ for a V of which the lower triangle is given, row by row; `None` where it is not positive
/// definite: a pivot falls below 1e-11 of the entry that it began with.
pub fn symmetric_inverse(mut v: Vec<f64>, size: usize) -> Option<Vec<f64>> {
    // V = L L', the factor in place of V.
    for row in 0..size {
        for col in 0..=row {
            let (above, current) = v.split_at(row * size);
            let other = if col == row { current } else { &above[col * size..] };
            let dot: f64 = current[..col].iter().zip(other).map(|(x, y)| x * y).sum();
            let value = current[col] - dot;
            v[row * size + col] = if row == col {
                let least = 1e-11 * v[row * size + row];
                if value.is_nan() || value <= least {
                    return None;
                }
                value.sqrt()
            } else {
                value / v[col * size + col]
            };
        }
    }
    // L⁻¹, row by row, then its products.
    let mut inverse = vec![0.0; size * size];
    for row in 0..size {
        let (done, current) = inverse.split_at_mut(row * size);
        let pivot = 1.0 / v[row * size + row];
        for k in 0..row {
            let scale = -v[row * size + k] * pivot;
            let source = &done[k * size..=k * size + k];
            current.iter_mut().zip(source).for_each(|(x, y)| *x += scale * y);
        }
        current[row] = pivot;
    }
    let mut out = vec![0.0; size * size];
    // Nothing has nothing as its inverse.
    for row in inverse.chunks_exact(size.max(1)) {
        for (j, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let target = &mut out[j * size..(j + 1) * size];
            target.iter_mut().zip(row).for_each(|(o, y)| *o += x * y);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

    #[test]
    fn columns_are_brought_to_a_sum_of_squares() {
        for scale in [1e-200, 1.0, 1e200] {
            let mut column = [scale, 2.0 * scale, 3.0 * scale];
            assert_eq!(standardise(&mut column, 3.0), Some(()));
            assert!((column[2] - 1.5f64.sqrt()).abs() < 1e-15 && column[1].abs() < 1e-15);
        }
        let mut still = [0.1; 7];
        assert_eq!((standardise(&mut still, 1.0), still), (None, [0.0; 7]));
    }

    #[test]
    fn quadratic_forms_are_those_of_the_inverse() {
        // V = [[4, 2], [2, 3]], whose inverse is [[3, -2], [-2, 4]] / 8.
        let found = quadratic(&mut [4.0, 9.0, 2.0, 3.0], &mut [1.0, 2.0], 0.0);
        assert!((found.unwrap() - 11.0 / 8.0).abs() < 1e-15, "{found:?}");
        assert_eq!(quadratic(&mut [1.0, 0.0, 1.0, 1.0], &mut [1.0, 1.0], 0.0), None);
        assert!(quadratic(&mut [f64::NAN], &mut [1.0], 0.0).is_none());
    }

    #[test]
    fn an_inverse_times_the_matrix_is_the_identity() {
        let v = [4.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.5, -1.0, 2.0];
        let inverse = symmetric_inverse(v.to_vec(), 3).unwrap();
        for (j, k) in (0..9).map(|e| (e / 3, e % 3)) {
            let full = |r: usize, c: usize| v[r.max(c) * 3 + r.min(c)];
            let entry: f64 = (0..3).map(|e| inverse[j * 3 + e] * full(e, k)).sum();
            assert!((entry - f64::from(u8::from(j == k))).abs() < 1e-14);
        }
        assert!(symmetric_inverse(vec![1.0, 0.0, 1.0, 1.0], 2).is_none());
        assert_eq!(symmetric_inverse(Vec::new(), 0), Some(Vec::new()));
    }

    #[test]
    fn the_product_is_the_same_for_any_layout() {
        let a = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let b = array![[1.0], [0.5], [2.0]];
        let mut out = Array2::ones((2, 1));
        add_transposed_product(&mut out.view_mut(), &a.view(), &b.view());
        assert_eq!(out, array![[13.5], [17.0]]);
        let turned = a.t().as_standard_layout().into_owned().reversed_axes();
        let mut again = Array2::ones((2, 1));
        add_transposed_product(&mut again.view_mut(), &turned.view(), &b.view());
        assert_eq!(out, again);
    }
}
