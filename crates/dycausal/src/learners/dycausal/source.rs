//! The network of one cause: from its m numbers to its weights on every effect and unit.

use super::kernels::accumulate;
use crate::optimise::{Real, Trained};
use crate::vectors::Kernel;

/// W = D σ(L s + l) + b at every knot, s being the m numbers of this cause.
pub(super) struct Source<R> {
    units: usize,
    hidden: usize,
    width: usize,
    knots: usize,
    padded: usize,
    /// L\[hidden, unit\], l\[hidden\], D\[hidden, weight\], b\[weight\].
    pub parameters: Trained<R>,
    /// s\[unit, knot\], written by the maps before.
    pub input: Vec<R>,
    /// Gradient of what became s by a sigmoid, \[unit, knot\].
    pub inward: Vec<R>,
    /// σ(L s + l)\[hidden, knot\].
    active: Vec<R>,
    /// The weights\[knot, weight\].
    weights: Vec<R>,
    /// Gradient of the weights as \[weight, knot\].
    turned: Vec<R>,
    /// Some numbers gathered from a column.
    column: Vec<R>,
    /// Gradient of one hidden number at every knot.
    row: Vec<R>,
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
        let bounds = [
            (hidden * (units + 1), 1.0 / (units as f64).sqrt()),
            ((hidden + 1) * width, 1.0 / (hidden as f64).sqrt()),
        ];
        let mut values = Vec::new();
        for (count, bound) in bounds {
            values.extend((0..count).map(|_| R::of(bound * uniform())));
        }
        Self {
            units,
            hidden,
            width,
            knots,
            padded,
            parameters: Trained::new(values),
            input: vec![R::ZERO; units * padded],
            inward: vec![R::ZERO; units * padded],
            active: vec![R::ZERO; hidden * padded],
            weights: vec![R::ZERO; knots * width],
            turned: vec![R::ZERO; width * padded],
            column: vec![R::ZERO; hidden],
            row: vec![R::ZERO; padded],
        }
    }

    /// The weights of each knot.
    pub fn weights(&self) -> impl Iterator<Item = &[R]> {
        self.weights.chunks_exact(self.width)
    }

    /// Halves all weights.
    pub fn halve(&mut self) {
        let last = self.hidden * (self.units + 1);
        let half = R::of(0.5);
        self.parameters.values[last..].iter_mut().for_each(|w| *w *= half);
    }

    /// From the input to the weights.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn forward(&mut self) {
        let (units, hidden, padded) = (self.units, self.hidden, self.padded);
        let (lift, rest) = self.parameters.values.split_at(hidden * units);
        let (lift_bias, rest) = rest.split_at(hidden);
        let (drop, drop_bias) = rest.split_at(hidden * self.width);
        for h in 0..hidden {
            let active = &mut self.active[h * padded..(h + 1) * padded];
            active.fill(lift_bias[h]);
            accumulate(active, &lift[h * units..(h + 1) * units], &self.input, padded);
            active.iter_mut().for_each(|x| *x = x.sigmoid());
        }
        for (k, weights) in self.weights.chunks_exact_mut(self.width).enumerate() {
            for (h, x) in self.column.iter_mut().enumerate() {
                *x = self.active[h * padded + k];
            }
            weights.copy_from_slice(drop_bias);
            accumulate(weights, &self.column, drop, self.width);
        }
    }

    /// From the gradient of all weights, `stride` numbers per knot, to those of the parameters and
    /// of the input.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn backward((own, gradient, cause, stride): (&mut Self, &[R], usize, usize)) {
        let (units, hidden, width) = (own.units, own.hidden, own.width);
        let (knots, padded) = (own.knots, own.padded);
        let outward = &gradient[cause * width..];
        for k in 0..knots {
            for (w, g) in outward[k * stride..k * stride + width].iter().enumerate() {
                own.turned[w * padded + k] = *g;
            }
        }
        let drop = &own.parameters.values[hidden * (units + 1)..];
        let lift = &own.parameters.values[..hidden * units];
        let slopes = &mut own.parameters.gradient;
        slopes.fill(R::ZERO);
        let (own_lift, rest) = slopes.split_at_mut(hidden * units);
        let (own_lift_bias, rest) = rest.split_at_mut(hidden);
        let (own_drop, own_drop_bias) = rest.split_at_mut(hidden * width);
        own.inward.fill(R::ZERO);
        for h in 0..hidden {
            let active = &own.active[h * padded..(h + 1) * padded];
            let weights = h * width..(h + 1) * width;
            accumulate(&mut own_drop[weights.clone()], &active[..knots], outward, stride);
            own.row.fill(R::ZERO);
            accumulate(&mut own.row, &drop[weights], &own.turned, padded);
            for (g, a) in own.row.iter_mut().zip(active) {
                *g = *g * *a * (R::ONE - *a);
            }
            own_lift_bias[h] = own.row.iter().copied().sum();
            for u in 0..units {
                let input = &own.input[u * padded..(u + 1) * padded];
                own_lift[h * units + u] = own.row.iter().zip(input).map(|(g, s)| *g * *s).sum();
                let inward = &mut own.inward[u * padded..(u + 1) * padded];
                let pull = lift[h * units + u];
                inward.iter_mut().zip(&own.row).for_each(|(i, g)| *i += pull * *g);
            }
        }
        for k in 0..knots {
            let row = &outward[k * stride..k * stride + width];
            own_drop_bias.iter_mut().zip(row).for_each(|(b, g)| *b += *g);
        }
        for (g, s) in own.inward.iter_mut().zip(&own.input) {
            *g = *g * *s * (R::ONE - *s);
        }
    }
}

/// [`Source::forward`] on vectors.
pub(super) struct SourceForward;

impl<R: Real> Kernel<&mut Source<R>> for SourceForward {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(arguments: &mut Source<R>) {
        Source::forward(arguments);
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
