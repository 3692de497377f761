//! Lorenz-96: dx_i/dt = -x_{i-1} (x_{i-2} - x_{i+1}) - x_i + F.

use dycausal::graph::{Edge, Trajectory};

/// What moves x_i: x_{i-2}, x_{i-1}, x_{i+1} and itself, one step before.
pub(super) fn edges(variables: usize, steps: usize) -> Vec<Edge> {
    let causes = |to: usize| {
        let offsets = [variables - 2, variables - 1, variables, variables + 1];
        let edge = move |by: usize| {
            Edge::new((to + by) % variables, to, 1, Trajectory::Constant(1.0), steps)
        };
        offsets.map(edge)
    };
    (0..variables).flat_map(causes).collect()
}

/// dx/dt.
pub(super) fn slope(x: &[f64], forcing: f64, out: &mut [f64]) {
    let d = x.len();
    for i in 0..d {
        let (before, two_before, after) = (x[(i + d - 1) % d], x[(i + d - 2) % d], x[(i + 1) % d]);
        out[i] = -before * (two_before - after) - x[i] + forcing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steady_state_is_the_forcing() {
        let mut out = vec![1.0; 6];
        slope(&[5.0; 6], 5.0, &mut out);
        assert_eq!(out, [0.0; 6]);
    }

    #[test]
    fn every_variable_has_four_causes() {
        let edges = edges(5, 2);
        assert_eq!(edges.len(), 20);
        let mut causes: Vec<usize> = edges.iter().filter(|e| e.to == 0).map(|e| e.from).collect();
        causes.sort_unstable();
        assert_eq!(causes, [0, 1, 3, 4]);
    }
}
