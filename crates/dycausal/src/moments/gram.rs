//! Collapsed moments: M\[j, k, (b, c)\] = Σ_rows ψ_b ψ_c z_j z_k / rows, for b ≤ c.

use rayon::prelude::*;

use super::lanes::{LANES, Lane};
use super::precision::Precision;
use super::tile::{Workspace, tile};
use super::time_basis::TimeBasis;
use crate::design::Columns;
use crate::error::Result;
use crate::linear_algebra::dot;
use crate::run::Cancel;

/// Columns of a tile; 64 x 64 x 8 bytes per step stay in the cache.
const TILE: usize = 64;

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

/// Moments whose rows are there once they were asked for; those of each column with itself always are.
pub(crate) trait Rows {
    /// Sees to it that the moments of a column with all are there.
    fn ask(&mut self, row: usize);

    /// The moments.
    fn gram(&self) -> &Gram;
}

impl Rows for &Gram {
    fn ask(&mut self, _: usize) {}

    fn gram(&self) -> &Gram {
        self
    }
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
                tile(columns, &products, basis.size(), &a, &b, work);
                Ok(work.planes.clone())
            })
            .collect::<Result<_>>()?;
        let mut gram = assemble(columns.size(), basis.size(), &tiles, &done);
        gram.add_left(columns, &products);
        Ok(gram)
    }

    /// The moments of some columns, in the order given, from the rows; in place of others.
    pub fn fill<P: Precision>(
        &mut self,
        columns: &Columns,
        products: &[f64],
        basis: usize,
        which: &[usize],
        work: &mut Workspace<P>,
    ) {
        let (size, width) = (which.len(), pairs(basis));
        let held: Vec<P> = products.iter().map(|x| P::of(*x)).collect();
        tile(columns, &held, basis, which, which, work);
        self.make(size, basis);
        let blocks = self.blocks();
        for (row, out) in self.values.chunks_exact_mut(blocks * width).enumerate() {
            for (pair, plane) in work.planes.chunks_exact(size * size).enumerate() {
                let line = plane[row * size..(row + 1) * size].chunks(LANES);
                for (line, out) in line.zip(out[pair..].iter_mut().step_by(width)) {
                    out.iter_mut().zip(line).for_each(|(x, value)| *x = value.number());
                }
            }
        }
        self.fill_diagonal();
        self.add_left_of(columns, products, which.iter().copied());
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

    /// Makes room for so many columns. What rows hold is to be overwritten by whoever fills them, but for lanes
    /// beyond the last column: those are 0 in rows that are.
    pub(super) fn make(&mut self, size: usize, basis: usize) {
        let (blocks, width) = (size.div_ceil(LANES), pairs(basis));
        (self.size, self.basis) = (size, basis);
        self.values.resize(size * blocks * width, [0.0; LANES]);
        self.diagonal.clear();
        self.diagonal.resize(blocks * width, [0.0; LANES]);
        let beyond = size % LANES;
        if beyond > 0 {
            for row in self.values.chunks_exact_mut(blocks * width) {
                row[(blocks - 1) * width..].iter_mut().for_each(|lane| lane[beyond..].fill(0.0));
            }
        }
    }

    /// The moments of one column with all, to be filled.
    pub(super) fn row_mut(&mut self, column: usize) -> &mut [Lane] {
        let width = self.blocks() * pairs(self.basis);
        &mut self.values[column * width..(column + 1) * width]
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

    /// A moment of a column with itself.
    pub fn own(&self, column: usize, pair: usize) -> f64 {
        self.diagonal[(column / LANES) * pairs(self.basis) + pair][column % LANES]
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
        let diagonal = vec![[0.0; LANES]; size.div_ceil(LANES) * width];
        let mut gram = Self { size, basis, values, diagonal };
        gram.fill_diagonal();
        gram
    }

    /// Takes the moments of every column with itself from its row.
    fn fill_diagonal(&mut self) {
        let width = pairs(self.basis);
        for column in 0..self.size {
            for pair in 0..width {
                let value = self.entry(column, column, pair);
                self.diagonal[(column / LANES) * width + pair][column % LANES] = value;
            }
        }
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
