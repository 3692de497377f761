//! Values of parameters that are more than a number.

use serde::{Deserialize, Serialize};

use crate::basis::Family;

/// What may differ between series besides their noise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SeriesEffects {
    /// Whatever the data ask for.
    #[default]
    Auto,
    /// Nothing.
    None,
    /// Their levels: each series is counted from its own mean.
    Levels,
    /// The scale of their noise: each series is divided by its own.
    Scales,
    /// Both.
    Both,
}

impl SeriesEffects {
    /// Whether levels are taken out; `None` where the data decide.
    pub(super) fn levels(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::None | Self::Scales => Some(false),
            Self::Levels | Self::Both => Some(true),
        }
    }

    /// Whether scales are taken out; `None` where the data decide.
    pub(super) fn scales(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::None | Self::Levels => Some(false),
            Self::Scales | Self::Both => Some(true),
        }
    }
}

/// How weights move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Movement {
    /// Each edge in its own way: an average over models that stay, drift, jump, appear, vanish.
    #[default]
    Average,
    /// Not at all.
    Constant,
    /// Along polynomials.
    Legendre,
    /// Linear interpolation between evenly spaced knots.
    Hat,
    /// Along cubic splines.
    BSpline,
    /// In jumps at evenly spaced breaks.
    Step,
}

impl Movement {
    /// The functions along which weights move while the order is sought.
    pub(super) fn family(self) -> Family {
        match self {
            Self::Average | Self::Legendre => Family::Legendre,
            Self::Constant => Family::Constant,
            Self::Hat => Family::Hat,
            Self::BSpline => Family::BSpline,
            Self::Step => Family::Step,
        }
    }
}
