//! Lorenz-96: dx_i/dt = -x_{i-1} (x_{i-2} - x_{i+1}) - x_i + F.

use dycausal::graph::{Edge, Trajectory};
use ndarray::ArrayViewMut2;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::noise::Noise;

/// The flow and how it is observed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    /// F.
    pub forcing: f64,
    /// Time between two steps.
    pub interval: f64,
    /// Runge–Kutta steps per interval.
    pub substeps: usize,
    /// sd of what is added to the state per interval, in units of the noise.
    pub process: f64,
    /// sd of what is added to what is seen, in units of the noise.
    pub observation: f64,
}

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

impl Flow {
    /// Fills values\[time, variable\] of one series, from a state of N(0, 0.01²).
    ///
    /// Four-stage Runge–Kutta; the noise of an interval is spread evenly over its sub-steps.
    pub(super) fn fill(
        &self,
        noise: &Noise,
        burn_in: usize,
        random: &mut impl Rng,
        values: &mut ArrayViewMut2<'_, f64>,
    ) {
        let draw = |random: &mut _| 0.01 * Distribution::<f64>::sample(&StandardNormal, random);
        let mut state: Vec<f64> = (0..values.ncols()).map(|_| draw(random)).collect();
        let mut stages = Stages::new(values.ncols());
        let (h, share) =
            (self.interval / self.substeps as f64, 1.0 / (self.substeps as f64).sqrt());
        for row in 0..values.nrows() {
            let step = row.saturating_sub(burn_in);
            for (variable, x) in state.iter().enumerate() {
                let seen = self.observation * noise.draw(step, variable, random);
                values[[row, variable]] = x + seen;
            }
            for _ in 0..self.substeps {
                stages.advance(&mut state, self.forcing, h);
                for (variable, x) in state.iter_mut().enumerate() {
                    *x += self.process * share * noise.draw(step, variable, random);
                }
            }
        }
    }
}

/// Room for the stages of a Runge–Kutta step.
struct Stages {
    at: Vec<f64>,
    slope: Vec<f64>,
    sum: Vec<f64>,
}

impl Stages {
    fn new(size: usize) -> Self {
        Self { at: vec![0.0; size], slope: vec![0.0; size], sum: vec![0.0; size] }
    }

    /// One classical step of length h.
    fn advance(&mut self, state: &mut [f64], forcing: f64, h: f64) {
        self.at.copy_from_slice(state);
        self.sum.fill(0.0);
        for (share, ahead) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
            slope(&self.at, forcing, &mut self.slope);
            for (i, x) in state.iter().enumerate() {
                self.sum[i] += share * self.slope[i];
                self.at[i] = x + ahead * h * self.slope[i];
            }
        }
        for (x, sum) in state.iter_mut().zip(&self.sum) {
            *x += h / 6.0 * sum;
        }
    }
}

fn slope(x: &[f64], forcing: f64, out: &mut [f64]) {
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
    fn halving_the_step_lowers_the_error_sixteenfold() {
        let start: Vec<f64> = (0..8).map(|i| 5.0 + (f64::from(i) * 1.7).sin()).collect();
        let end = |parts: u32| {
            let mut state = start.clone();
            let mut stages = Stages::new(8);
            for _ in 0..parts {
                stages.advance(&mut state, 5.0, 0.4 / f64::from(parts));
            }
            state
        };
        let exact = end(512);
        let error = |parts| {
            let gap = |(a, b): (&f64, &f64)| (a - b).abs();
            end(parts).iter().zip(&exact).map(gap).fold(0.0, f64::max)
        };
        let order = (error(8) / error(16)).log2();
        assert!((3.7..4.3).contains(&order), "order {order}");
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
