//! The two inner loops of everything here, written so that the compiler turns them into vectors.
//!
//! Call them inside [`pulp::Arch::dispatch`]: they are inlined there and compiled for the vectors
//! that the machine has.

use crate::optimise::Real;

/// Lanes that are summed apart in a dot product: two vectors of eight f32.
pub(super) const LANES: usize = 16;

/// out += Σ_r coefficients\[r\] · rows\[r\], rows being `out.len()` numbers, `stride` apart.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn accumulate<R: Real>(out: &mut [R], coefficients: &[R], rows: &[R], stride: usize) {
    let width = out.len();
    let row = |r: usize| &rows[r * stride..r * stride + width];
    let (fours, rest) = coefficients.as_chunks::<4>();
    for (four, c) in fours.iter().enumerate() {
        let (a, b) = (row(4 * four), row(4 * four + 1));
        let (x, y) = (row(4 * four + 2), row(4 * four + 3));
        for i in 0..width {
            out[i] += (c[0] * a[i] + c[1] * b[i]) + (c[2] * x[i] + c[3] * y[i]);
        }
    }
    for (r, c) in rest.iter().enumerate() {
        let a = row(4 * fours.len() + r);
        for i in 0..width {
            out[i] += *c * a[i];
        }
    }
}

/// sums\[r\] += vector · rows\[r\], lane by lane; `vector` is as long as a row, a multiple of
/// [`LANES`].
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn dots<R: Real>(sums: &mut [[R; LANES]], vector: &[R], rows: &[R]) {
    let (vector, _) = vector.as_chunks::<LANES>();
    for (sum, row) in sums.iter_mut().zip(rows.chunks_exact(vector.len() * LANES)) {
        let mut lanes = *sum;
        for (x, y) in vector.iter().zip(row.as_chunks::<LANES>().0) {
            for lane in 0..LANES {
                lanes[lane] += x[lane] * y[lane];
            }
        }
        *sum = lanes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_for_any_count() {
        for count in 0..10 {
            let coefficients: Vec<f64> = (0..count).map(f64::from).collect();
            let rows: Vec<f64> = (0..count * 3).map(|x| f64::from(x * x % 11)).collect();
            let mut out = [1.0, 2.0];
            accumulate(&mut out, &coefficients, &rows, 3);
            for (i, found) in out.iter().enumerate() {
                let sum: f64 = (0..count as usize).map(|r| coefficients[r] * rows[3 * r + i]).sum();
                assert_eq!(*found, 1.0 + i as f64 + sum);
            }
        }
    }

    #[test]
    fn lanes_add_up_to_the_dot_product() {
        let vector: Vec<f64> = (0..48).map(f64::from).collect();
        let rows: Vec<f64> = (0..96).map(|x| f64::from(x % 7)).collect();
        let mut sums = [[0.0; LANES]; 2];
        dots(&mut sums, &vector, &rows);
        for (r, sum) in sums.iter().enumerate() {
            let expected: f64 = (0..48).map(|i| vector[i] * rows[48 * r + i]).sum();
            assert_eq!(sum.iter().sum::<f64>(), expected);
        }
    }
}
