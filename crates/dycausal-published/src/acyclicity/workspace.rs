//! Room for the matrices a constraint works with, taken once.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::lu::partial_pivoting::{factor, inverse};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par, Spec};

/// Scratch matrices of one size, and what faer needs to factor one of them.
pub struct Workspace {
    size: usize,
    pub(super) first: Vec<f64>,
    pub(super) second: Vec<f64>,
    pub(super) third: Vec<f64>,
    permutation: Vec<usize>,
    inverse_permutation: Vec<usize>,
    stack: MemBuffer,
}

impl Workspace {
    /// Room for matrices of `size` variables.
    pub fn new(size: usize) -> Self {
        let factoring =
            factor::lu_in_place_scratch::<usize, f64>(size, size, Par::Seq, Spec::default());
        let inverting = inverse::inverse_scratch::<usize, f64>(size, Par::Seq);
        Self {
            size,
            first: vec![0.0; size * size],
            second: vec![0.0; size * size],
            third: vec![0.0; size * size],
            permutation: vec![0; size],
            inverse_permutation: vec![0; size],
            stack: MemBuffer::new(StackReq::any_of(&[factoring, inverting])),
        }
    }

    /// How many variables there is room for.
    pub fn size(&self) -> usize {
        self.size
    }

    /// −log det(`first` / α) and the inverse of `first`, written over `first`, by a pivoted
    /// factorisation. `None` if the matrix is singular or its determinant negative.
    pub(super) fn factor(&mut self, alpha: f64) -> Option<f64> {
        let d = self.size;
        let stack = MemStack::new(&mut self.stack);
        let mut matrix = MatMut::from_column_major_slice_mut(&mut self.first, d, d);
        let (info, permutation) = factor::lu_in_place(
            matrix.as_mut(),
            &mut self.permutation,
            &mut self.inverse_permutation,
            Par::Seq,
            stack,
            Spec::default(),
        );
        let mut value = 0.0;
        let mut negative = info.transposition_count % 2 == 1;
        for pivot in (0..d).map(|p| matrix[(p, p)]) {
            negative ^= pivot < 0.0;
            value -= (pivot.abs() / alpha).ln();
        }
        if negative || !value.is_finite() {
            return None;
        }
        let out = MatMut::from_column_major_slice_mut(&mut self.second, d, d);
        let factors = matrix.as_ref();
        inverse::inverse(out, factors, factors, permutation, Par::Seq, stack);
        std::mem::swap(&mut self.first, &mut self.second);
        Some(value)
    }
}

/// out ← a b, all d × d and row by row.
pub(super) fn multiply(out: &mut [f64], a: &[f64], b: &[f64], d: usize) {
    let out = MatMut::from_row_major_slice_mut(out, d, d);
    let a = MatRef::from_row_major_slice(a, d, d);
    let b = MatRef::from_row_major_slice(b, d, d);
    matmul(out, Accum::Replace, a, b, 1.0, Par::Seq);
}
