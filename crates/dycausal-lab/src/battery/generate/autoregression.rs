//! Columns that follow their own past.

use std::f64::consts::TAU;

use super::super::condition::Stream;
use super::innovations::standard;

/// Steps before the first, so that where a column began is forgotten.
const BURN_IN: usize = 300;

/// x_t = Σ_k φ_k x_{t−k} + ε_t, ε ~ N(0, 1).
pub(in super::super) fn autoregression(
    stream: &mut Stream,
    steps: usize,
    coefficients: &[f64],
) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::with_capacity(BURN_IN + steps);
    for row in 0..BURN_IN + steps {
        let past = coefficients.iter().zip(1..=row).map(|(phi, lag)| phi * values[row - lag]);
        let past: f64 = past.sum();
        values.push(past + standard(stream));
    }
    values.split_off(BURN_IN)
}

/// The two coefficients of an autoregression with roots of this modulus r that turn once in P steps:
/// φ_1 = 2 r cos(2π/P), φ_2 = −r².
pub(in super::super) fn oscillation(period: f64, modulus: f64) -> [f64; 2] {
    [2.0 * modulus * (TAU / period).cos(), -modulus * modulus]
}

/// x_t = x_{t−1} + ε_t.
pub(in super::super) fn random_walk(stream: &mut Stream, steps: usize) -> Vec<f64> {
    let mut level = 0.0;
    let mut step = || {
        level += standard(stream);
        level
    };
    (0..steps).map(|_| step()).collect()
}
