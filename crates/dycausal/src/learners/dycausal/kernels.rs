//! The two inner loops of encoder and decoder, written so that the compiler turns them into vectors.
//!
//! Call them from a [`Kernel`](crate::vectors::Kernel): they are inlined there and compiled for
//! the vectors that the machine has.

use crate::optimise::Real;

/// Numbers per vector: rows that these loops run along are multiples of it, and a dot product is
/// summed in so many lanes.
pub(super) const VECTOR: usize = 8;

/// sums\[v, r\] += vectors\[v\] · rows\[r\], lane by lane; all are `width` long, a multiple of
/// [`VECTOR`].
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn dots<R: Real>(sums: &mut [[R; VECTOR]], vectors: &[R], rows: &[R], width: usize) {
    let count = rows.len() / width;
    let mut at = 0;
    for pair in vectors.chunks(2 * width) {
        let sums = &mut sums[at * count..];
        let mut row = 0;
        while row < count {
            let four = row + 4 <= count;
            match (pair.len() > width, four) {
                (true, true) => dot_block::<R, 2, 4>(sums, pair, rows, width, row),
                (true, false) => dot_block::<R, 2, 1>(sums, pair, rows, width, row),
                (false, true) => dot_block::<R, 1, 4>(sums, pair, rows, width, row),
                (false, false) => dot_block::<R, 1, 1>(sums, pair, rows, width, row),
            }
            row += if four { 4 } else { 1 };
        }
        at += 2;
    }
}

/// `M` vectors with `N` rows: every number is read once for several products.
#[inline(always)]
#[allow(clippy::inline_always)]
fn dot_block<R: Real, const M: usize, const N: usize>(
    sums: &mut [[R; VECTOR]],
    vectors: &[R],
    rows: &[R],
    width: usize,
    row: usize,
) {
    let count = rows.len() / width;
    let left: [&[[R; VECTOR]]; M] =
        std::array::from_fn(|m| vectors[m * width..(m + 1) * width].as_chunks().0);
    let right: [&[[R; VECTOR]]; N] =
        std::array::from_fn(|n| rows[(row + n) * width..(row + n + 1) * width].as_chunks().0);
    let mut lanes = [[[R::ZERO; VECTOR]; N]; M];
    for at in 0..width / VECTOR {
        for m in 0..M {
            for n in 0..N {
                for lane in 0..VECTOR {
                    let (x, y) = (left[m][at][lane], right[n][at][lane]);
                    lanes[m][n][lane] = x.times_plus(y, lanes[m][n][lane]);
                }
            }
        }
    }
    for (m, lanes) in lanes.iter().enumerate() {
        for (n, lanes) in lanes.iter().enumerate() {
            let sum = &mut sums[m * count + row + n];
            sum.iter_mut().zip(lanes).for_each(|(s, x)| *s += *x);
        }
    }
}

/// A matrix inside a slice, row r and column c at `r * row + c * column`.
#[derive(Clone, Copy)]
pub(super) struct Strided<'a, R> {
    pub numbers: &'a [R],
    pub row: usize,
    pub column: usize,
}

/// out += left · right, `rows` × `out_stride`: the small products of the decoder.
///
/// `right` has as many rows as `left` has columns (`inner`), `out_stride` apart, a multiple of
/// [`VECTOR`]. Blocks of 4 × 16 stay in registers.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn multiply<R: Real>(
    out: &mut [R],
    rows: usize,
    inner: usize,
    left: Strided<'_, R>,
    right: &[R],
    stride: usize,
) {
    let mut column = 0;
    while column + 2 * VECTOR <= stride {
        blocks::<R, 2>(out, rows, inner, left, right, stride, column);
        column += 2 * VECTOR;
    }
    if column < stride {
        blocks::<R, 1>(out, rows, inner, left, right, stride, column);
    }
}

/// All rows of `V` vectors of columns.
#[inline(always)]
#[allow(clippy::inline_always)]
fn blocks<R: Real, const V: usize>(
    out: &mut [R],
    rows: usize,
    inner: usize,
    left: Strided<'_, R>,
    right: &[R],
    stride: usize,
    column: usize,
) {
    let mut row = 0;
    while row + 4 <= rows {
        block::<R, 4, V>(out, row, inner, left, right, stride, column);
        row += 4;
    }
    while row < rows {
        block::<R, 1, V>(out, row, inner, left, right, stride, column);
        row += 1;
    }
}

/// One block of `M` rows and `V` vectors.
#[inline(always)]
#[allow(clippy::inline_always)]
fn block<R: Real, const M: usize, const V: usize>(
    out: &mut [R],
    row: usize,
    inner: usize,
    left: Strided<'_, R>,
    right: &[R],
    stride: usize,
    column: usize,
) {
    let mut sums = [[[R::ZERO; VECTOR]; V]; M];
    for (m, sums) in sums.iter_mut().enumerate() {
        let start = (row + m) * stride + column;
        sums.copy_from_slice(out[start..start + V * VECTOR].as_chunks().0);
    }
    for i in 0..inner {
        let start = i * stride + column;
        let own: &[[R; VECTOR]] = right[start..start + V * VECTOR].as_chunks().0;
        for (m, sums) in sums.iter_mut().enumerate() {
            let factor = left.numbers[(row + m) * left.row + i * left.column];
            for v in 0..V {
                for lane in 0..VECTOR {
                    sums[v][lane] = factor.times_plus(own[v][lane], sums[v][lane]);
                }
            }
        }
    }
    for (m, sums) in sums.iter().enumerate() {
        let start = (row + m) * stride + column;
        out[start..start + V * VECTOR].as_chunks_mut().0.copy_from_slice(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_add_up_to_the_dot_product() {
        let width = 24;
        for (vectors, rows) in [(1, 1), (2, 4), (3, 5), (4, 13)] {
            let left: Vec<f64> = (0..vectors * width).map(|x| (x as f64).sin()).collect();
            let right: Vec<f64> = (0..rows * width).map(|x| (x as f64).cos()).collect();
            let mut sums = vec![[0.5; VECTOR]; vectors * rows];
            dots(&mut sums, &left, &right, width);
            for (at, sum) in sums.iter().enumerate() {
                let (v, r) = (at / rows, at % rows);
                let pairs = (0..width).map(|i| left[v * width + i] * right[r * width + i]);
                let expected = 0.5 * VECTOR as f64 + pairs.sum::<f64>();
                assert!((sum.iter().sum::<f64>() - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn small_products_are_those_of_the_definition() {
        for (rows, inner, stride) in [(1, 1, 8), (5, 3, 24), (13, 32, 16), (4, 20, 40)] {
            let left: Vec<f64> = (0..rows * inner).map(|x| (x as f64).sin()).collect();
            let right: Vec<f64> = (0..inner * stride).map(|x| (x as f64).cos()).collect();
            let mut out = vec![0.5; rows * stride];
            let turned = Strided { numbers: &left, row: 1, column: rows };
            multiply(&mut out, rows, inner, turned, &right, stride);
            for (at, found) in out.iter().enumerate() {
                let (r, c) = (at / stride, at % stride);
                let sum: f64 = (0..inner).map(|i| left[i * rows + r] * right[i * stride + c]).sum();
                assert!((found - 0.5 - sum).abs() < 1e-12);
            }
        }
    }
}
