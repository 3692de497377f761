//! Counts that follow their own past.

use rand_distr::{Distribution, Poisson};

use super::super::condition::Stream;

/// x_t ~ Poisson(2 + x_{t−1} / 2): mean 4, autocorrelation ½^k.
pub(in super::super) fn counts(stream: &mut Stream, steps: usize) -> Vec<f64> {
    const BURN_IN: usize = 50;
    let mut count = 4.0;
    let mut next = || {
        // The rate is at least 2, so the law is there.
        count = Poisson::new(2.0 + 0.5 * count).map_or(0.0, |law| law.sample(stream));
        count
    };
    (0..BURN_IN + steps).map(|_| next()).skip(BURN_IN).collect()
}
