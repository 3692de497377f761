//! Where a problem has no value.

use thiserror::Error;

/// Why a constraint has no value: an optimiser reacts by going back and taking a shorter step.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum Outside {
    /// The squares are too large for the constraint to be defined.
    #[error("the squares are outside the domain: their spectral radius is not below {bound}")]
    Domain {
        /// What the spectral radius has to stay below.
        bound: f64,
    },
    /// The value is too large for a number.
    #[error("the constraint overflows")]
    Overflow,
}
