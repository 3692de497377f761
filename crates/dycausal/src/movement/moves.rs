//! Tests of "this weight does not move" and "there is no such edge", along cosines.
//!
//! Wald's statistic on the first 2, 4, 8, 16 and all cosines, and a score in which slow cosines count
//! for more, put together by Cauchy's rule: it sees slow and fast motion alike.

use std::f64::consts::PI;

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

use super::gaussian::Likelihood;
use super::profile::Profile;
use crate::linear_algebra::dot;

/// Cosines that are looked along, the constant among them.
pub(crate) const WAVES: usize = 24;

/// Cosines that tell roughly how much a weight moves.
const SLOW: usize = 9;

/// p-value of "the weight is the same at every step".
pub(super) fn unchanging(profile: &Profile, freedom: f64) -> f64 {
    without_constant(profile, WAVES).map_or(1.0, |said| combined(&said, 1, freedom))
}

/// How much a weight moves, roughly: Wald's statistic along slow cosines, less what chance gives.
pub(super) fn moved(profile: &Profile) -> f64 {
    let squares = without_constant(profile, SLOW).and_then(|said| solved_squares(&said));
    squares.map_or(0.0, |squares| squares.iter().sum::<f64>() - squares.len() as f64)
}

/// What the data say of the first cosines once the constant is known.
fn without_constant(profile: &Profile, most: usize) -> Option<Likelihood> {
    let all = profile.waves.score.len();
    let count = all.min(most);
    if count < 2 {
        return None;
    }
    let known = profile.waves.information[0].max(f64::MIN_POSITIVE);
    let with = &profile.waves.information[..count];
    let mut information = Vec::with_capacity((count - 1) * (count - 1));
    let mut score = Vec::with_capacity(count - 1);
    for j in 1..count {
        for k in 1..count {
            information.push(profile.waves.information[j * all + k] - with[j] * with[k] / known);
        }
        score.push(profile.waves.score[j] - with[j] * profile.waves.score[0] / known);
    }
    Some(Likelihood { information, score })
}

/// p-value of "all coefficients are 0"; the first is that of cosine `first`.
pub(super) fn combined(said: &Likelihood, first: usize, freedom: f64) -> f64 {
    let count = said.score.len();
    let mut values = Vec::with_capacity(6);
    if let Some(squares) = solved_squares(said) {
        let mut sum = 0.0;
        for (k, square) in squares.iter().enumerate() {
            sum += square;
            let size = k + 1;
            let told = [2, 4, 8, 16].contains(&size) || size == count;
            if told && let Ok(law) = FisherSnedecor::new(size as f64, freedom) {
                values.push(law.sf(sum / size as f64));
            }
        }
    }
    values.push(slow_score(said, first));
    cauchy(&values)
}

/// The squares that prefixes of Wald's statistic add up from; None where the data do not tell the
/// functions apart.
fn solved_squares(said: &Likelihood) -> Option<Vec<f64>> {
    let count = said.score.len();
    let mut factor = vec![0.0; count * count];
    let mut solved: Vec<f64> = Vec::with_capacity(count);
    for row in 0..count {
        let (above, rest) = factor.split_at_mut(row * count);
        let current = &mut rest[..count];
        for col in 0..row {
            let other = &above[col * count..col * count + col];
            let value = said.information[row * count + col] - dot(&current[..col], other);
            current[col] = value / above[col * count + col];
        }
        let whole = said.information[row * count + row];
        let square = whole - dot(&current[..row], &current[..row]);
        if square.is_nan() || square <= 1e-9 * whole {
            return (row > 0).then(|| solved.iter().map(|z| z * z).collect());
        }
        current[row] = square.sqrt();
        solved.push((said.score[row] - dot(&current[..row], &solved)) / current[row]);
    }
    Some(solved.iter().map(|z| z * z).collect())
}

/// p-value of Σ w_k b_k², w_k = 1 / max(k, 1)², by matching four moments (Liu, Tang and Zhang).
fn slow_score(said: &Likelihood, first: usize) -> f64 {
    let count = said.score.len();
    let root = |k: usize| 1.0 / (k + first).max(1) as f64;
    let statistic: f64 = (0..count).map(|k| (root(k) * said.score[k]).powi(2)).sum();
    let entry = |j: usize, k: usize| root(j) * root(k) * said.information[j * count + k];
    let matrix: Vec<f64> = (0..count * count).map(|at| entry(at / count, at % count)).collect();
    let mut square = vec![0.0; count * count];
    for j in 0..count {
        for k in 0..=j {
            let value =
                dot(&matrix[j * count..(j + 1) * count], &matrix[k * count..(k + 1) * count]);
            square[j * count + k] = value;
            square[k * count + j] = value;
        }
    }
    let c1: f64 = (0..count).map(|k| matrix[k * count + k]).sum();
    let (c2, c3, c4) = (dot(&matrix, &matrix), dot(&matrix, &square), dot(&square, &square));
    let (s1, s2) = (c3 / c2.powf(1.5), c4 / (c2 * c2));
    let (a, shift) = if s1 * s1 > s2 {
        let a = 1.0 / (s1 - (s1 * s1 - s2).sqrt());
        (a, (s1 * a.powi(3) - a * a).max(0.0))
    } else {
        (1.0 / s1, 0.0)
    };
    let freedom = a * a - 2.0 * shift;
    if !(freedom > 0.0 && freedom.is_finite() && c2 > 0.0) {
        return 1.0;
    }
    let standard = (statistic - c1) / (2.0 * c2).sqrt();
    // A shifted distribution with the same mean and variance is told by a plain one.
    let (mean, spread) = (freedom + shift, (2.0 * (freedom + 2.0 * shift)).sqrt());
    let place = standard * spread + mean;
    let plain = mean * mean / (0.5 * spread * spread);
    let scale = 0.5 * spread * spread / mean;
    let (place, freedom) = if shift > 0.0 { (place / scale, plain) } else { (place, freedom) };
    ChiSquared::new(freedom).map_or(1.0, |law| if place > 0.0 { law.sf(place) } else { 1.0 })
}

/// One p-value from several that may depend on each other.
fn cauchy(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 1.0;
    }
    // Far in the tail 1 / (pπ) is the tangent; one test that sees nothing does not outweigh the rest.
    let tangent = |p: f64| {
        let p = p.clamp(1e-300, 0.99);
        if p < 1e-9 { 1.0 / (p * PI) } else { ((0.5 - p) * PI).tan() }
    };
    let mean = values.iter().map(|p| tangent(*p)).sum::<f64>() / values.len() as f64;
    if mean > 1e9 { 1.0 / (mean * PI) } else { 0.5 - mean.atan() / PI }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn without_an_edge_p_values_are_even() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let count = 20;
        let mut information = vec![0.3; count * count];
        (0..count).for_each(|k| information[k * count + k] = 1.3);
        let mut below = 0;
        let draws = 2000;
        for _ in 0..draws {
            let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
            let shared = 0.3f64.sqrt() * normal();
            let score: Vec<f64> = (0..count).map(|_| normal() + shared).collect();
            let said = Likelihood { information: information.clone(), score };
            below += usize::from(combined(&said, 1, 1e6) < 0.05);
        }
        let share = f64::from(u32::try_from(below).unwrap()) / f64::from(draws);
        assert!((0.03..0.07).contains(&share), "{share}");
    }

    #[test]
    fn one_cosine_that_moves_is_seen() {
        for moving in [0, 3, 15] {
            let count = 16;
            let mut information = vec![0.0; count * count];
            (0..count).for_each(|k| information[k * count + k] = 1.0);
            let mut score = vec![0.0; count];
            score[moving] = 7.0;
            assert!(combined(&Likelihood { information, score }, 1, 500.0) < 1e-3, "{moving}");
        }
    }
}
