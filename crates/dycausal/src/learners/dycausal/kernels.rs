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
    let (eights, rest) = coefficients.as_chunks::<8>();
    let (fours, ones) = rest.as_chunks::<4>();
    let mut done = 0;
    for some in eights {
        add_rows(out, some, &rows[done * stride..], stride);
        done += 8;
    }
    for some in fours {
        add_rows(out, some, &rows[done * stride..], stride);
        done += 4;
    }
    for one in ones {
        add_rows(out, &[*one], &rows[done * stride..], stride);
        done += 1;
    }
}

/// So many rows at once: `out` is read and written once for all of them.
#[inline(always)]
#[allow(clippy::inline_always)]
fn add_rows<R: Real, const N: usize>(out: &mut [R], some: &[R; N], rows: &[R], stride: usize) {
    let width = out.len();
    let row: [&[R]; N] = std::array::from_fn(|r| &rows[r * stride..r * stride + width]);
    for i in 0..width {
        let mut sum = out[i];
        for r in 0..N {
            sum = some[r].times_plus(row[r][i], sum);
        }
        out[i] = sum;
    }
}

/// sums\[r\] += vector · rows\[r\], lane by lane; `vector` is as long as a row, a multiple of
/// [`LANES`].
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn dots<R: Real>(sums: &mut [[R; LANES]], vector: &[R], rows: &[R]) {
    let width = vector.len();
    let (fours, ones) = sums.as_chunks_mut::<4>();
    let (front, back) = rows.split_at(4 * fours.len() * width);
    for (some, rows) in fours.iter_mut().zip(front.chunks_exact(4 * width)) {
        dot_rows(some, vector, rows);
    }
    for (one, row) in ones.iter_mut().zip(back.chunks_exact(width)) {
        dot_rows(std::array::from_mut(one), vector, row);
    }
}

/// So many rows at once: the vector is read once for all of them.
#[inline(always)]
#[allow(clippy::inline_always)]
fn dot_rows<R: Real, const N: usize>(sums: &mut [[R; LANES]; N], vector: &[R], rows: &[R]) {
    let width = vector.len();
    let mut lanes = *sums;
    let row: [&[[R; LANES]]; N] =
        std::array::from_fn(|r| rows[r * width..(r + 1) * width].as_chunks().0);
    for (at, x) in vector.as_chunks::<LANES>().0.iter().enumerate() {
        for r in 0..N {
            for lane in 0..LANES {
                lanes[r][lane] = x[lane].times_plus(row[r][at][lane], lanes[r][lane]);
            }
        }
    }
    *sums = lanes;
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
