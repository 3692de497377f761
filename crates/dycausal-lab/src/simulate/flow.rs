//! Flows: differential equations, integrated finely and seen every interval.

use ndarray::ArrayViewMut2;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal, Uniform};

use super::hill::Circuit;
use super::kuramoto::Ring;
use super::lorenz;
use super::noise::Noise;

/// What moves the state.
#[derive(Debug, Clone)]
pub(super) enum System {
    /// Lorenz-96 with this forcing.
    Lorenz(f64),
    /// Oscillators in a ring.
    Ring(Ring),
    /// Genes that regulate each other.
    Circuit(Circuit),
}

/// The flow and how it is observed.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// What moves the state.
    pub system: System,
    /// Time between two steps.
    pub interval: f64,
    /// Runge–Kutta steps per interval.
    pub substeps: usize,
    /// sd of what is added to the state per interval, in units of the noise.
    pub process: f64,
    /// sd of what is added to what is seen, in units of the noise.
    pub observation: f64,
}

impl System {
    /// dx/dt.
    fn slope(&self, x: &[f64], out: &mut [f64]) {
        match self {
            Self::Lorenz(forcing) => lorenz::slope(x, *forcing, out),
            Self::Ring(ring) => ring.slope(x, out),
            Self::Circuit(circuit) => circuit.slope(x, out),
        }
    }

    /// One variable of a state to begin with.
    fn start(&self, random: &mut impl Rng) -> f64 {
        let even = |high: f64, random: &mut _| {
            Uniform::new(0.0, high).map_or(0.0, |law| law.sample(random))
        };
        match self {
            Self::Lorenz(_) => 0.01 * Distribution::<f64>::sample(&StandardNormal, random),
            Self::Ring(_) => even(std::f64::consts::TAU, random),
            Self::Circuit(_) => even(3.0, random),
        }
    }
}

impl Flow {
    /// Fills values\[time, variable\] of one series.
    ///
    /// Four-stage Runge–Kutta; the noise of an interval is spread evenly over its sub-steps.
    pub(super) fn fill(
        &self,
        noise: &Noise,
        burn_in: usize,
        random: &mut impl Rng,
        values: &mut ArrayViewMut2<'_, f64>,
    ) {
        let mut state: Vec<f64> = (0..values.ncols()).map(|_| self.system.start(random)).collect();
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
                stages.advance(&mut state, &self.system, h);
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
    fn advance(&mut self, state: &mut [f64], system: &System, h: f64) {
        self.at.copy_from_slice(state);
        self.sum.fill(0.0);
        for (share, ahead) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
            system.slope(&self.at, &mut self.slope);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_the_step_lowers_the_error_sixteenfold() {
        let start: Vec<f64> = (0..8).map(|i| 5.0 + (f64::from(i) * 1.7).sin()).collect();
        let end = |parts: u32| {
            let mut state = start.clone();
            let mut stages = Stages::new(8);
            for _ in 0..parts {
                stages.advance(&mut state, &System::Lorenz(5.0), 0.4 / f64::from(parts));
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
}
