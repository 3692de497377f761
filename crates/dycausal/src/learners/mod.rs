//! The methods of this crate, one file or folder each.

mod auto;
pub mod dycausal;
mod lagged_least_squares;
mod nonlinear;
mod ordered;

pub use auto::ByEvidence;
pub use dycausal::DyCausal;
pub use lagged_least_squares::LaggedLeastSquares;
pub use nonlinear::{Additive, Bends, GaussianProcess};
pub use ordered::{Movement, Ordered, SeriesEffects};

use crate::method::Method;

/// The methods of this crate; a new one is one line here.
pub fn methods() -> Vec<Method> {
    vec![
        Method::of::<Ordered>(),
        Method::of::<Additive>(),
        Method::of::<GaussianProcess>(),
        Method::of::<ByEvidence>(),
        Method::of::<DyCausal>(),
        Method::of::<LaggedLeastSquares>(),
    ]
}
