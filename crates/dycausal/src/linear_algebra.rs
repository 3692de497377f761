//! The border between ndarray, which holds arrays, and faer, which multiplies and factors them.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{ArrayView2, ArrayViewMut2};

/// Adds aᵀ b to `out`, on the calling thread. All three have to be contiguous, row by row.
pub(crate) fn add_transposed_product(
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

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

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
