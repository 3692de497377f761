//! A ring of Kuramoto's oscillators: dθ_i/dt = ω_i + K_i sin(θ_{i-1} - θ_i) + K'_i sin(θ_{i+1} - θ_i).

use dycausal::Run;
use dycausal::graph::{Edge, Trajectory};
use rand_distr::{Distribution, Uniform};

/// Frequencies and couplings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ring {
    frequencies: Vec<f64>,
    /// With the one before and the one after.
    couplings: Vec<(f64, f64)>,
}

/// What moves θ_i: its two neighbours and itself, one step before.
pub(super) fn edges(variables: usize, steps: usize) -> Vec<Edge> {
    let causes = |to: usize| {
        let edge = move |by: usize| {
            Edge::new((to + by) % variables, to, 1, Trajectory::Constant(1.0), steps)
        };
        [variables - 1, variables, variables + 1].map(edge)
    };
    (0..variables).flat_map(causes).collect()
}

impl Ring {
    /// Frequencies ±[1, 3] with even signs; couplings from a range.
    pub(super) fn draw(variables: usize, (low, high): (f64, f64), seed: u64) -> Self {
        let mut random = Run::new(seed).random("simulate: ring");
        let mut between = |low: f64, high: f64| {
            Uniform::new_inclusive(low, high).map_or(low, |law| law.sample(&mut random))
        };
        let mut frequency = || {
            let size = between(1.0, 3.0);
            if between(0.0, 1.0) < 0.5 { -size } else { size }
        };
        let frequencies = (0..variables).map(|_| frequency()).collect();
        let couplings = (0..variables).map(|_| (between(low, high), between(low, high))).collect();
        Self { frequencies, couplings }
    }

    /// dθ/dt.
    pub(super) fn slope(&self, x: &[f64], out: &mut [f64]) {
        let d = x.len();
        for i in 0..d {
            let ((back, forth), here) = (self.couplings[i], x[i]);
            let (before, after) = (x[(i + d - 1) % d], x[(i + 1) % d]);
            out[i] =
                self.frequencies[i] + back * (before - here).sin() + forth * (after - here).sin();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oscillators_in_step_only_turn() {
        let ring = Ring::draw(5, (0.8, 1.5), 1);
        let mut out = vec![0.0; 5];
        ring.slope(&[0.7; 5], &mut out);
        assert_eq!(out, ring.frequencies);
        assert!(out.iter().all(|w| (1.0..=3.0).contains(&w.abs())));
        assert_eq!(edges(5, 2).len(), 15);
    }
}
