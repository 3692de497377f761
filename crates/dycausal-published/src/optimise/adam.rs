//! Adam (Kingma & Ba 2015).

use dycausal::internals::real::Real;
use dycausal::internals::vectors::{Kernel, vectorised};

use super::state::{Reader, State, write_numbers};

/// How fast the mean of gradients forgets.
pub const FIRST: f64 = 0.9;
/// How fast the mean of squared gradients forgets.
pub const SECOND: f64 = 0.999;
/// Keeps the division from failing.
pub const EPSILON: f64 = 1e-8;

/// One step of Adam: its length, and the corrections for means that began at 0.
///
/// θ ← θ − rate · (m / (1 − β₁ⁿ)) / (√(v / (1 − β₂ⁿ)) + ε) at the n-th step.
///
/// ```
/// use dycausal_published::optimise::{Adam, Trained};
///
/// let mut trained = Trained::new(vec![3.0]);
/// for n in 1..=2000 {
///     trained.gradient[0] = 2.0 * (trained.values[0] - 1.0);
///     trained.step(Adam::step(0.01, n));
/// }
/// assert!((trained.values[0] - 1.0f64).abs() < 1e-3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adam {
    /// Step length.
    pub rate: f64,
    /// 1 / (1 − β₁ⁿ).
    pub first_correction: f64,
    /// 1 / (1 − β₂ⁿ).
    pub second_correction: f64,
    /// β₁ and β₂: how fast the means of gradients and of their squares forget.
    pub forget: (f64, f64),
}

impl Adam {
    /// The n-th step since the last restart, from 1.
    pub fn step(rate: f64, n: usize) -> Self {
        let n = i32::try_from(n).unwrap_or(i32::MAX);
        Self {
            rate,
            first_correction: 1.0 / (1.0 - FIRST.powi(n)),
            second_correction: 1.0 / (1.0 - SECOND.powi(n)),
            forget: (FIRST, SECOND),
        }
    }

    /// The same step, the n-th, with means that forget at other speeds.
    pub fn forgetting(self, forget: (f64, f64), n: usize) -> Self {
        let n = i32::try_from(n).unwrap_or(i32::MAX);
        Self {
            rate: self.rate,
            first_correction: 1.0 / (1.0 - forget.0.powi(n)),
            second_correction: 1.0 / (1.0 - forget.1.powi(n)),
            forget,
        }
    }
}

/// Parameters, their gradient, and Adam's two means.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained<R> {
    /// The parameters.
    pub values: Vec<R>,
    /// Where the gradient is written before [`Trained::step`].
    pub gradient: Vec<R>,
    first: Vec<R>,
    second: Vec<R>,
}

impl<R: Real> Trained<R> {
    /// Parameters that begin with these values.
    pub fn new(values: Vec<R>) -> Self {
        let zeros = vec![R::ZERO; values.len()];
        Self { values, gradient: zeros.clone(), first: zeros.clone(), second: zeros }
    }

    /// Forgets the means.
    pub fn restart(&mut self) {
        self.first.fill(R::ZERO);
        self.second.fill(R::ZERO);
    }

    /// Moves the parameters against the gradient.
    pub fn step(&mut self, adam: Adam) {
        vectorised::<Sweep, _>((self, adam));
    }

    /// The step each parameter would take per unit of gradient: rate / (√v + ε).
    pub fn pace(&self, index: usize, adam: Adam) -> f64 {
        let v = self.second[index].wide() * adam.second_correction;
        adam.rate / (v.sqrt() + EPSILON)
    }
}

/// One step of Adam over all parameters.
struct Sweep;

impl<R: Real> Kernel<(&mut Trained<R>, Adam)> for Sweep {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((own, adam): (&mut Trained<R>, Adam)) {
        let keep = (R::of(adam.forget.0), R::of(adam.forget.1));
        let add = (R::of(1.0 - adam.forget.0), R::of(1.0 - adam.forget.1));
        let rate = R::of(adam.rate * adam.first_correction);
        let correction = R::of(adam.second_correction);
        let epsilon = R::of(EPSILON);
        let count = own.values.len();
        let (first, second) = (&mut own.first[..count], &mut own.second[..count]);
        let (values, gradient) = (&mut own.values[..count], &own.gradient[..count]);
        for i in 0..count {
            let g = gradient[i];
            first[i] = keep.0 * first[i] + add.0 * g;
            second[i] = keep.1 * second[i] + add.1 * g * g;
            values[i] -= rate * first[i] / ((second[i] * correction).root() + epsilon);
        }
    }
}

impl<R: Real> State for Trained<R> {
    fn write(&self, out: &mut Vec<u8>) {
        for part in [&self.values, &self.first, &self.second] {
            write_numbers(part, out);
        }
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        for part in [&mut self.values, &mut self.first, &mut self.second] {
            from.numbers(part)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_steps_are_those_of_the_formula() {
        let mut trained = Trained::new(vec![1.0f64, -2.0]);
        trained.gradient = vec![0.5, -3.0];
        trained.step(Adam::step(0.1, 1));
        // At the first step the means cancel: the step is the rate times the sign.
        assert!((trained.values[0] - 0.9).abs() < 1e-8);
        assert!((trained.values[1] + 1.9).abs() < 1e-8);
        trained.gradient = vec![-0.5, 0.0];
        trained.step(Adam::step(0.1, 2));
        let m = 0.9 * 0.05 - 0.05;
        let v: f64 = 0.999 * 0.00025 + 0.00025;
        let second = (m / 0.19) / ((v / (1.0 - 0.999f64.powi(2))).sqrt() + 1e-8);
        assert!((trained.values[0] - (0.9 - 0.1 * second)).abs() < 1e-7);
    }

    #[test]
    fn a_quadratic_is_minimised() {
        let mut trained = Trained::new(vec![3.0f32, -4.0]);
        for n in 1..=2000 {
            trained.gradient = vec![2.0 * (trained.values[0] - 1.0), 0.2 * trained.values[1]];
            trained.step(Adam::step(0.01, n));
        }
        assert!((trained.values[0] - 1.0).abs() < 1e-3 && trained.values[1].abs() < 1e-3);
    }
}
