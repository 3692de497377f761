//! The parallel decoder of Eq. 4: from the state of a knot to its weights.
//!
//! σ(z) is cut into m vectors of d; each goes through a linear map to one number per cause; the m
//! numbers of a cause, through σ, enter that cause's own network ([`Source`]). Numbers of one kind
//! at all knots stand side by side, padded to whole vectors, so that every loop runs over knots or
//! over effects.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::vectorised;
use rayon::prelude::*;

use super::Decode;
use super::source::{Source, SourceBackward, SourceForward};
use super::spread::{Spread, SpreadBackward, SpreadForward};
use crate::grid::Grid;
use crate::kernels::VECTOR;
use crate::optimise::{Adam, Reader, State};

/// A spread, and one small network per cause.
pub(crate) struct Parallel<R> {
    spread: Spread<R>,
    sources: Vec<Source<R>>,
    causes: usize,
    width: usize,
}

impl<R: Real> Parallel<R> {
    /// The published decoder; `uniform` draws from ±1.
    pub fn new(grid: &Grid, hidden: usize, mut uniform: impl FnMut() -> f64) -> Self {
        let (d, units) = (grid.variables, grid.units);
        let knots = grid.knots.len();
        let padded = knots.next_multiple_of(VECTOR);
        let spread = Spread::new(d, grid.causes, units, knots, padded, &mut uniform);
        let source = |_| Source::new(units, hidden, grid.width(), knots, padded, &mut uniform);
        Self {
            spread,
            sources: (0..grid.causes).map(source).collect(),
            causes: grid.causes,
            width: grid.width(),
        }
    }

    /// How many numbers of states it reads: one for every knot, hidden unit and variable.
    pub fn reads(grid: &Grid) -> usize {
        grid.knots.len() * grid.units * grid.variables
    }

    /// Gradients of all parameters, and of z\[knot, output\]; moves them if there is a step.
    fn backward(&mut self, gradient: &[R], slope: &mut [R], adam: Option<Adam>) {
        let (causes, width) = (self.causes, self.width);
        self.sources.par_iter_mut().enumerate().for_each(|(cause, source)| {
            vectorised::<SourceBackward, _>((&mut *source, gradient, cause, causes * width));
            if let Some(adam) = adam {
                source.parameters.step(adam);
            }
        });
        let arguments = (&mut self.spread, self.sources.as_slice(), slope);
        vectorised::<SpreadBackward, _>(arguments);
        if let Some(adam) = adam {
            self.spread.parameters.step(adam);
        }
    }
}

impl<R: Real> Decode<R> for Parallel<R> {
    fn decode(&mut self, state: &[f64], knots: &mut [R]) {
        let sources = &mut self.sources;
        vectorised::<SpreadForward, _>((&mut self.spread, state, sources.as_mut_slice()));
        sources.par_iter_mut().for_each(vectorised::<SourceForward, _>);
        let width = self.width;
        for (cause, source) in sources.iter().enumerate() {
            for (k, row) in source.weights().enumerate() {
                let start = (k * self.causes + cause) * width;
                knots[start..start + width].copy_from_slice(row);
            }
        }
    }

    fn step(&mut self, gradient: &[R], state_gradient: &mut [R], adam: Adam) {
        self.backward(gradient, state_gradient, Some(adam));
    }

    fn restart(&mut self) {
        self.spread.parameters.restart();
        self.sources.iter_mut().for_each(|source| source.parameters.restart());
    }

    fn halve(&mut self) {
        self.sources.iter_mut().for_each(Source::halve);
    }
}

impl<R: Real> State for Parallel<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.spread.parameters.write(out);
        self.sources.iter().for_each(|source| source.parameters.write(out));
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.spread.parameters.read(from)?;
        self.sources.iter_mut().try_for_each(|source| source.parameters.read(from))
    }
}

#[cfg(test)]
impl Parallel<f64> {
    /// Gradients of the state, of the maps and of the sources, given that of the weights.
    pub fn gradients(&mut self, state: &[f64], gradient: &[f64]) -> [Vec<f64>; 3] {
        let mut slope = vec![0.0; state.len()];
        self.decode(state, &mut vec![0.0; gradient.len()]);
        self.backward(gradient, &mut slope, None);
        let sources = self.sources.iter().flat_map(|s| s.parameters.gradient.clone()).collect();
        [slope, self.spread.parameters.gradient.clone(), sources]
    }

    /// Compares the gradient of Σ slope · weight by every number of the state and every parameter with central
    /// differences.
    pub fn check_gradients(&mut self, state: &[f64], slope: &[f64]) {
        let [of_state, spread, sources] = self.gradients(state, slope);
        let mut knots = vec![0.0; slope.len()];
        let mut value = |own: &mut Self, state: &[f64]| -> f64 {
            own.decode(state, &mut knots);
            knots.iter().zip(slope).map(|(w, s)| w * s).sum()
        };
        let agrees = |g: f64, up: f64, down: f64| {
            let difference = (up - down) / 2e-5;
            assert!((g - difference).abs() < 1e-6 * (1.0 + g.abs()), "{g} {difference}");
        };
        for (i, g) in of_state.iter().enumerate() {
            let mut at = |by: f64| {
                let mut moved = state.to_vec();
                moved[i] += by;
                value(self, &moved)
            };
            agrees(*g, at(1e-5), at(-1e-5));
        }
        for (i, g) in spread.iter().chain(&sources).enumerate() {
            let mut at = |by: f64| {
                *self.parameter(i) += by;
                let found = value(self, state);
                *self.parameter(i) -= by;
                found
            };
            agrees(*g, at(1e-5), at(-1e-5));
        }
    }

    /// A parameter by its number: those of the maps, then those of one source after the other.
    fn parameter(&mut self, number: usize) -> &mut f64 {
        let maps = &mut self.spread.parameters.values;
        let sources = self.sources.iter_mut().flat_map(|source| &mut source.parameters.values);
        maps.iter_mut().chain(sources).nth(number).unwrap()
    }
}
