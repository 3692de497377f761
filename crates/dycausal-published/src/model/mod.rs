//! How well the weights reconstruct the series.

mod importance;
mod linear;
mod perceptron;
mod rows;

use dycausal::internals::real::Real;

use crate::optimise::{Adam, State};

pub(crate) use linear::Linear;
pub use perceptron::Rows;
pub(crate) use perceptron::{Heads, Perceptron};

/// How well the weights reconstruct the series, and parameters of its own where it has any.
///
/// To try one of one's own: implement this and give it to [`DyCausal::with_loss`](crate::DyCausal::with_loss). Its gradients
/// are those that [`optimise`](crate::optimise) follows: hold them against central differences.
pub trait Loss<R: Real>: State + Send {
    /// The loss at weights\[knot, cause, effect, unit\]; adds `scale` times its gradient.
    fn evaluate(&mut self, knots: &[R], scale: f64, gradient: &mut [R]) -> f64;

    /// Mean squared error of every effect at the last evaluation.
    fn errors(&self, knots: &[R]) -> Vec<f64>;

    /// Moves the model's own parameters against their gradient.
    fn step(&mut self, adam: Adam);

    /// Forgets Adam's means.
    fn restart(&mut self);

    /// Importance\[step, cause, effect\] of each cause by the model's derivatives; `None` where the
    /// weights themselves are that.
    fn importance(&self, _knots: &[R]) -> Option<ndarray::Array3<f64>> {
        None
    }
}
