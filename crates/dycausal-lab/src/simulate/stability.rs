//! Whether equations that do not move have a stationary distribution.

use dycausal::Run;
use ndarray::{Array2, Axis, s};
use rand::RngExt;

use super::linear::Equations;

/// Noise-free steps over which growth is measured, after as many to settle.
const STEPS: usize = 400;

/// Growth per step of the noise-free equations of the first step, from a random start: the spectral radius
/// of the companion matrix of (I - W_0ᵀ)⁻¹ W_pᵀ, to about one part in [`STEPS`].
///
/// (‖x_2K‖ / ‖x_K‖)^(1/K) over K = [`STEPS`], rescaled on the way; its cost is in the edges, where
/// that of eigenvalues is in d³.
pub(super) fn radius(equations: &Equations, variables: usize, lag: usize) -> f64 {
    let mut random = Run::new(0).random("simulate: stability");
    let mut rows = Array2::from_shape_fn((lag + 1, variables), |_| random.random::<f64>() - 0.5);
    let mut grown = 0.0;
    for turn in 0..2 * STEPS {
        for row in 0..lag {
            let (mut now, next) = rows.multi_slice_mut((s![row, ..], s![row + 1, ..]));
            now.assign(&next);
        }
        rows.index_axis_mut(Axis(0), lag).fill(0.0);
        equations.apply(0, lag, &mut rows.view_mut());
        let size = rows.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size == 0.0 {
            return 0.0;
        }
        rows /= size;
        if turn >= STEPS {
            grown += size.ln();
        }
    }
    (grown / STEPS as f64).exp()
}

#[cfg(test)]
mod tests {
    use dycausal::graph::{Edge, Trajectory};
    use dycausal::{Basis, DynamicGraph, TimeIndex};

    use super::*;

    fn radius_of(edges: &[(usize, usize, usize, f64)], variables: usize, lag: usize) -> f64 {
        let names = (0..variables).map(|v| v.to_string()).collect();
        let edge = |&(lag, from, to, w): &_| Edge::new(from, to, lag, Trajectory::Constant(w), 1);
        let edges = edges.iter().map(edge).collect();
        let basis = Basis::constant(1).unwrap();
        let graph = DynamicGraph::new(names, TimeIndex::Steps(1), lag, basis, edges).unwrap();
        radius(&Equations::of(&graph).unwrap(), variables, lag)
    }

    #[test]
    fn small_systems_have_their_spectral_radius() {
        assert_eq!(radius_of(&[(0, 0, 1, 5.0)], 2, 0), 0.0);
        let close =
            |found: f64, exact: f64| assert!((found - exact).abs() < 5e-3, "{found} {exact}");
        close(radius_of(&[(1, 0, 0, -0.9)], 1, 1), 0.9);
        // x_t = 0.5 x_{t-1} + 0.3 x_{t-2}: the larger root of z² - 0.5 z - 0.3.
        close(radius_of(&[(1, 0, 0, 0.5), (2, 0, 0, 0.3)], 1, 2), 0.25 + (0.0625f64 + 0.3).sqrt());
        // Complex roots of z² - 0.5 z + 0.64: both of modulus 0.8.
        close(radius_of(&[(1, 0, 0, 0.5), (2, 0, 0, -0.64)], 1, 2), 0.8);
        // b follows a within the step, a follows b one step later: the product, 0.8 · 1.5.
        close(radius_of(&[(0, 0, 1, 0.8), (1, 1, 0, 1.5)], 2, 1), 1.2);
    }
}
