//! Moments of a few columns in little memory.

use super::gram::{Gram, pairs};
use super::lanes::LANES;

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

    /// The moments, in place of others.
    pub fn unpack(&self, gram: &mut Gram) {
        let (size, width) = (self.size, pairs(self.basis));
        gram.make(size, self.basis);
        let blocks = size.div_ceil(LANES);
        let mut source = self.values.chunks_exact(width);
        for row in 0..size {
            for column in 0..=row {
                let Some(values) = source.next() else { return };
                for (pair, value) in values.iter().enumerate() {
                    let value = f64::from(*value);
                    gram.set(row * blocks * width, column, pair, value);
                    gram.set(column * blocks * width, row, pair, value);
                    if row == column {
                        gram.set_diagonal(row, pair, value);
                    }
                }
            }
        }
    }
}
