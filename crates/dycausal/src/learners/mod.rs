//! The methods of this crate, one file or folder each.

pub mod dycausal;
#[cfg(test)]
mod golden;
mod lagged_least_squares;
mod ode;
mod ordered;
mod projection;
mod relax;

pub use dycausal::DyCausal;
pub use lagged_least_squares::LaggedLeastSquares;
pub use ode::{Library, Ode, Scheme};
pub use ordered::{Movement, Ordered, SeriesEffects};
pub use relax::Relax;

use crate::method::Method;

/// The methods of this crate; a new one is one line here.
pub fn methods() -> Vec<Method> {
    vec![
        Method::of::<Ordered>(),
        Method::of::<DyCausal>(),
        Method::of::<Ode>(),
        Method::of::<Relax>(),
        Method::of::<LaggedLeastSquares>(),
    ]
}
