//! Moments of a few columns in little memory.

use super::gram::{Gram, Rows, pairs};
use super::lanes::{LANES, Lane};

/// One triangle of a [`Gram`], in single precision: a fifth of its memory.
#[derive(Debug, Clone)]
pub(crate) struct PackedGram {
    size: usize,
    basis: usize,
    /// \[row\]\[column up to the row\]\[pair\].
    values: Vec<f32>,
}

impl PackedGram {
    /// Of moments.
    #[allow(clippy::cast_possible_truncation)] // that is what it is for
    pub fn of(gram: &Gram) -> Self {
        let (size, basis) = (gram.size(), gram.basis());
        let width = pairs(basis);
        let mut values = Vec::with_capacity(size * (size + 1) / 2 * width);
        for row in 0..size {
            for column in 0..=row {
                values.extend((0..width).map(|pair| gram.entry(row, column, pair) as f32));
            }
        }
        Self { size, basis, values }
    }

    /// The moments of some of the columns, in the order given; in place of others.
    pub fn select(&self, places: &[usize], out: &mut Gram) {
        out.make(places.len(), self.basis);
        for (row, place) in places.iter().enumerate() {
            self.unpack(*place, places.iter().copied(), out.row_mut(row));
            for (pair, value) in self.block(*place, *place).iter().enumerate() {
                out.set_diagonal(row, pair, f64::from(*value));
            }
        }
    }

    /// The moments of one column with others, as a row of a [`Gram`] holds them.
    fn unpack(&self, row: usize, others: impl Iterator<Item = usize>, out: &mut [Lane]) {
        let width = pairs(self.basis);
        for (k, other) in others.enumerate() {
            let lanes = &mut out[k / LANES * width..(k / LANES + 1) * width];
            let values = lanes.iter_mut().zip(self.block(row, other));
            values.for_each(|(x, value)| x[k % LANES] = f64::from(*value));
        }
    }

    /// The moments of two columns, by pair.
    fn block(&self, row: usize, column: usize) -> &[f32] {
        let (low, high) = (row.min(column), row.max(column));
        let width = pairs(self.basis);
        &self.values[(high * (high + 1) / 2 + low) * width..][..width]
    }
}

/// Moments that are unpacked row by row, as they are asked for: a regression reads those of its own columns.
#[derive(Debug)]
pub(crate) struct Unpacking<'a> {
    packed: &'a PackedGram,
    gram: &'a mut Gram,
}

impl<'a> Unpacking<'a> {
    /// Of packed moments, in the place of others; those of each column with itself are there.
    pub fn new(packed: &'a PackedGram, gram: &'a mut Gram) -> Self {
        gram.make(packed.size, packed.basis);
        for column in 0..packed.size {
            for (pair, value) in packed.block(column, column).iter().enumerate() {
                gram.set_diagonal(column, pair, f64::from(*value));
            }
        }
        Self { packed, gram }
    }
}

impl Rows for Unpacking<'_> {
    fn ask(&mut self, row: usize) {
        self.packed.unpack(row, 0..self.packed.size, self.gram.row_mut(row));
    }

    fn gram(&self) -> &Gram {
        self.gram
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TimeBasis, Workspace, products};
    use super::*;
    use crate::basis::{Basis, Shape};
    use crate::design::Columns;
    use crate::panel::Panel;
    use ndarray::Array3;

    #[test]
    fn rows_that_are_asked_for_are_those_that_were_packed() {
        let value = |(n, t, v): (usize, usize, usize)| ((n * 37 + t * 17 + v * v * 5) % 23) as f64;
        let panel = Panel::unnamed(Array3::from_shape_fn((30, 12, 7), value)).unwrap();
        let columns = Columns::of(&panel, 1).unwrap();
        let basis = Basis::new(Shape::Legendre { size: 3 }, 12, 0).unwrap();
        let basis = TimeBasis::new(&basis, &columns).unwrap();
        let products = products(&basis, columns.rows());
        let of = |which: &[usize]| {
            let mut gram = Gram::default();
            gram.fill(&columns, &products, 3, which, &mut Workspace::<f64>::default());
            gram
        };
        let gram = of(&[3, 0, 9, 5, 13, 1, 12, 8, 2, 6]);
        // Where others were before, nothing of them is left.
        let mut place = of(&(0..14).collect::<Vec<_>>());
        let packed = PackedGram::of(&gram);
        let mut rows = Unpacking::new(&packed, &mut place);
        for row in [4, 9, 0] {
            rows.ask(row);
            for column in 0..10 {
                for pair in 0..6 {
                    let whole = gram.entry(row, column, pair);
                    let found = rows.gram().entry(row, column, pair);
                    assert!((whole - found).abs() <= 1e-6 * whole.abs().max(1e-3));
                    assert_eq!(rows.gram().entry(row, row, pair), rows.gram().own(row, pair));
                }
            }
            let last = &rows.gram().row(row)[6..];
            assert!(last.iter().all(|lane| lane[2..].iter().all(|x| *x == 0.0)));
        }
        let places = [7, 2, 9];
        packed.select(&places, &mut place);
        for (row, j) in places.into_iter().enumerate() {
            for (column, k) in places.into_iter().enumerate() {
                for pair in 0..6 {
                    let (whole, found) = (gram.entry(j, k, pair), place.entry(row, column, pair));
                    assert!((whole - found).abs() <= 1e-6 * whole.abs().max(1e-3));
                    assert_eq!(place.entry(row, row, pair), place.own(row, pair));
                }
            }
        }
    }
}
