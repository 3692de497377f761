//! What makes weights of states.

mod parallel;
mod source;
mod spread;

use dycausal::internals::real::Real;

use crate::optimise::{Adam, State};

pub(crate) use parallel::Parallel;

/// Makes the weights of every knot from its state (Eq. 4), and learns from their gradient.
///
/// To try one of one's own: implement this and give it to [`DyCausal::with_decoder`](crate::DyCausal::with_decoder).
pub trait Decode<R: Real>: State + Send {
    /// Writes weights\[knot, cause, effect, unit\] for states z\[knot, number\].
    fn decode(&mut self, state: &[f64], weights: &mut [R]);

    /// The gradient of the states last decoded, given that of their weights; moves the parameters against theirs.
    fn step(&mut self, gradient: &[R], state_gradient: &mut [R], adam: Adam);

    /// Forgets Adam's means.
    fn restart(&mut self);

    /// Halves every weight.
    fn halve(&mut self);
}
