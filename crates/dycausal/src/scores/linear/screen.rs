//! Looking through all columns for what is left of many targets at once, without moments of all pairs.
//!
//! Residuals of some hundred targets times all columns, step by step in single precision; the functions of
//! time are multiplied in after the product, so that a look at everything costs as much as one Gram matrix and
//! keeps nothing of it. What a column j would gain on its own, |L_j⁻¹ g|² with L_j L_j' its unconditional block,
//! is a lower bound of what it gains given the others.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::shrink::Fit;
use crate::error::Result;
use crate::method::Cancel;
use crate::moments::{Columns, Pieces, TimeBasis, pair, pairs};
use crate::vectors::{Kernel, vectorised};

/// Targets that are looked at together, and where there are many.
const TARGETS: (usize, usize) = (256, 512);
/// Targets from which on there are many.
const MANY: usize = 4096;
/// Columns that are looked at together.
const TILE: usize = 128;
/// Rows that share their functions of time, from which on these are multiplied in after the product.
const SHARED: usize = 24;
/// Rows that are worked on at once where fewer share them.
const ROWS: usize = 1024;

/// What is looked for: what explains the residuals of one target.
#[derive(Debug)]
pub(super) struct Look<'a> {
    /// The target.
    pub target: usize,
    /// What explains it so far.
    pub fit: &'a Fit,
    /// What a column has to lower the residual variance by.
    pub least: f64,
    /// Columns, at most.
    pub most: usize,
}

/// The functions of time as products read them, and L⁻¹ of every column.
#[derive(Debug)]
pub(super) struct Screen {
    /// ψ\[piece\]\[function\].
    psi: Vec<f32>,
    basis: usize,
    /// L⁻¹\[column\]\[pair\].
    inverse: Vec<f32>,
}

/// Which columns are allowed for which target.
pub(super) type Allowed<'a> = &'a (dyn Fn(usize, usize) -> bool + Sync);

#[allow(clippy::cast_possible_truncation)] // single precision is enough to find candidates
impl Screen {
    /// Of columns and a basis; `products` are those of its functions, over rows.
    pub fn new(columns: &Columns, basis: &TimeBasis, products: &[f64]) -> Self {
        let (values, size) = (basis.by_piece(), basis.size());
        let psi = values.iter().map(|x| *x as f32).collect();
        let of_one = |column: usize| own_inverse(columns, products, size, column);
        let inverse = (0..columns.size()).into_par_iter().flat_map_iter(of_one).collect();
        Self { psi, basis: size, inverse }
    }

    /// For each look the columns that gain most, best first.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn found(
        &self,
        columns: &Columns,
        looks: &[Look<'_>],
        allowed: Allowed<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<usize>>> {
        let at_once = if looks.len() < MANY { TARGETS.0 } else { TARGETS.1 };
        let parts = looks.par_chunks(at_once);
        let found: Vec<Vec<Vec<usize>>> = parts
            .map_init(Memory::default, |memory, looks| {
                self.of_batch(columns, looks, allowed, cancel, memory)
            })
            .collect::<Result<_>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn of_batch(
        &self,
        columns: &Columns,
        looks: &[Look<'_>],
        allowed: Allowed<'_>,
        cancel: &Cancel,
        memory: &mut Memory,
    ) -> Result<Vec<Vec<usize>>> {
        let slabs = Slabs::of(columns, self.basis);
        slabs.fill_left(columns, looks, self, &mut memory.left);
        let mut best: Vec<Best> = looks.iter().map(Best::new).collect();
        for start in (0..columns.size()).step_by(TILE) {
            cancel.proceed()?;
            let tile = start..(start + TILE).min(columns.size());
            slabs.fill_right(columns, tile.clone(), &mut memory.right);
            slabs.multiply(self, looks.len(), tile.len(), memory);
            let scale = 1.0 / columns.rows() as f32;
            for (v, column) in tile.enumerate() {
                let width = looks.len() * self.basis;
                let cross = &memory.sums[v * width..(v + 1) * width];
                let inverse = &self.inverse[column * pairs(self.basis)..];
                memory.gains.clear();
                memory.gains.resize(looks.len(), 0.0);
                vectorised::<Gains, _>((cross, inverse, self.basis, scale, &mut memory.gains[..]));
                for (best, gain) in best.iter_mut().zip(&memory.gains) {
                    if *gain > best.least && allowed(column, best.target) {
                        best.add(column, *gain);
                    }
                }
            }
        }
        Ok(best.into_iter().map(Best::columns).collect())
    }
}

/// L⁻¹ of the block of a column with itself, pair by pair; 0 where it does not move in all functions.
#[allow(clippy::cast_possible_truncation)]
fn own_inverse(columns: &Columns, products: &[f64], size: usize, column: usize) -> Vec<f32> {
    let block = own_block(columns, products, size, column);
    let mut l = vec![0.0; size * size];
    for b in 0..size {
        for c in 0..=b {
            let dot: f64 = (0..c).map(|e| l[b * size + e] * l[c * size + e]).sum();
            let left = block[pair(b, c)] - dot;
            if b == c && left <= 1e-9 * block[pair(b, b)] {
                return vec![0.0; pairs(size)];
            }
            l[b * size + c] = if b == c { left.sqrt() } else { left / l[c * size + c] };
        }
    }
    let mut inverse = vec![0.0; size * size];
    for b in 0..size {
        for c in 0..=b {
            let unit = f64::from(u8::from(b == c));
            let dot: f64 = (c..b).map(|e| l[b * size + e] * inverse[e * size + c]).sum();
            inverse[b * size + c] = (unit - dot) / l[b * size + b];
        }
    }
    let entry = |b: usize, c: usize| inverse[b * size + c] as f32;
    (0..size).flat_map(|b| (0..=b).map(move |c| (b, c))).map(|(b, c)| entry(b, c)).collect()
}

/// Σ ψ_b ψ_c z² / rows.
fn own_block(columns: &Columns, products: &[f64], size: usize, column: usize) -> Vec<f64> {
    let pieces = Pieces::of(columns.steps(), columns.series());
    let together = pieces.each * columns.series();
    let values = columns.column(column);
    let weight = |row: usize| columns.weights().map_or(1.0, |w| w[row]);
    let square = |(piece, values): (usize, &[f64])| {
        let rows = values.iter().enumerate();
        rows.map(|(k, x)| weight(piece * together + k) * x * x).sum::<f64>()
    };
    let mut squares: Vec<f64> = values.chunks(together).enumerate().map(square).collect();
    if let Some(left) = columns.left_variances(column) {
        squares.iter_mut().zip(left).for_each(|(s, left)| *s += left);
    }
    let count = squares.len();
    (0..pairs(size))
        .map(|p| crate::linear_algebra::dot(&products[p * count..][..count], &squares))
        .collect()
}

/// The columns that gain most for one target.
struct Best {
    target: usize,
    least: f32,
    most: usize,
    found: Vec<(usize, f32)>,
}

impl Best {
    #[allow(clippy::cast_possible_truncation)]
    fn new(look: &Look<'_>) -> Self {
        Self { target: look.target, least: look.least as f32, most: look.most, found: Vec::new() }
    }

    fn add(&mut self, column: usize, gain: f32) {
        self.found.push((column, gain));
        if self.found.len() >= 2 * self.most {
            self.cut();
            self.least = self.found.last().map_or(self.least, |worst| worst.1);
        }
    }

    fn cut(&mut self) {
        // Equal gains in the order of columns.
        self.found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.found.truncate(self.most);
    }

    fn columns(mut self) -> Vec<usize> {
        self.cut();
        self.found.into_iter().map(|(column, _)| column).collect()
    }
}

/// Memory of one thread.
#[derive(Default)]
struct Memory {
    left: Vec<f32>,
    right: Vec<f32>,
    product: Vec<f32>,
    /// \[column\]\[function\]\[target\].
    sums: Vec<f32>,
    gains: Vec<f32>,
}

/// Rows cut into slabs: of one step or piece, where many rows share their functions of time; else any rows,
/// with the functions multiplied into the residuals.
struct Slabs {
    length: usize,
    rows: usize,
    /// Rows that share their functions.
    together: usize,
    /// How often a target is on the left: once, or once per function.
    copies: usize,
}

#[allow(clippy::cast_possible_truncation)]
impl Slabs {
    fn of(columns: &Columns, basis: usize) -> Self {
        let rows = columns.steps() * columns.series();
        let together = Pieces::of(columns.steps(), columns.series()).each * columns.series();
        if together >= SHARED {
            return Self { length: together, rows, together, copies: 1 };
        }
        Self { length: ROWS.min(rows), rows, together, copies: basis }
    }

    fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        (0..self.rows).step_by(self.length).map(|start| start..(start + self.length).min(self.rows))
    }

    /// Residuals times the weight of their rows: \[slab\]\[copy\]\[target\]\[row\].
    fn fill_left(
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
            for range in self.ranges() {
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

    /// Columns: \[slab\]\[column\]\[row\].
    fn fill_right(&self, columns: &Columns, tile: std::ops::Range<usize>, out: &mut Vec<f32>) {
        let wide = tile.len();
        out.resize(wide * self.rows, 0.0);
        for (v, column) in tile.enumerate() {
            let values = columns.column(column);
            for range in self.ranges() {
                let at = range.start * wide + v * range.len();
                let target = &mut out[at..at + range.len()];
                target.iter_mut().zip(&values[range]).for_each(|(o, x)| *o = *x as f32);
            }
        }
    }

    /// Σ ψ_b r z over rows, for all targets and columns.
    fn multiply(&self, screen: &Screen, targets: usize, wide: usize, memory: &mut Memory) {
        let high = self.copies * targets;
        let Memory { left, right, product, sums, .. } = memory;
        sums.clear();
        sums.resize(wide * screen.basis * targets, 0.0);
        for (slab, range) in self.ranges().enumerate() {
            let (start, rows) = (range.start, range.len());
            let a = &left[start * high..(start + rows) * high];
            let b = &right[start * wide..(start + rows) * wide];
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
            rows.iter_mut().zip(values).for_each(|(r, x)| *r -= weight * *x as f32);
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

/// |L⁻¹ g|² of one column for all targets.
struct Gains;

impl Kernel<(&[f32], &[f32], usize, f32, &mut [f32])> for Gains {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((cross, inverse, basis, scale, gains): (&[f32], &[f32], usize, f32, &mut [f32])) {
        const LANES: usize = 16;
        let targets = gains.len();
        let mut start = 0;
        while start < targets {
            let count = LANES.min(targets - start);
            let mut total = [0.0f32; LANES];
            for b in 0..basis {
                let mut sum = [0.0f32; LANES];
                for c in 0..=b {
                    let factor = inverse[b * (b + 1) / 2 + c] * scale;
                    let source = &cross[c * targets + start..c * targets + start + count];
                    for (lane, value) in source.iter().enumerate() {
                        sum[lane] += factor * value;
                    }
                }
                for lane in 0..LANES {
                    total[lane] += sum[lane] * sum[lane];
                }
            }
            gains[start..start + count].copy_from_slice(&total[..count]);
            start += count;
        }
    }
}
