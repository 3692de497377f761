//! Libraries of terms and schemes of integration, by name.

use serde::{Deserialize, Serialize};

/// What right-hand sides are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Library {
    /// Whichever has the best score.
    #[default]
    Auto,
    /// x_j.
    Linear,
    /// x_j and all products x_j x_k.
    Quadratic,
    /// The same and x_j³.
    Cubic,
    /// sin and cos of differences x_j − x_i, and of x_i itself.
    Sines,
    /// x_j, saturation x_j² / (K² + x_j²) at three K, and products of two of them.
    Hill,
}

impl Library {
    /// Those that are tried.
    pub(super) const ALL: [Self; 5] =
        [Self::Linear, Self::Quadratic, Self::Cubic, Self::Sines, Self::Hill];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Linear => "linear",
            Self::Quadratic => "quadratic",
            Self::Cubic => "cubic",
            Self::Sines => "sines",
            Self::Hill => "hill",
        }
    }
}

/// How the right-hand side is averaged over a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Scheme {
    /// Whichever has the best score.
    #[default]
    Auto,
    /// As it is at the beginning: Euler's rule.
    Forward,
    /// The mean of beginning and end.
    Trapezium,
    /// By the cubic through the two steps and their neighbours.
    FourPoint,
    /// The same of states that were smoothed by local cubics: for noise in the observation.
    Smoothed,
}

impl Scheme {
    /// Those that are tried.
    pub(super) const ALL: [Self; 4] =
        [Self::Forward, Self::Trapezium, Self::FourPoint, Self::Smoothed];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Forward => "forward",
            Self::Trapezium => "trapezium",
            Self::FourPoint => "four_point",
            Self::Smoothed => "smoothed",
        }
    }

    /// Weights of the steps before, at the beginning, at the end and after.
    pub(super) fn weights(self) -> [f64; 4] {
        match self {
            Self::Forward => [0.0, 1.0, 0.0, 0.0],
            Self::Trapezium => [0.0, 0.5, 0.5, 0.0],
            Self::Auto | Self::FourPoint | Self::Smoothed => {
                [-1.0 / 24.0, 13.0 / 24.0, 13.0 / 24.0, -1.0 / 24.0]
            }
        }
    }
}
