//! Where the weights at the knots come from.

mod coded;
mod free;

use dycausal::internals::real::Real;

use crate::optimise::{Adam, State};

pub(crate) use coded::Coded;
pub(crate) use free::Free;

/// Gives the weights at the knots, and learns from their gradient.
pub(crate) trait Weights<R: Real>: State + Send {
    /// Writes weights\[knot, cause, effect, unit\].
    fn write_weights(&mut self, knots: &mut [R]);

    /// Moves the parameters against the gradient of the weights.
    fn step(&mut self, gradient: &[R], adam: Adam);

    /// A penalty that the step itself takes care of, where there is one; `mu` is its weight.
    fn group_penalty(&mut self, _mu: f64) -> f64 {
        0.0
    }

    /// Forgets Adam's means.
    fn restart(&mut self);

    /// Halves every weight.
    fn halve(&mut self);
}
