//! Rows in slabs, as a look at all columns multiplies them.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::screen::{Look, Screen};
use crate::design::{Columns, Partition};
use crate::vectors::{Kernel, vectorised};

/// Rows that share their functions of time, from which on these are multiplied in after the product.
const SHARED: usize = 24;
/// Rows that are worked on at once where fewer share them.
const ROWS: usize = 1024;

/// Memory of one thread.
#[derive(Default)]
pub(super) struct SlabMemory {
    pub left: Vec<f32>,
    pub right: Vec<f32>,
    product: Vec<f32>,
    /// \[column\]\[function\]\[target\].
    pub sums: Vec<f32>,
    /// What a column would gain for each target.
    pub gains: Vec<f32>,
}

/// Rows cut into slabs: of one step or piece, where many rows share their functions of time; else any rows,
/// with the functions multiplied into the residuals.
pub(super) struct Slabs {
    length: usize,
    rows: usize,
    /// Rows that share their functions.
    together: usize,
    /// How often a target is on the left: once, or once per function.
    copies: usize,
    /// Where slabs are steps: the longest lag, whose steps are before the first row.
    shifted: Option<usize>,
}

#[allow(clippy::cast_possible_truncation)]
impl Slabs {
    pub fn of(columns: &Columns, basis: usize) -> Self {
        let rows = columns.steps() * columns.series();
        let together =
            Partition::pieces(columns.steps(), columns.series()).each() * columns.series();
        if together >= SHARED {
            let steps = together == columns.series() && !columns.are_of_moments();
            let shifted = steps.then_some(columns.lag());
            return Self { length: together, rows, together, copies: 1, shifted };
        }
        Self { length: ROWS.min(rows), rows, together, copies: basis, shifted: None }
    }

    /// Residuals times the weight of their rows: \[slab\]\[copy\]\[target\]\[row\].
    pub fn fill_left(
        &self,
        columns: &Columns,
        looks: &[Look<'_>],
        screen: &Screen,
        out: &mut Vec<f32>,
    ) {
        let wide = self.copies * looks.len();
        out.clear();
        out.resize(wide * self.rows, 0.0);
        let mut residual = Vec::new();
        for (i, look) in looks.iter().enumerate() {
            residuals(columns, screen, self.together, look, &mut residual);
            if let Some(weights) = columns.weights() {
                residual.iter_mut().zip(weights).for_each(|(r, w)| *r *= *w as f32);
            }
            for range in ranges(self.rows, self.length) {
                let own = &residual[range.clone()];
                for copy in 0..self.copies {
                    let at = range.start * wide + (copy * looks.len() + i) * range.len();
                    let target = &mut out[at..at + range.len()];
                    if self.copies == 1 {
                        target.copy_from_slice(own);
                        continue;
                    }
                    for (k, (o, r)) in target.iter_mut().zip(own).enumerate() {
                        let piece = (range.start + k) / self.together;
                        *o = r * screen.psi[piece * screen.basis + copy];
                    }
                }
            }
        }
    }

    /// Variables so many steps before each row: \[slab\]\[variable\]\[row\].
    ///
    /// Where slabs are steps, those of all lags are there from the first lag on.
    pub fn fill_right(
        &self,
        columns: &Columns,
        tile: Range<usize>,
        back: usize,
        out: &mut Vec<f32>,
    ) {
        if self.shifted.is_some() && back > 0 {
            return;
        }
        let rows = self.rows + self.shifted.map_or(0, |lag| lag * self.length);
        let wide = tile.len();
        out.resize(wide * rows, 0.0);
        for (v, variable) in tile.enumerate() {
            let values = match self.shifted {
                Some(_) => columns.whole(variable),
                None => columns.column(back * columns.variables() + variable),
            };
            for range in ranges(rows, self.length) {
                let at = range.start * wide + v * range.len();
                let target = &mut out[at..at + range.len()];
                vectorised::<Rounded, _>((&values[range], target));
            }
        }
    }

    /// Σ ψ_b r z over rows, for all targets and columns.
    pub fn multiply(
        &self,
        screen: &Screen,
        targets: usize,
        wide: usize,
        back: usize,
        memory: &mut SlabMemory,
    ) {
        let high = self.copies * targets;
        let SlabMemory { left, right, product, sums, .. } = memory;
        sums.clear();
        sums.resize(wide * screen.basis * targets, 0.0);
        let ahead = self.shifted.map_or(0, |lag| (lag - back) * self.length);
        for (slab, range) in ranges(self.rows, self.length).enumerate() {
            let (start, rows) = (range.start, range.len());
            let a = &left[start * high..(start + rows) * high];
            let b = &right[(start + ahead) * wide..(start + ahead + rows) * wide];
            let a = MatRef::from_column_major_slice(a, rows, high);
            let b = MatRef::from_column_major_slice(b, rows, wide);
            if self.copies > 1 {
                let out = MatMut::from_column_major_slice_mut(sums, high, wide);
                matmul(out, Accum::Add, a.transpose(), b, 1.0, Par::Seq);
                continue;
            }
            product.resize(high * wide, 0.0);
            let out = MatMut::from_column_major_slice_mut(product, high, wide);
            matmul(out, Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
            let psi = &screen.psi[slab * screen.basis..(slab + 1) * screen.basis];
            vectorised::<AddTimes, _>((&product[..], psi, targets, &mut sums[..]));
        }
    }
}

/// Rows, so many at a time.
fn ranges(rows: usize, length: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(length).map(move |start| start..(start + length).min(rows))
}

/// What is left of a target.
#[allow(clippy::cast_possible_truncation)]
fn residuals(
    columns: &Columns,
    screen: &Screen,
    together: usize,
    look: &Look<'_>,
    out: &mut Vec<f32>,
) {
    out.clear();
    out.extend(columns.column(look.target).iter().map(|x| *x as f32));
    let regressors = look.fit.selected.iter();
    for (column, c) in regressors.zip(look.fit.coefficients.chunks_exact(screen.basis)) {
        let values = columns.column(*column).chunks(together);
        for (piece, (rows, values)) in out.chunks_mut(together).zip(values).enumerate() {
            let psi = &screen.psi[piece * screen.basis..(piece + 1) * screen.basis];
            let weight: f32 = psi.iter().zip(c).map(|(psi, c)| psi * *c as f32).sum();
            vectorised::<Less, _>((values, weight, rows));
        }
    }
}

/// Adds ψ_b times products to the sums of each function.
struct AddTimes;

impl Kernel<(&[f32], &[f32], usize, &mut [f32])> for AddTimes {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((product, psi, targets, sums): (&[f32], &[f32], usize, &mut [f32])) {
        let columns = product.chunks_exact(targets).zip(sums.chunks_exact_mut(targets * psi.len()));
        for (source, sums) in columns {
            for (psi, sums) in psi.iter().zip(sums.chunks_exact_mut(targets)) {
                for (sum, value) in sums.iter_mut().zip(source) {
                    *sum += psi * value;
                }
            }
        }
    }
}

/// Numbers in single precision.
struct Rounded;

impl Kernel<(&[f64], &mut [f32])> for Rounded {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    #[allow(clippy::cast_possible_truncation)]
    fn run((values, out): (&[f64], &mut [f32])) {
        out.iter_mut().zip(values).for_each(|(o, x)| *o = *x as f32);
    }
}

/// What is left without numbers times a weight.
struct Less;

impl Kernel<(&[f64], f32, &mut [f32])> for Less {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    #[allow(clippy::cast_possible_truncation)]
    fn run((values, weight, out): (&[f64], f32, &mut [f32])) {
        out.iter_mut().zip(values).for_each(|(r, x)| *r -= weight * *x as f32);
    }
}
