//! A test along cosines that holds whatever the size of the noise: floods, crashes and bursts.
//!
//! What the scores of a candidate vary by is taken from the rows themselves, Σ φφ' (z u / (1 − h))², with
//! u what the cosines leave over and h the leverage of a row (HC3): a burst that they follow counts in full.

use super::dictionary::{Dictionary, gram};
use super::gaussian::Likelihood;
use super::moves::combined;
use crate::linear_algebra::{add_scaled, dot, symmetric_inverse};

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
    said: &Likelihood,
    dictionary: &Dictionary,
    freedom: f64,
) -> f64 {
    let waves = said.score.len();
    let Some(inverse) = symmetric_inverse(said.information.clone(), waves) else { return 1.0 };
    let row = |k: usize| &inverse[k * waves..(k + 1) * waves];
    let coefficients: Vec<f64> = (0..waves).map(|k| dot(row(k), &said.score)).collect();
    let Candidate { values, weighted, residuals, length, noise } = *candidate;
    let weights = sum_of_cosines(dictionary, (0..waves).map(|k| root(k) * coefficients[k]));
    let spreads = sum_of_cosines(dictionary, of_products(&inverse, waves).into_iter());
    let mut squares = Vec::with_capacity(weights.len());
    for (piece, rows) in (0..values.len()).step_by(length).enumerate() {
        let (weight, spread) = (weights[piece], spreads[piece]);
        let square = |row: usize| {
            let leverage = (spread * values[row] * weighted[row] / noise).min(0.99);
            let left = residuals[row] - weight * weighted[row];
            (values[row] * left / (noise * (1.0 - leverage))).powi(2)
        };
        squares.push((rows..(rows + length).min(values.len())).map(square).sum::<f64>());
    }
    let along: Vec<f64> = (0..2 * waves).map(|m| dot(dictionary.cosine(m), &squares)).collect();
    let information = gram(&along, waves);
    combined(&Likelihood { information, score: said.score.clone() }, 0, freedom)
}

/// The factor that makes the mean square of a cosine 1.
fn root(k: usize) -> f64 {
    if k == 0 { 1.0 } else { std::f64::consts::SQRT_2 }
}

/// Σ c_m cos(mα) over pieces.
fn sum_of_cosines(dictionary: &Dictionary, coefficients: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = vec![0.0; dictionary.cosine(0).len()];
    for (m, c) in coefficients.enumerate() {
        add_scaled(&mut sum, c, dictionary.cosine(m));
    }
    sum
}

/// φ'Vφ as a sum of cosines, since products of cosines are sums of them.
fn of_products(v: &[f64], waves: usize) -> Vec<f64> {
    let mut out = vec![0.0; 2 * waves];
    for j in 0..waves {
        for k in 0..waves {
            let value = v[j * waves + k];
            if j == 0 || k == 0 {
                out[j + k] += root(j + k) * value;
            } else {
                out[j.abs_diff(k)] += value;
                out[j + k] += value;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_of_cosines_is_a_sum_of_them() {
        let places: Vec<f64> = (0..40).map(|t| (f64::from(t) + 0.5) / 40.0).collect();
        let dictionary = Dictionary::new(&places);
        let waves = 5;
        let v: Vec<f64> = (0..waves * waves).map(|at| (at * at % 7) as f64 - 3.0).collect();
        let found = sum_of_cosines(&dictionary, of_products(&v, waves).into_iter());
        for (piece, found) in found.iter().enumerate() {
            let phi = |k: usize| root(k) * dictionary.cosine(k)[piece];
            let at = |at: usize| v[at] * phi(at / waves) * phi(at % waves);
            let expected: f64 = (0..waves * waves).map(at).sum();
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
    }
}
