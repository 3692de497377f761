//! The functions of time that models of a weight are made of, piece by piece of time.

use std::f64::consts::SQRT_2;

use super::course::{DEGREE, polynomials, waves};
use super::transforms::product;

/// Cosines at most.
const WAVES: usize = 32;
/// Places of a jump at most.
const JUMPS: usize = 1024;
/// The share of pieces at either end that have no jump.
const TRIMMED: f64 = 0.02;

/// Values of functions, each over all pieces.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// How many cosines weights have.
    pub waves: usize,
    /// Pieces that a jump may come before.
    pub jumps: Vec<usize>,
    pieces: usize,
    /// cos(mα), twice as many as weights have: their products are sums of these.
    cosines: Vec<f64>,
    polynomials: Vec<f64>,
}

impl Dictionary {
    pub fn new(places: &[f64]) -> Self {
        let pieces = places.len();
        let count = WAVES.min(pieces.div_ceil(2));
        let mut row = Vec::new();
        let mut cosines = vec![0.0; 2 * count * pieces];
        let mut powers = vec![0.0; (DEGREE + 1) * pieces];
        for (piece, u) in places.iter().enumerate() {
            row.clear();
            waves(*u, 2 * count, &mut row);
            for (m, value) in row.iter().enumerate() {
                cosines[m * pieces + piece] = if m == 0 { 1.0 } else { value / SQRT_2 };
            }
            row.clear();
            polynomials(*u, DEGREE + 1, &mut row);
            for (k, value) in row.iter().enumerate() {
                powers[k * pieces + piece] = *value;
            }
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        let trimmed = ((TRIMMED * pieces as f64).ceil() as usize).max(2);
        let all: Vec<usize> = (trimmed..(pieces + 1).saturating_sub(trimmed)).collect();
        let every = all.len().div_ceil(JUMPS).max(1);
        let jumps = all.into_iter().step_by(every).collect();
        Self { waves: count, jumps, pieces, cosines, polynomials: powers }
    }

    /// cos(mα), without the factor √2 that makes its mean square 1.
    pub fn cosine(&self, m: usize) -> &[f64] {
        &self.cosines[m * self.pieces..(m + 1) * self.pieces]
    }

    /// A polynomial.
    pub fn polynomial(&self, degree: usize) -> &[f64] {
        &self.polynomials[degree * self.pieces..(degree + 1) * self.pieces]
    }

    /// φ_k over all pieces.
    pub fn wave(&self, k: usize) -> Vec<f64> {
        let factor = if k == 0 { 1.0 } else { SQRT_2 };
        self.cosine(k).iter().map(|c| factor * c).collect()
    }

    /// 1 from a piece on.
    pub fn jump(&self, at: usize) -> Vec<f64> {
        (0..self.pieces).map(|piece| f64::from(u8::from(piece >= at))).collect()
    }
}

/// Σ φ_k φ_l s of so many cosines, row by row, from Σ cos(mα) s.
pub(super) fn gram(transforms: &[f64], count: usize) -> Vec<f64> {
    let mut gram = vec![0.0; count * count];
    for k in 0..count {
        for l in 0..=k {
            let value = product(transforms, k, l);
            gram[k * count + l] = value;
            gram[l * count + k] = value;
        }
    }
    gram
}

/// Sums from each place on.
pub(super) fn tails(values: impl DoubleEndedIterator<Item = f64>, count: usize) -> Vec<f64> {
    let mut out = Vec::new();
    fill_tails(values, count, &mut out);
    out
}

/// The same, in memory that is there.
pub(super) fn fill_tails(
    values: impl DoubleEndedIterator<Item = f64>,
    count: usize,
    out: &mut Vec<f64>,
) {
    out.clear();
    out.resize(count + 1, 0.0);
    let mut sum = 0.0;
    for (at, value) in out[..count].iter_mut().rev().zip(values.rev()) {
        sum += value;
        *at = sum;
    }
}
