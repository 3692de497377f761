//! The first half of the decoder: m linear maps from a state to one number per cause.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::Kernel;

use super::source::Source;
use crate::kernels::{Strided, VECTOR, multiply};
use crate::optimise::Trained;

/// s = σ(M σ(z) + c) per unit; rows of M are padded with zeros to whole vectors.
pub(super) struct Spread<R> {
    variables: usize,
    padded_variables: usize,
    causes: usize,
    units: usize,
    knots: usize,
    padded: usize,
    /// Per unit: M\[cause, variable\], then c\[cause\].
    pub parameters: Trained<R>,
    /// σ(z)\[unit, knot, variable\].
    active: Vec<R>,
    /// The same as \[unit, variable, knot\].
    turned: Vec<R>,
    /// M σ(z) + c of one unit, and its gradient, \[cause, knot\].
    outcome: Vec<R>,
    /// Gradient of σ(z) of one unit, \[knot, variable\].
    inward: Vec<R>,
}

impl<R: Real> Spread<R> {
    /// Maps that begin uniform in ±1/√variables; `uniform` draws from ±1.
    pub fn new(
        variables: usize,
        causes: usize,
        units: usize,
        knots: usize,
        padded: usize,
        mut uniform: impl FnMut() -> f64,
    ) -> Self {
        let padded_variables = variables.next_multiple_of(VECTOR);
        let bound = 1.0 / (variables as f64).sqrt();
        let mut values = Vec::with_capacity(units * causes * (padded_variables + 1));
        for _ in 0..units {
            for _ in 0..causes {
                values.extend((0..variables).map(|_| R::of(bound * uniform())));
                values.resize(values.len() + padded_variables - variables, R::ZERO);
            }
            values.extend((0..causes).map(|_| R::of(bound * uniform())));
        }
        Self {
            variables,
            padded_variables,
            causes,
            units,
            knots,
            padded,
            parameters: Trained::new(values),
            active: vec![R::ZERO; units * knots * padded_variables],
            turned: vec![R::ZERO; units * variables * padded],
            outcome: vec![R::ZERO; causes * padded],
            inward: vec![R::ZERO; knots * padded_variables],
        }
    }

    /// From z\[knot, output\] to the input of every source.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn forward((own, state, sources): (&mut Self, &[f64], &mut [Source<R>])) {
        let (d, knots, padded) = (own.variables, own.knots, own.padded);
        let (wide, causes) = (own.padded_variables, own.causes);
        for unit in 0..own.units {
            for k in 0..knots {
                for v in 0..d {
                    let a = R::of(state[(k * own.units + unit) * d + v]).sigmoid();
                    own.active[(unit * knots + k) * wide + v] = a;
                    own.turned[(unit * d + v) * padded + k] = a;
                }
            }
            let start = unit * causes * (wide + 1);
            let (map, constants) =
                own.parameters.values[start..start + causes * (wide + 1)].split_at(causes * wide);
            for (row, constant) in own.outcome.chunks_exact_mut(padded).zip(constants) {
                row.fill(*constant);
            }
            let left = Strided { numbers: map, row: wide, column: 1 };
            let turned = &own.turned[unit * d * padded..(unit + 1) * d * padded];
            multiply(&mut own.outcome, causes, d, left, turned, padded);
            for (source, row) in sources.iter_mut().zip(own.outcome.chunks_exact(padded)) {
                let input = &mut source.input[unit * padded..(unit + 1) * padded];
                input.iter_mut().zip(row).for_each(|(s, u)| *s = u.sigmoid());
            }
        }
    }

    /// From the gradients of the sources' inputs to those of the maps and of z.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn backward((own, sources, slope): (&mut Self, &[Source<R>], &mut [R])) {
        let (d, knots, padded) = (own.variables, own.knots, own.padded);
        let (wide, causes) = (own.padded_variables, own.causes);
        own.parameters.gradient.fill(R::ZERO);
        for unit in 0..own.units {
            for (source, row) in sources.iter().zip(own.outcome.chunks_exact_mut(padded)) {
                row.copy_from_slice(&source.inward[unit * padded..(unit + 1) * padded]);
            }
            let own_part = unit * causes * (wide + 1)..(unit + 1) * causes * (wide + 1);
            let active = &own.active[unit * knots * wide..(unit + 1) * knots * wide];
            let slopes = &mut own.parameters.gradient[own_part.clone()];
            let (map, constants) = slopes.split_at_mut(causes * wide);
            let left = Strided { numbers: &own.outcome, row: padded, column: 1 };
            multiply(map, causes, knots, left, active, wide);
            for (c, row) in constants.iter_mut().zip(own.outcome.chunks_exact(padded)) {
                *c = row[..knots].iter().copied().sum();
            }
            own.inward.fill(R::ZERO);
            let map = &own.parameters.values[own_part];
            let left = Strided { numbers: &own.outcome, row: 1, column: padded };
            multiply(&mut own.inward, knots, causes, left, map, wide);
            for k in 0..knots {
                for v in 0..d {
                    let (g, a) = (own.inward[k * wide + v], active[k * wide + v]);
                    slope[(k * own.units + unit) * d + v] = g * a * (R::ONE - a);
                }
            }
        }
    }
}

/// [`Spread::forward`] on vectors.
pub(super) struct SpreadForward;

impl<R: Real> Kernel<(&mut Spread<R>, &[f64], &mut [Source<R>])> for SpreadForward {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(arguments: (&mut Spread<R>, &[f64], &mut [Source<R>])) {
        Spread::forward(arguments);
    }
}

/// [`Spread::backward`] on vectors.
pub(super) struct SpreadBackward;

impl<R: Real> Kernel<(&mut Spread<R>, &[Source<R>], &mut [R])> for SpreadBackward {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(arguments: (&mut Spread<R>, &[Source<R>], &mut [R])) {
        Spread::backward(arguments);
    }
}
