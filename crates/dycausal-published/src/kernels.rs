//! The two inner loops of encoder and decoder, written so that the compiler turns them into vectors.
//!
//! Call them from a [`Kernel`](dycausal::internals::vectors::Kernel): they are inlined there and compiled for
//! the vectors that the machine has.

use dycausal::internals::real::Real;

/// Numbers per vector: rows of small products are padded to a multiple of it.
pub(crate) const VECTOR: usize = 8;

/// Lanes that are summed apart in a dot product: two vectors.
pub(crate) const LANES: usize = 2 * VECTOR;

/// sums\[r\] += vector · rows\[r\], lane by lane; `vector` is as long as a row, a multiple of
/// [`LANES`].
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn dots<R: Real>(sums: &mut [[R; LANES]], vector: &[R], rows: &[R]) {
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

/// A matrix inside a slice, row r and column c at `r * row + c * column`.
#[derive(Clone, Copy)]
pub(crate) struct Strided<'a, R> {
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
pub(crate) fn multiply<R: Real>(
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
        let width = 48;
        let vector: Vec<f64> = (0..width).map(|x| (x as f64).sin()).collect();
        for count in [1, 4, 13] {
            let rows: Vec<f64> = (0..count * width).map(|x| (x as f64).cos()).collect();
            let mut sums = vec![[0.5; LANES]; count];
            dots(&mut sums, &vector, &rows);
            for (r, sum) in sums.iter().enumerate() {
                let pairs = (0..width).map(|i| vector[i] * rows[r * width + i]);
                let expected = 0.5 * LANES as f64 + pairs.sum::<f64>();
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
