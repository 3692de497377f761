//! Right-hand sides of differential equations, followed from one step to the next.

use ndarray::{Array3, ArrayView3};

/// Parts that a step is cut into.
const PARTS: usize = 2;
/// Shares of what was observed and not foretold that the state takes over: 1 where all noise drives the system.
pub(crate) const SHARES: [f64; 5] = [1.0, 0.75, 0.5, 0.3, 0.15];

/// dx/dt, time in steps, in the data's units.
pub(crate) trait Flow {
    /// Writes the slope of a state at a step.
    fn slope(&self, state: &[f64], step: usize, slope: &mut [f64]);

    /// The state a step later (Runge and Kutta).
    fn ahead(&self, state: &mut [f64], step: usize) {
        let d = state.len();
        let length = 1.0 / PARTS as f64;
        let mut slopes = [vec![0.0; d], vec![0.0; d], vec![0.0; d], vec![0.0; d]];
        let mut at = vec![0.0; d];
        for _ in 0..PARTS {
            for (k, reach) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
                for v in 0..d {
                    let before = if k == 0 { 0.0 } else { slopes[k - 1][v] };
                    at[v] = state[v] + reach * length * before;
                }
                self.slope(&at, step, &mut slopes[k]);
            }
            for (v, x) in state.iter_mut().enumerate() {
                let [a, b, c, e] = [0, 1, 2, 3].map(|k| slopes[k][v]);
                *x += length / 6.0 * (a + 2.0 * b + 2.0 * c + e);
            }
        }
    }
}

/// Values less what was foretold of them from the steps before, with a share of the errors taken over; those of
/// first steps are 0.
pub(crate) fn errors(flow: &dyn Flow, values: ArrayView3<'_, f64>, share: f64) -> Array3<f64> {
    let (series, steps, d) = values.dim();
    let mut out = Array3::zeros(values.dim());
    for n in 0..series {
        let mut state: Vec<f64> = (0..d).map(|v| values[[n, 0, v]]).collect();
        for t in 1..steps {
            flow.ahead(&mut state, t - 1);
            for (v, x) in state.iter_mut().enumerate() {
                let seen = values[[n, t, v]];
                // A flow that runs away begins again.
                let error = if x.is_finite() { seen - *x } else { f64::INFINITY };
                out[[n, t, v]] = error;
                *x = if error.is_finite() { *x + share * error } else { seen };
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x' = −½ x.
    struct Decay;

    impl Flow for Decay {
        fn slope(&self, state: &[f64], _step: usize, slope: &mut [f64]) {
            slope.iter_mut().zip(state).for_each(|(s, x)| *s = -0.5 * x);
        }
    }

    #[test]
    fn a_decay_is_followed() {
        let values = Array3::from_shape_fn((2, 9, 1), |(n, t, _)| {
            (1.0 + n as f64) * (-0.5 * t as f64).exp()
        });
        for share in SHARES {
            let left = errors(&Decay, values.view(), share);
            assert!(left.iter().all(|error| error.abs() < 2e-4), "{share}: {left}");
        }
    }
}
