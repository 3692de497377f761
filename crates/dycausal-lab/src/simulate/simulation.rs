//! What can be simulated, and the defaults.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::flow::{Flow, System};
use super::{Dynamics, NoiseLaw, NoiseScale};
use crate::error::{Error, Result};

/// Steps that are thrown away where weights stay, unless the simulation says otherwise.
const BURN_IN: usize = 100;

/// What turns causes into effects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Model {
    /// x_t = Σ_p W_t,pᵀ x_{t-p} + noise.
    #[default]
    Linear,
    /// x_i = Σ_h v_ih σ(Σ_j u_ihj g_j(t) x_j) + noise over the causes j of i, with u and v from
    /// ±\[low, high\], drawn once; the gain g_j(t) is 1 where nothing moves.
    Mlp {
        /// How many hidden units each variable has.
        hidden: usize,
        /// The range of |u| and |v|.
        weights: (f64, f64),
    },
    /// dx_i/dt = -x_{i-1} (x_{i-2} - x_{i+1}) - x_i + F, seen every `interval`.
    ///
    /// Integrated by four-stage Runge–Kutta: Euler's rule at an interval of 0.05 overflows. Noise
    /// has the law and scale of the simulation, times the numbers here. The state starts at
    /// N(0, 0.01²).
    Lorenz {
        /// F.
        forcing: f64,
        /// Time between two steps.
        interval: f64,
        /// Integration steps per interval.
        substeps: usize,
        /// sd of what is added to the state in the course of an interval.
        process_noise: f64,
        /// sd of what is added to what is seen.
        observation_noise: f64,
    },
    /// dθ_i/dt = ω_i + K sin(θ_{i-1} - θ_i) + K' sin(θ_{i+1} - θ_i): oscillators in a ring, with ω from
    /// ±\[1, 3\]. Every series starts at phases of its own.
    Kuramoto {
        /// The range of K and K'.
        coupling: (f64, f64),
        /// How it is seen.
        seen: Seen,
    },
    /// A gene circuit: every gene has one or two regulators with Hill functions and decays. Every
    /// series starts at levels of its own.
    Hill {
        /// How it is seen.
        seen: Seen,
    },
}

/// How a flow is integrated and seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Time between two steps.
    pub interval: f64,
    /// Integration steps per interval.
    pub substeps: usize,
    /// sd of what is added to the state in the course of an interval.
    pub process_noise: f64,
    /// sd of what is added to what is seen.
    pub observation_noise: f64,
}

impl Seen {
    fn every(interval: f64) -> Self {
        Self { interval, substeps: 5, process_noise: 0.05, observation_noise: 0.0 }
    }

    /// The flow of a system.
    pub(super) fn flow(self, system: System) -> Flow {
        let Self { interval, substeps, process_noise, observation_noise } = self;
        Flow { system, interval, substeps, process: process_noise, observation: observation_noise }
    }
}

impl Model {
    /// How a flow is seen; none for other models.
    pub fn seen(&self) -> Option<Seen> {
        match *self {
            Self::Linear | Self::Mlp { .. } => None,
            Self::Lorenz { interval, substeps, process_noise, observation_noise, .. } => {
                Some(Seen { interval, substeps, process_noise, observation_noise })
            }
            Self::Kuramoto { seen, .. } | Self::Hill { seen } => Some(seen),
        }
    }

    /// The same flow, seen in another way; other models as they are.
    #[must_use]
    pub fn with_seen(self, seen: Seen) -> Self {
        let Seen { interval, substeps, process_noise, observation_noise } = seen;
        match self {
            Self::Linear | Self::Mlp { .. } => self,
            Self::Lorenz { forcing, .. } => {
                Self::Lorenz { forcing, interval, substeps, process_noise, observation_noise }
            }
            Self::Kuramoto { coupling, .. } => Self::Kuramoto { coupling, seen },
            Self::Hill { .. } => Self::Hill { seen },
        }
    }
}

/// What is simulated.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `model` | linear | what turns causes into effects | linear, mlp, lorenz, kuramoto, hill |
/// | `variables` | 20 | variables | at least 1; 4 for lorenz, 3 for kuramoto, 2 for hill |
/// | `series` | 200 | series | at least 1 |
/// | `steps` | 50 | steps of each series | above the lag |
/// | `lag` | 1 | longest lag | 0 or more; 1 for flows |
/// | `density` | 2 | e: instantaneous edges per variable, and expected edges per variable and lag | 0 or more |
/// | `dynamics` | full | how weights move | see [`Dynamics`] |
/// | `weights` | 0.5, 1 | absolute weights before they move; signs are even | positive |
/// | `decay` | 1.5 | η: weights at lag p are divided by η^p | positive |
/// | `noise` | gaussian | law of the noise | see [`NoiseLaw`] |
/// | `noise_scale` | 1 | standard deviation of the noise | see [`NoiseScale`] |
/// | `standardise` | false | columns to mean 0 and standard deviation 1 | |
/// | `burn_in` | | steps thrown away before the first | 0 or more |
/// | `cut` | 1 | pieces that each series is cut into | a divisor of the steps |
///
/// The paper's weights are from \[0.3, 0.5\], which contradicts its threshold of 0.3; \[0.5, 1\]
/// with that threshold, or \[0.3, 0.5\] with 0.1, reproduce its table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// What turns causes into effects.
    pub model: Model,
    /// How many variables.
    pub variables: usize,
    /// How many series.
    pub series: usize,
    /// How many steps each series has before it is cut.
    pub steps: usize,
    /// The longest lag.
    pub lag: usize,
    /// e: instantaneous edges per variable, and expected edges per variable and lag.
    pub density: f64,
    /// How weights move.
    pub dynamics: Dynamics,
    /// The range of absolute weights of a linear model before they move; signs are even.
    pub weights: (f64, f64),
    /// η: weights at lag p are divided by η^p.
    pub decay: f64,
    /// The law of the noise.
    pub noise: NoiseLaw,
    /// The standard deviation of the noise.
    pub noise_scale: NoiseScale,
    /// Whether columns are brought to mean 0 and standard deviation 1, and a linear truth with
    /// them. The means become an intercept, which moves where weights do.
    pub standardise: bool,
    /// Steps thrown away before the first, with the equations of the first; before them all values
    /// are 0. None stands for 100 where weights stay and 0 where they move.
    pub burn_in: Option<usize>,
    /// How many series of `steps / cut` steps each series is cut into, where weights stay.
    pub cut: usize,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            model: Model::Linear,
            variables: 20,
            series: 200,
            steps: 50,
            lag: 1,
            density: 2.0,
            dynamics: Dynamics::Full,
            weights: (0.5, 1.0),
            decay: 1.5,
            noise: NoiseLaw::Gaussian,
            noise_scale: NoiseScale::Equal(1.0),
            standardise: false,
            burn_in: None,
            cut: 1,
        }
    }
}

impl Simulation {
    /// The defaults for a model: those above for a linear one; for the others, as in the paper,
    /// one static series of 1000 steps cut into 20, at lag 2 for networks and 1 for Lorenz-96;
    /// for the other flows 20 series of 50 steps that start on their own.
    pub fn of(model: Model) -> Self {
        let one = Self {
            model,
            variables: 10,
            series: 1,
            steps: 1000,
            dynamics: Dynamics::Static,
            cut: 20,
            ..Self::default()
        };
        match model {
            Model::Linear => Self::default(),
            Model::Mlp { .. } => Self { lag: 2, ..one },
            Model::Lorenz { .. } => one,
            Model::Kuramoto { .. } | Model::Hill { .. } => {
                Self { series: 20, steps: 50, cut: 1, burn_in: Some(0), ..one }
            }
        }
    }

    /// How many steps are thrown away before the first.
    pub(super) fn burn_in(&self) -> usize {
        let stays = self.dynamics == Dynamics::Static;
        self.burn_in.unwrap_or(if stays { BURN_IN } else { 0 })
    }
}

impl FromStr for Model {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "linear" => Ok(Self::Linear),
            "mlp" => Ok(Self::Mlp { hidden: 100, weights: (0.5, 2.0) }),
            "lorenz" => Ok(Self::Lorenz {
                forcing: 5.0,
                interval: 0.05,
                substeps: 5,
                process_noise: 0.05,
                observation_noise: 0.0,
            }),
            "kuramoto" => Ok(Self::Kuramoto { coupling: (0.8, 1.5), seen: Seen::every(0.05) }),
            "hill" => Ok(Self::Hill { seen: Seen::every(0.1) }),
            name => {
                let known = ["linear", "mlp", "lorenz", "kuramoto", "hill"];
                Err(Error::choice("model", name, &known))
            }
        }
    }
}
