//! Looking through all columns for what is left of many targets at once, without moments of all pairs.
//!
//! Residuals of some hundred targets times all columns, step by step in single precision; the functions of
//! time are multiplied in after the product, so that a look at everything costs as much as one Gram matrix and
//! keeps nothing of it. What a column j would gain on its own, |L_j⁻¹ g|² with L_j L_j' its unconditional block,
//! is a lower bound of what it gains given the others.

use rayon::prelude::*;

use super::shrink::Fit;
use super::slabs::{SlabMemory, Slabs};
use crate::design::{Columns, Partition};
use crate::error::Result;
use crate::moments::{TimeBasis, pair, pairs};
use crate::run::Cancel;
use crate::vectors::{Kernel, vectorised};

/// Targets that are looked at together, at most: more hardly save time, and their residuals take memory on every
/// thread.
const TARGETS: usize = 256;
/// Variables that are looked at together.
const TILE: usize = 128;

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
    pub(super) psi: Vec<f32>,
    pub(super) basis: usize,
    /// L⁻¹\[column\]\[pair\].
    inverse: Vec<f32>,
}

/// Which columns are allowed for which target.
pub(super) type AllowedColumns<'a> = &'a (dyn Fn(usize, usize) -> bool + Sync);

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
        allowed: AllowedColumns<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<usize>>> {
        let parts = looks.par_chunks(batch(looks.len()));
        let found: Vec<Vec<Vec<usize>>> = parts
            .map_init(SlabMemory::default, |memory, looks| {
                self.of_batch(columns, looks, allowed, cancel, memory)
            })
            .collect::<Result<_>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn of_batch(
        &self,
        columns: &Columns,
        looks: &[Look<'_>],
        allowed: AllowedColumns<'_>,
        cancel: &Cancel,
        memory: &mut SlabMemory,
    ) -> Result<Vec<Vec<usize>>> {
        let slabs = Slabs::of(columns, self.basis);
        slabs.fill_left(columns, looks, self, &mut memory.left);
        memory.gains.resize(looks.len(), 0.0);
        let mut best: Vec<BestColumns> = looks.iter().map(BestColumns::new).collect();
        let variables = columns.variables();
        for start in (0..variables).step_by(TILE) {
            let tile = start..(start + TILE).min(variables);
            for back in 0..=columns.lag() {
                cancel.proceed()?;
                slabs.fill_right(columns, tile.clone(), back, &mut memory.right);
                slabs.multiply(self, looks.len(), tile.len(), back, memory);
                for (v, variable) in tile.clone().enumerate() {
                    let column = back * variables + variable;
                    self.gains(column, v, columns.rows(), memory);
                    for (best, gain) in best.iter_mut().zip(&memory.gains) {
                        if *gain > best.least && allowed(column, best.target) {
                            best.add(column, *gain);
                        }
                    }
                }
            }
        }
        Ok(best.into_iter().map(BestColumns::columns).collect())
    }

    /// What a column would gain for every look, from sums of which it is the `v`-th.
    fn gains(&self, column: usize, v: usize, rows: f64, memory: &mut SlabMemory) {
        let looks = memory.gains.len();
        let width = looks * self.basis;
        let cross = &memory.sums[v * width..(v + 1) * width];
        let inverse = &self.inverse[column * pairs(self.basis)..];
        let scale = 1.0 / rows as f32;
        vectorised::<ColumnGain, _>((cross, inverse, self.basis, scale, &mut memory.gains[..]));
    }
}

/// How many targets are looked at together: as many each time, and an even number of times, so that two threads
/// end together.
fn batch(targets: usize) -> usize {
    let times = 2 * targets.div_ceil(2 * TARGETS);
    targets.div_ceil(times.max(1)).max(1)
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
    let pieces = Partition::pieces(columns.steps(), columns.series());
    let together = pieces.each() * columns.series();
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
struct BestColumns {
    target: usize,
    least: f32,
    most: usize,
    found: Vec<(usize, f32)>,
}

impl BestColumns {
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
        // They are kept for every regression that was looked at: no larger than they are.
        let mut columns: Vec<usize> = self.found.into_iter().map(|(column, _)| column).collect();
        columns.shrink_to_fit();
        columns
    }
}

/// |L⁻¹ g|² of one column for all targets.
struct ColumnGain;

impl Kernel<(&[f32], &[f32], usize, f32, &mut [f32])> for ColumnGain {
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
