//! What is read of the series: a state for every knot.

mod convolution;
mod windows;

use dycausal::internals::real::Real;

use crate::optimise::{Adam, State};

pub(crate) use convolution::Convolution;
pub(crate) use windows::windows;

/// Makes a state of every knot from the series around it (Eq. 3), and learns from its gradient.
///
/// To try one of one's own: implement this and give it to [`DyCausal::with_encoder`](crate::DyCausal::with_encoder);
/// the [decoder](crate::decoder::Decode) turns states into weights.
pub trait Encode<R: Real>: State + Send {
    /// z\[knot, number\]: as many numbers for each knot as the decoder reads. The published decoder reads one for each
    /// variable and hidden unit, \[knot, unit, variable\].
    fn state(&self) -> &[f64];

    /// Moves the parameters against the gradient of the state.
    fn step(&mut self, gradient: &[R], adam: Adam);

    /// Forgets Adam's means.
    fn restart(&mut self);
}
