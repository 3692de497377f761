//! What is new in every step of a system: its law, alone and jointly.

use std::f64::consts::TAU;

use ndarray::Array3;
use rand::RngExt;
use rand_distr::{ChiSquared, Distribution, Exp1, StandardNormal};

use super::super::condition::{Size, Stream};
use super::volatility::volatility;
use crate::simulate::NoiseLaw;

/// One draw of N(0, 1).
pub(in super::super) fn standard(stream: &mut Stream) -> f64 {
    StandardNormal.sample(stream)
}

/// The law of the innovations; mean 0, of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) enum Innovations {
    /// Independent, of a law with standard deviation 1.
    Independent(NoiseLaw),
    /// Independent, exponential less its mean.
    Exponential,
    /// Gaussian times √(ν / χ²_ν), the same factor for all variables of a step: elliptical, so that no
    /// rotation, and hence no direction, is better than another.
    JointStudentT(f64),
    /// Gaussian times one stochastic volatility for all variables.
    CommonVolatility,
    /// Gaussian times a stochastic volatility of each variable's own.
    OwnVolatility,
    /// Gaussian with standard deviation 1 + 0.6 sin(2π t/T + phase of the variable).
    MovingScale,
    /// Gaussian with standard deviation 1 + t/T.
    RisingScale,
}

impl Innovations {
    /// N(0, 1).
    pub(in super::super) const GAUSSIAN: Self = Self::Independent(NoiseLaw::Gaussian);

    /// Innovations\[series, row, variable\]; the first `burn_in` rows come before the first step.
    pub(super) fn draw(self, stream: &mut Stream, size: Size, burn_in: usize) -> Array3<f64> {
        let rows = burn_in + size.steps;
        // Phases belong to the variables, not to the series: pooled rows keep a scale that moves.
        let phases: Vec<f64> = (0..size.variables).map(|_| stream.random_range(0.0..TAU)).collect();
        let mut values = Array3::zeros((size.series, rows, size.variables));
        let time = |row: usize| row.saturating_sub(burn_in) as f64 / size.steps as f64;
        for mut series in values.outer_iter_mut() {
            let paths: Vec<Vec<f64>> = match self {
                Self::CommonVolatility => vec![volatility(stream, rows)],
                Self::OwnVolatility => {
                    (0..size.variables).map(|_| volatility(stream, rows)).collect()
                }
                _ => Vec::new(),
            };
            for (row, mut step) in series.outer_iter_mut().enumerate() {
                let joint = self.joint_factor(stream);
                for (variable, value) in step.iter_mut().enumerate() {
                    let size_now = match self {
                        Self::CommonVolatility => paths[0][row],
                        Self::OwnVolatility => paths[variable][row],
                        Self::MovingScale => 1.0 + 0.6 * (TAU * time(row) + phases[variable]).sin(),
                        Self::RisingScale => 1.0 + time(row),
                        _ => joint,
                    };
                    *value = size_now * self.one(stream);
                }
            }
        }
        values
    }

    fn joint_factor(self, stream: &mut Stream) -> f64 {
        match self {
            Self::JointStudentT(degrees) => ChiSquared::new(degrees)
                .map_or(1.0, |law| (degrees / law.sample(stream).max(f64::MIN_POSITIVE)).sqrt()),
            _ => 1.0,
        }
    }

    fn one(self, stream: &mut Stream) -> f64 {
        match self {
            Self::Independent(law) => law.draw(stream),
            Self::Exponential => {
                let size: f64 = Exp1.sample(stream);
                size - 1.0
            }
            _ => standard(stream),
        }
    }
}
