//! Noise whose size comes in spells.

use super::super::condition::Stream;
use super::innovations::standard;

/// Stochastic volatility exp(h_t / 2), h_t = 0.95 h_{t−1} + 0.5 z_t, z ~ N(0, 1).
pub(in super::super) fn volatility(stream: &mut Stream, steps: usize) -> Vec<f64> {
    const PERSISTENCE: f64 = 0.95;
    const SHOCK: f64 = 0.5;
    // From the stationary law on, so that no burn-in is needed.
    let mut log_variance = SHOCK / (1.0 - PERSISTENCE * PERSISTENCE).sqrt() * standard(stream);
    let mut next = || {
        log_variance = PERSISTENCE * log_variance + SHOCK * standard(stream);
        (0.5 * log_variance).exp()
    };
    (0..steps).map(|_| next()).collect()
}

/// GARCH(1, 1): x_t = σ_t z_t, σ²_t = 0.05 + 0.15 x²_{t−1} + 0.8 σ²_{t−1}; variance 1.
pub(in super::super) fn garch(stream: &mut Stream, steps: usize) -> Vec<f64> {
    const BURN_IN: usize = 200;
    let (mut variance, mut value): (f64, f64) = (1.0, 0.0);
    let mut next = || {
        variance = 0.05 + 0.15 * value * value + 0.8 * variance;
        value = variance.sqrt() * standard(stream);
        value
    };
    (0..BURN_IN + steps).map(|_| next()).skip(BURN_IN).collect()
}
