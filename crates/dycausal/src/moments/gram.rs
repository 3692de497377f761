//! Collapsed moments: M\[j, k, (b, c)\] = Σ_rows ψ_b ψ_c z_j z_k / rows, for b ≤ c.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::lanes::{LANES, Lane};
use super::pieces::Pieces;
use super::precision::Precision;
use super::time_basis::TimeBasis;
use crate::design::Columns;
use crate::error::Result;
use crate::linear_algebra::dot;
use crate::method::Cancel;

/// Columns of a tile; 64 x 64 x 8 bytes per step stay in the cache.
const TILE: usize = 64;
/// Steps whose Gram matrices are held at once.
const STEPS_AT_ONCE: usize = 64;

/// Moments of columns times basis functions, laid out for kernels that go over all columns:
/// \[row\]\[block of eight columns\]\[pair of functions\]\[lane\].
///
/// The block of columns j and k is symmetric in the functions, so the pairs b ≤ c say it all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gram {
    size: usize,
    basis: usize,
    values: Vec<Lane>,
    diagonal: Vec<Lane>,
}

impl Gram {
    /// The moments of all columns.
    ///
    /// Rows are streamed: the Gram matrix of a step exists for one tile of columns at a time, is
    /// multiplied by the products of basis functions there, and forgotten.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn of(columns: &Columns, basis: &TimeBasis, cancel: &Cancel) -> Result<Self> {
        let products = products(basis, columns.rows());
        let tiles = tiles(columns);
        let count = tiles.len();
        let upper: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        let done: Vec<Vec<f64>> = upper
            .par_iter()
            .map_init(Workspace::<f64>::default, |work, (a, b)| {
                cancel.proceed()?;
                let (a, b): (Vec<usize>, Vec<usize>) =
                    (tiles[*a].clone().collect(), tiles[*b].clone().collect());
                Ok(tile(columns, &products, basis.size(), &a, &b, work))
            })
            .collect::<Result<_>>()?;
        let mut gram = assemble(columns.size(), basis.size(), &tiles, &done);
        gram.add_left(columns, &products);
        Ok(gram)
    }

    /// The moments of some columns, in the order given, from the rows.
    pub fn of_some<P: Precision>(
        columns: &Columns,
        products: &[f64],
        basis: usize,
        which: &[usize],
        work: &mut Workspace<P>,
    ) -> Self {
        let (size, width) = (which.len(), pairs(basis));
        let held: Vec<P> = products.iter().map(|x| P::of(*x)).collect();
        let planes = tile(columns, &held, basis, which, which, work);
        let blocks = size.div_ceil(LANES);
        let mut values = vec![[0.0; LANES]; size * blocks * width];
        for (row, out) in values.chunks_exact_mut(blocks * width).enumerate() {
            for (pair, plane) in planes.chunks_exact(size * size).enumerate() {
                for (column, value) in plane[row * size..(row + 1) * size].iter().enumerate() {
                    out[(column / LANES) * width + pair][column % LANES] = value.number();
                }
            }
        }
        let mut gram = Self::with_diagonal(size, basis, values);
        gram.add_left_of(columns, products, which.iter().copied());
        gram
    }

    /// Adds what filling left of the variance of each column: squares of means alone are too small.
    fn add_left(&mut self, columns: &Columns, products: &[f64]) {
        self.add_left_of(columns, products, 0..self.size);
    }

    fn add_left_of(
        &mut self,
        columns: &Columns,
        products: &[f64],
        which: impl Iterator<Item = usize>,
    ) {
        let width = pairs(self.basis);
        for (column, whole) in which.enumerate() {
            let Some(left) = columns.left_variances(whole) else { return };
            for (pair, product) in products.chunks_exact(left.len()).enumerate() {
                let at = (column / LANES) * width + pair;
                let sum = dot(&left, product);
                let row = column * self.blocks() * width;
                self.values[row + at][column % LANES] += sum;
                self.diagonal[at][column % LANES] += sum;
            }
        }
    }

    /// Makes room for so many columns; what is there is overwritten by whoever asks for it.
    pub(super) fn make(&mut self, size: usize, basis: usize) {
        let (blocks, width) = (size.div_ceil(LANES), pairs(basis));
        (self.size, self.basis) = (size, basis);
        self.values.clear();
        self.values.resize(size * blocks * width, [0.0; LANES]);
        self.diagonal.clear();
        self.diagonal.resize(blocks * width, [0.0; LANES]);
    }

    /// Sets a moment of the row that begins at `start`.
    pub(super) fn set(&mut self, start: usize, column: usize, pair: usize, value: f64) {
        let at = start + (column / LANES) * pairs(self.basis) + pair;
        self.values[at][column % LANES] = value;
    }

    /// Sets a moment of a column with itself.
    pub(super) fn set_diagonal(&mut self, column: usize, pair: usize, value: f64) {
        let at = (column / LANES) * pairs(self.basis) + pair;
        self.diagonal[at][column % LANES] = value;
    }

    /// How many columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many basis functions.
    pub fn basis(&self) -> usize {
        self.basis
    }

    /// How many blocks of eight columns.
    pub fn blocks(&self) -> usize {
        self.size.div_ceil(LANES)
    }

    /// The moments of one column with all: \[block\]\[pair\].
    pub fn row(&self, column: usize) -> &[Lane] {
        let width = self.blocks() * pairs(self.basis);
        &self.values[column * width..(column + 1) * width]
    }

    /// The moments of every column with itself: \[block\]\[pair\].
    pub fn diagonal(&self) -> &[Lane] {
        &self.diagonal
    }

    /// M\[row, column, pair\].
    pub fn entry(&self, row: usize, column: usize, pair: usize) -> f64 {
        self.row(row)[(column / LANES) * pairs(self.basis) + pair][column % LANES]
    }

    /// The moments of some of the columns, in the order given.
    pub fn select(&self, columns: &[usize]) -> Self {
        let (count, width) = (columns.len(), pairs(self.basis));
        let blocks = count.div_ceil(LANES);
        let mut values = vec![[0.0; LANES]; count * blocks * width];
        for (row, out) in columns.iter().zip(values.chunks_exact_mut(blocks * width)) {
            let source = self.row(*row);
            for (k, column) in columns.iter().enumerate() {
                let (from, to) = ((column / LANES) * width, (k / LANES) * width);
                for pair in 0..width {
                    out[to + pair][k % LANES] = source[from + pair][column % LANES];
                }
            }
        }
        Self::with_diagonal(count, self.basis, values)
    }

    fn with_diagonal(size: usize, basis: usize, values: Vec<Lane>) -> Self {
        let width = pairs(basis);
        let mut gram = Self {
            size,
            basis,
            values,
            diagonal: vec![[0.0; LANES]; size.div_ceil(LANES) * width],
        };
        for column in 0..size {
            for pair in 0..width {
                let value = gram.entry(column, column, pair);
                gram.diagonal[(column / LANES) * width + pair][column % LANES] = value;
            }
        }
        gram
    }
}

/// How many pairs b ≤ c of functions there are.
pub(crate) const fn pairs(basis: usize) -> usize {
    basis * (basis + 1) / 2
}

/// The number of a pair of functions, in either order.
pub(crate) const fn pair(b: usize, c: usize) -> usize {
    let (low, high) = if b < c { (b, c) } else { (c, b) };
    high * (high + 1) / 2 + low
}

/// ψ_b ψ_c / rows as \[pair\]\[step\], column by column.
pub(crate) fn products(basis: &TimeBasis, rows: f64) -> Vec<f64> {
    let (psi, size) = (basis.by_piece(), basis.size());
    let steps = psi.nrows();
    let mut out = vec![0.0; pairs(size) * steps];
    for c in 0..size {
        for b in 0..=c {
            for t in 0..steps {
                out[pair(b, c) * steps + t] = psi[[t, b]] * psi[[t, c]] / rows;
            }
        }
    }
    out
}

/// Ranges of columns, none across two lags.
fn tiles(columns: &Columns) -> Vec<std::ops::Range<usize>> {
    let d = columns.variables();
    let parts = d.div_ceil(TILE);
    (0..=columns.lag())
        .flat_map(|back| {
            (0..parts).map(move |k| back * d + d * k / parts..back * d + d * (k + 1) / parts)
        })
        .collect()
}

/// Memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Workspace<P> {
    left: Vec<P>,
    right: Vec<P>,
    steps: Vec<P>,
}

/// The moments of one tile as \[pair\]\[right\]\[left\].
fn tile<P: Precision>(
    columns: &Columns,
    products: &[P],
    basis: usize,
    left: &[usize],
    right: &[usize],
    work: &mut Workspace<P>,
) -> Vec<P> {
    // Rows that share their functions of time: of a step, or of a piece of a long series.
    let pieces = Pieces::of(columns.steps(), columns.series());
    let (series, steps) = (columns.series() * pieces.each, pieces.count());
    let (rows, cols) = (left.len(), right.len());
    let area = rows * cols;
    let (zero, one) = (P::of(0.0), P::of(1.0));
    let mut out = vec![zero; area * pairs(basis)];
    let at_once = if pieces.are_long() { 1 } else { STEPS_AT_ONCE };
    // What is multiplied with itself is packed once.
    let alike = left == right && columns.weights().is_none();
    for start in (0..steps).step_by(at_once) {
        let count = at_once.min(steps - start);
        pack(columns, left, start, count, series, columns.weights(), &mut work.left);
        if !alike {
            pack(columns, right, start, count, series, None, &mut work.right);
        }
        let packed = if alike { &work.left } else { &work.right };
        work.steps.resize(area * count, zero);
        for t in 0..count {
            let a = MatRef::from_column_major_slice(
                &work.left[t * series * rows..(t + 1) * series * rows],
                series,
                rows,
            );
            let b = MatRef::from_column_major_slice(
                &packed[t * series * cols..(t + 1) * series * cols],
                series,
                cols,
            );
            let gram = MatMut::from_column_major_slice_mut(
                &mut work.steps[t * area..(t + 1) * area],
                rows,
                cols,
            );
            matmul(gram, Accum::Replace, a.transpose(), b, one, Par::Seq);
        }
        let grams = MatRef::from_column_major_slice(&work.steps, area, count);
        let weights =
            MatRef::from_column_major_slice(products, steps, pairs(basis)).subrows(start, count);
        let target = MatMut::from_column_major_slice_mut(&mut out, area, pairs(basis));
        matmul(target, Accum::Add, grams, weights, one, Par::Seq);
    }
    out
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
            let values = target.iter_mut().zip(&column[rows.clone()]);
            match weights {
                Some(weights) => {
                    values.zip(&weights[rows]).for_each(|((x, value), w)| *x = P::of(value * w));
                }
                None => values.for_each(|(x, value)| *x = P::of(*value)),
            }
        }
    }
}

/// Both triangles, row by row, from the tiles of the upper one.
fn assemble(
    size: usize,
    basis: usize,
    tiles: &[std::ops::Range<usize>],
    done: &[Vec<f64>],
) -> Gram {
    let width = pairs(basis);
    let blocks = size.div_ceil(LANES);
    let count = tiles.len();
    let number = |a: usize, b: usize| a * count - a * (a + 1) / 2 + b;
    let mut values = vec![[0.0; LANES]; size * blocks * width];
    values.par_chunks_exact_mut(blocks * width).enumerate().for_each(|(row, out)| {
        let own = tiles.partition_point(|tile| tile.end <= row);
        for (other, tile) in tiles.iter().enumerate() {
            let (a, b) = (own.min(other), own.max(other));
            let source = &done[number(a, b)];
            let (rows, cols) = (tiles[a].len(), tiles[b].len());
            let inside = row - tiles[own].start;
            // [right][left]: along the row the stride depends on which side it is on.
            let (first, stride) = if own <= other { (inside, rows) } else { (inside * rows, 1) };
            for pair in 0..width {
                let plane = &source[pair * rows * cols..(pair + 1) * rows * cols];
                for (k, column) in tile.clone().enumerate() {
                    out[(column / LANES) * width + pair][column % LANES] =
                        plane[first + k * stride];
                }
            }
        }
    });
    Gram::with_diagonal(size, basis, values)
}
