//! A test along cosines that holds whatever the size of the noise: floods, crashes and bursts.
//!
//! What the scores of a candidate vary by is taken from the rows themselves, Σ φφ' (z u / (1 − h))², with
//! u what the cosines leave over and h the leverage of a row (HC3): a burst that they follow counts in full.

use super::dictionary::Dictionary;
use super::gaussian::Said;
use super::moves::combined;
use crate::linear_algebra::{dot, symmetric_inverse};

/// The rows of a candidate, one after the other.
pub(super) struct Candidate<'a> {
    /// Its values.
    pub values: &'a [f64],
    /// The same times the weight of their rows.
    pub weighted: &'a [f64],
    /// What is left of the effect without it, times the weight of the rows.
    pub residuals: &'a [f64],
    /// Rows of a piece of time.
    pub length: usize,
    /// The variance of the noise.
    pub noise: f64,
}

/// p-value of "its weight is 0 at every step"; 1 where the data do not tell the cosines apart.
pub(super) fn p_value(
    candidate: &Candidate<'_>,
    said: &Said,
    dictionary: &Dictionary,
    freedom: f64,
) -> f64 {
    let waves = said.score.len();
    let Some(inverse) = symmetric_inverse(said.information.clone(), waves) else { return 1.0 };
    let row = |k: usize| &inverse[k * waves..(k + 1) * waves];
    let coefficients: Vec<f64> = (0..waves).map(|k| dot(row(k), &said.score)).collect();
    let Candidate { values, weighted, residuals, length, noise } = *candidate;
    let mut phi = vec![0.0; waves];
    let mut squares = Vec::new();
    for (piece, rows) in (0..values.len()).step_by(length).enumerate() {
        for (k, value) in phi.iter_mut().enumerate() {
            let factor = if k == 0 { 1.0 } else { std::f64::consts::SQRT_2 };
            *value = factor * dictionary.cosine(k)[piece];
        }
        let weight = dot(&phi, &coefficients);
        let spread: f64 = (0..waves).map(|k| phi[k] * dot(row(k), &phi)).sum();
        let square = |row: usize| {
            let leverage = (spread * values[row] * weighted[row] / noise).min(0.99);
            let left = residuals[row] - weight * weighted[row];
            (values[row] * left / (noise * (1.0 - leverage))).powi(2)
        };
        squares.push((rows..(rows + length).min(values.len())).map(square).sum::<f64>());
    }
    let (whole, all) = (dictionary.gram(&squares), dictionary.waves);
    let entry = |at: usize| whole[at / waves * all + at % waves];
    let information = (0..waves * waves).map(entry).collect();
    combined(&Said { information, score: said.score.clone() }, 0, freedom)
}
