//! The network of one cause: from its m numbers to its weights on every effect and unit.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::Kernel;

use crate::kernels::{Strided, VECTOR, multiply};
use crate::optimise::Trained;

/// W = D σ(L s + l) + b at every knot, s being the m numbers of this cause; without a hidden layer W = D s + b.
///
/// Rows of weights are padded with zeros to whole vectors; what is padded has no gradient and
/// stays 0.
pub(super) struct Source<R> {
    units: usize,
    /// Numbers that D reads: units of the hidden layer, or the m numbers themselves.
    hidden: usize,
    /// Numbers of L and l: none without a hidden layer.
    lift: usize,
    width: usize,
    padded_width: usize,
    knots: usize,
    padded: usize,
    /// L\[hidden, unit\], l\[hidden\], D\[hidden, weight\], b\[weight\].
    pub parameters: Trained<R>,
    /// s\[unit, knot\], written by the maps before.
    pub input: Vec<R>,
    /// Gradient of what became s by a sigmoid, \[unit, knot\].
    pub inward: Vec<R>,
    /// σ(L s + l)\[hidden, knot\], or s.
    active: Vec<R>,
    /// Its gradient.
    pull: Vec<R>,
    /// The weights\[knot, weight\].
    weights: Vec<R>,
    /// Gradient of the weights\[knot, weight\].
    outward: Vec<R>,
    /// The same as \[weight, knot\].
    turned: Vec<R>,
}

impl<R: Real> Source<R> {
    /// A network that begins uniform in ±1/√inputs of each layer; `uniform` draws from ±1.
    pub fn new(
        units: usize,
        hidden: usize,
        width: usize,
        knots: usize,
        padded: usize,
        mut uniform: impl FnMut() -> f64,
    ) -> Self {
        let padded_width = width.next_multiple_of(VECTOR);
        let lift = hidden * (units + 1);
        let hidden = if hidden == 0 { units } else { hidden };
        let mut values = Vec::with_capacity(lift + (hidden + 1) * padded_width);
        let bound = 1.0 / (units as f64).sqrt();
        values.extend((0..lift).map(|_| R::of(bound * uniform())));
        let bound = 1.0 / (hidden as f64).sqrt();
        for _ in 0..=hidden {
            values.extend((0..width).map(|_| R::of(bound * uniform())));
            values.resize(values.len() + padded_width - width, R::ZERO);
        }
        Self {
            units,
            hidden,
            lift,
            width,
            padded_width,
            knots,
            padded,
            parameters: Trained::new(values),
            input: vec![R::ZERO; units * padded],
            inward: vec![R::ZERO; units * padded],
            active: vec![R::ZERO; hidden * padded],
            pull: vec![R::ZERO; hidden * padded],
            weights: vec![R::ZERO; knots * padded_width],
            outward: vec![R::ZERO; knots * padded_width],
            turned: vec![R::ZERO; width * padded],
        }
    }

    /// The weights of each knot.
    pub fn weights(&self) -> impl Iterator<Item = &[R]> {
        self.weights.chunks_exact(self.padded_width).map(|row| &row[..self.width])
    }

    /// Halves all weights.
    pub fn halve(&mut self) {
        let half = R::of(0.5);
        self.parameters.values[self.lift..].iter_mut().for_each(|w| *w *= half);
    }

    /// From the input to the weights.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn forward(&mut self) {
        let (units, hidden, padded) = (self.units, self.hidden, self.padded);
        let (lift, rest) = self.parameters.values.split_at(self.lift);
        let (drop, drop_bias) = rest.split_at(hidden * self.padded_width);
        if lift.is_empty() {
            self.active.copy_from_slice(&self.input);
        } else {
            let (lift, lift_bias) = lift.split_at(hidden * units);
            for (row, bias) in self.active.chunks_exact_mut(padded).zip(lift_bias) {
                row.fill(*bias);
            }
            let left = Strided { numbers: lift, row: units, column: 1 };
            multiply(&mut self.active, hidden, units, left, &self.input, padded);
            for x in self.active.as_chunks_mut::<VECTOR>().0 {
                for x in x {
                    *x = x.sigmoid();
                }
            }
        }
        for row in self.weights.chunks_exact_mut(self.padded_width) {
            row.copy_from_slice(drop_bias);
        }
        let left = Strided { numbers: &self.active, row: 1, column: padded };
        multiply(&mut self.weights, self.knots, hidden, left, drop, self.padded_width);
    }

    /// From the gradient of all weights, `stride` numbers per knot, to those of the parameters and
    /// of the input.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn backward((own, gradient, cause, stride): (&mut Self, &[R], usize, usize)) {
        own.take(&gradient[cause * own.width..], stride);
        let (units, hidden, padded) = (own.units, own.hidden, own.padded);
        let (lift, drop) = own.parameters.values.split_at(own.lift);
        let slopes = &mut own.parameters.gradient;
        slopes.fill(R::ZERO);
        let (own_lift, rest) = slopes.split_at_mut(own.lift);
        let (own_drop, own_drop_bias) = rest.split_at_mut(hidden * own.padded_width);
        let left = Strided { numbers: &own.active, row: padded, column: 1 };
        multiply(own_drop, hidden, own.knots, left, &own.outward, own.padded_width);
        for row in own.outward.chunks_exact(own.padded_width) {
            own_drop_bias.iter_mut().zip(row).for_each(|(b, g)| *b += *g);
        }
        own.pull.fill(R::ZERO);
        let left = Strided { numbers: drop, row: own.padded_width, column: 1 };
        multiply(&mut own.pull, hidden, own.width, left, &own.turned, padded);
        for (g, a) in own.pull.iter_mut().zip(&own.active) {
            *g = *g * *a * (R::ONE - *a);
        }
        if lift.is_empty() {
            own.inward.copy_from_slice(&own.pull);
            return;
        }
        let (own_lift, own_lift_bias) = own_lift.split_at_mut(hidden * units);
        for h in 0..hidden {
            let row = &own.pull[h * padded..(h + 1) * padded];
            own_lift_bias[h] = row.iter().copied().sum();
            for u in 0..units {
                let input = &own.input[u * padded..(u + 1) * padded];
                own_lift[h * units + u] = row.iter().zip(input).map(|(g, s)| *g * *s).sum();
            }
        }
        own.inward.fill(R::ZERO);
        let left = Strided { numbers: lift, row: 1, column: units };
        multiply(&mut own.inward, units, hidden, left, &own.pull, padded);
        for (g, s) in own.inward.iter_mut().zip(&own.input) {
            *g = *g * *s * (R::ONE - *s);
        }
    }

    /// Copies the gradient of this cause's weights, both ways round.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn take(&mut self, gradient: &[R], stride: usize) {
        for k in 0..self.knots {
            let row = &gradient[k * stride..k * stride + self.width];
            self.outward[k * self.padded_width..][..self.width].copy_from_slice(row);
            for (w, g) in row.iter().enumerate() {
                self.turned[w * self.padded + k] = *g;
            }
        }
    }
}

/// [`Source::forward`] on vectors.
pub(super) struct SourceForward;

impl<R: Real> Kernel<&mut Source<R>> for SourceForward {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(source: &mut Source<R>) {
        source.forward();
    }
}

/// [`Source::backward`] on vectors.
pub(super) struct SourceBackward;

impl<R: Real> Kernel<(&mut Source<R>, &[R], usize, usize)> for SourceBackward {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(arguments: (&mut Source<R>, &[R], usize, usize)) {
        Source::backward(arguments);
    }
}
