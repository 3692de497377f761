//! The methods of this crate, one file or folder each.

mod auto;
mod flow;
#[cfg(test)]
mod golden;
mod lag;
mod nonlinear;
mod ode;
mod ordered;
mod parameters;
mod relax;
mod reordered;
mod series_scales;

pub use auto::ByEvidence;
pub use nonlinear::{Additive, Bends, GaussianProcess};
pub use ode::{Library, Ode, Scheme};
pub use ordered::{Movement, Ordered, SeriesEffects};
pub use relax::Relax;
pub use reordered::Reordered;

use crate::method::Method;

/// The methods of this crate; a new one is one line here.
pub fn methods() -> Vec<Method> {
    vec![
        Method::of::<Ordered>(),
        Method::of::<Reordered>(),
        Method::of::<Additive>(),
        Method::of::<GaussianProcess>(),
        Method::of::<Ode>(),
        Method::of::<Relax>(),
        Method::of::<ByEvidence>(),
    ]
}
