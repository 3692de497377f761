//! Moments of a tile of columns, added up from the rows.

// Kernels gain from wider vectors only where they are inlined.
#![allow(clippy::inline_always)]

use std::marker::PhantomData;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::gram::pairs;
use super::precision::Precision;
use crate::design::Columns;
use crate::design::Partition;
use crate::vectors::{Kernel, vectorised};

/// Steps whose Gram matrices are held at once.
const STEPS_AT_ONCE: usize = 64;
/// Bytes of rows that are copied before they are multiplied: they are still in the cache then.
const PACKED: usize = 256 << 10;

/// Memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Workspace<P> {
    left: Vec<P>,
    right: Vec<P>,
    steps: Vec<P>,
    /// The moments of the last tile as \[pair\]\[right\]\[left\].
    pub(super) planes: Vec<P>,
}

/// The moments of one tile, in the planes of `work`.
pub(super) fn tile<P: Precision>(
    columns: &Columns,
    products: &[P],
    basis: usize,
    left: &[usize],
    right: &[usize],
    work: &mut Workspace<P>,
) {
    // Rows that share their functions of time: of a step, or of a piece of a long series.
    let pieces = Partition::pieces(columns.steps(), columns.series());
    let (series, steps) = (columns.series() * pieces.each(), pieces.count());
    let area = left.len() * right.len();
    let (zero, one) = (P::of(0.0), P::of(1.0));
    work.planes.clear();
    work.planes.resize(area * pairs(basis), zero);
    let at_once = if pieces.are_long() { 1 } else { STEPS_AT_ONCE };
    for start in (0..steps).step_by(at_once) {
        let count = at_once.min(steps - start);
        by_step(columns, left, right, start..start + count, series, work);
        let grams = MatRef::from_column_major_slice(&work.steps, area, count);
        let weights =
            MatRef::from_column_major_slice(products, steps, pairs(basis)).subrows(start, count);
        let target = MatMut::from_column_major_slice_mut(&mut work.planes, area, pairs(basis));
        matmul(target, Accum::Add, grams, weights, one, Par::Seq);
    }
}

/// The Gram matrices of some steps, each of so many rows.
fn by_step<P: Precision>(
    columns: &Columns,
    left: &[usize],
    right: &[usize],
    steps: std::ops::Range<usize>,
    series: usize,
    work: &mut Workspace<P>,
) {
    let (rows, cols) = (left.len(), right.len());
    let area = rows * cols;
    // What is multiplied with itself is packed once.
    let alike = left == right && columns.weights().is_none();
    let at_once = (PACKED / (size_of::<P>() * series * rows.max(1))).clamp(1, STEPS_AT_ONCE);
    work.steps.resize(area * steps.len(), P::of(0.0));
    for start in steps.clone().step_by(at_once) {
        let count = at_once.min(steps.end - start);
        pack(columns, left, start, count, series, columns.weights(), &mut work.left);
        if !alike {
            pack(columns, right, start, count, series, None, &mut work.right);
        }
        let packed = if alike { &work.left } else { &work.right };
        for t in 0..count {
            let a = &work.left[t * series * rows..(t + 1) * series * rows];
            let b = &packed[t * series * cols..(t + 1) * series * cols];
            let gram = &mut work.steps[(start - steps.start + t) * area..][..area];
            let a = MatRef::from_column_major_slice(a, series, rows);
            let b = MatRef::from_column_major_slice(b, series, cols);
            let gram = MatMut::from_column_major_slice_mut(gram, rows, cols);
            matmul(gram, Accum::Replace, a.transpose(), b, P::of(1.0), Par::Seq);
        }
    }
}

/// Copies some steps of some columns as \[step\]\[column\]\[series\], weighted.
fn pack<P: Precision>(
    columns: &Columns,
    which: &[usize],
    start: usize,
    count: usize,
    series: usize,
    weights: Option<&[f64]>,
    out: &mut Vec<P>,
) {
    let width = which.len();
    out.resize(series * width * count, P::of(0.0));
    for (k, index) in which.iter().enumerate() {
        let column = columns.column(*index);
        for t in 0..count {
            let rows = (start + t) * series..((start + t + 1) * series).min(column.len());
            let target = &mut out[(t * width + k) * series..(t * width + k + 1) * series];
            // The last piece may be shorter.
            let (target, beyond) = target.split_at_mut(rows.len());
            beyond.fill(P::of(0.0));
            let weights = weights.map(|weights| &weights[rows.clone()]);
            vectorised::<Copied<P>, _>((&column[rows], weights, target));
        }
    }
}

/// Numbers as they are held in another precision, weighted.
struct Copied<P>(PhantomData<P>);

impl<P: Precision> Kernel<(&[f64], Option<&[f64]>, &mut [P])> for Copied<P> {
    type Output = ();

    #[inline(always)]
    fn run((values, weights, out): (&[f64], Option<&[f64]>, &mut [P])) {
        let pairs = out.iter_mut().zip(values);
        match weights {
            Some(weights) => pairs.zip(weights).for_each(|((x, value), w)| *x = P::of(value * w)),
            None => pairs.for_each(|(x, value)| *x = P::of(*value)),
        }
    }
}
