//! What the equations do not explain: its law and its size.

use std::f64::consts::TAU;
use std::str::FromStr;

use dycausal::Run;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, StandardNormal, StudentT};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The law of the noise; every one has mean 0 and standard deviation 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum NoiseLaw {
    /// N(0, 1).
    #[default]
    Gaussian,
    /// Density exp(-√2 |x|) / √2; excess kurtosis 3.
    Laplace,
    /// Uniform on \[-√3, √3\]; excess kurtosis -6/5.
    Uniform,
    /// Student's t divided by its standard deviation √(ν/(ν-2)).
    StudentT {
        /// ν, above 2; 5 where the name alone is given.
        degrees: f64,
    },
}

/// The standard deviation of the noise.
///
/// As text: `1`, `0.5,1.5`, or `moving:0.5,1.5,0.5`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NoiseScale {
    /// The same for every variable.
    Equal(f64),
    /// One per variable, drawn from U\[low, high\].
    Range {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// sd_i (1 + depth · sin(2π t/T + phase_i)), sd_i from U\[low, high\], phase_i from U\[0, 2π\].
    Moving {
        /// The smallest sd_i.
        low: f64,
        /// The largest sd_i.
        high: f64,
        /// How much it moves, from 0 to below 1.
        depth: f64,
    },
}

const LAWS: [&str; 4] = ["gaussian", "laplace", "uniform", "student-t"];

impl FromStr for NoiseLaw {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("gaussian", "") => Ok(Self::Gaussian),
            ("laplace", "") => Ok(Self::Laplace),
            ("uniform", "") => Ok(Self::Uniform),
            ("student-t", "") => Ok(Self::StudentT { degrees: 5.0 }),
            ("student-t", degrees) => {
                let expected = "student-t:DEGREES with a number above 2";
                let degrees =
                    degrees.parse().map_err(|_| Error::parameter("noise", text, expected))?;
                let law = Self::StudentT { degrees };
                law.check().map(|()| law)
            }
            (name, _) => Err(Error::choice("noise", name, &LAWS)),
        }
    }
}

impl FromStr for NoiseScale {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let expected = "a number, LOW,HIGH or moving:LOW,HIGH,DEPTH";
        let refused = || Error::parameter("noise_scale", text, expected);
        let (moves, list) = match text.strip_prefix("moving:") {
            Some(list) => (true, list),
            None => (false, text),
        };
        let numbers: Vec<f64> = list
            .split(',')
            .map(|part| part.trim().parse().map_err(|_| refused()))
            .collect::<Result<_>>()?;
        let scale = match (moves, numbers.as_slice()) {
            (false, &[sd]) => Self::Equal(sd),
            (false, &[low, high]) => Self::Range { low, high },
            (true, &[low, high, depth]) => Self::Moving { low, high, depth },
            _ => return Err(refused()),
        };
        scale.check().map(|()| scale)
    }
}

impl NoiseLaw {
    /// Whether the law has a standard deviation.
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::StudentT { degrees } if !(degrees > 2.0 && degrees.is_finite()) => {
                Err(Error::parameter("noise", degrees, "student-t with more than 2 degrees"))
            }
            _ => Ok(()),
        }
    }

    /// One draw of mean 0 and standard deviation 1.
    pub(crate) fn draw(self, random: &mut impl Rng) -> f64 {
        match self {
            Self::Gaussian => StandardNormal.sample(random),
            Self::Laplace => {
                let size: f64 = Exp1.sample(random);
                let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
                sign * size / 2f64.sqrt()
            }
            Self::Uniform => random.random_range(-1.0..1.0) * 3f64.sqrt(),
            // The degrees have been checked, so the law is there; 0 is never drawn.
            Self::StudentT { degrees } => StudentT::new(degrees)
                .map_or(0.0, |law| law.sample(random) / (degrees / (degrees - 2.0)).sqrt()),
        }
    }
}

impl NoiseScale {
    /// Whether every standard deviation is a positive number.
    pub(super) fn check(self) -> Result<()> {
        let (low, high, depth) = self.bounds();
        let expected = "positive numbers, the lower first";
        if !(low > 0.0 && low <= high && high.is_finite()) {
            return Err(Error::parameter("noise_scale", format!("{low},{high}"), expected));
        }
        if !(0.0..1.0).contains(&depth) {
            return Err(Error::parameter("noise_scale", depth, "a depth from 0 to below 1"));
        }
        Ok(())
    }

    fn bounds(self) -> (f64, f64, f64) {
        match self {
            Self::Equal(sd) => (sd, sd, 0.0),
            Self::Range { low, high } => (low, high, 0.0),
            Self::Moving { low, high, depth } => (low, high, depth),
        }
    }
}

/// The noise of one simulation: its law, and the standard deviation of each variable at each step.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    law: NoiseLaw,
    sd: Vec<f64>,
    phase: Vec<f64>,
    depth: f64,
    steps: usize,
}

impl Noise {
    pub(super) fn new(
        law: NoiseLaw,
        scale: NoiseScale,
        variables: usize,
        steps: usize,
        seed: u64,
    ) -> Self {
        let (low, high, depth) = scale.bounds();
        let mut random = Run::new(seed).random("simulate: noise scale");
        let sd = (0..variables).map(|_| low + (high - low) * random.random::<f64>()).collect();
        let phase = (0..variables).map(|_| TAU * random.random::<f64>()).collect();
        Self { law, sd, phase, depth, steps }
    }

    /// The standard deviation of a variable at a step, from 0.
    pub(super) fn sd(&self, step: usize, variable: usize) -> f64 {
        if self.depth == 0.0 {
            return self.sd[variable];
        }
        let angle = TAU * (step + 1) as f64 / self.steps as f64 + self.phase[variable];
        self.sd[variable] * (1.0 + self.depth * angle.sin())
    }

    /// One draw for a variable at a step.
    pub(super) fn draw(&self, step: usize, variable: usize, random: &mut impl Rng) -> f64 {
        self.law.draw(random) * self.sd(step, variable)
    }
}
