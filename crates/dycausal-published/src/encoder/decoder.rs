//! The parallel decoder of Eq. 4: from the state of a knot to its weights.
//!
//! σ(z) is cut into m vectors of d; each goes through a linear map to one number per cause; the m
//! numbers of a cause, through σ, enter that cause's own network ([`Source`]). Numbers of one kind
//! at all knots stand side by side, padded to whole vectors, so that every loop runs over knots or
//! over effects.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::vectorised;
use rayon::prelude::*;

use super::convolution::Convolution;
use super::source::{Source, SourceBackward, SourceForward};
use super::spread::{Spread, SpreadBackward, SpreadForward};
use crate::encoder::Encode;
use crate::grid::Grid;
use crate::kernels::VECTOR;
use crate::optimise::{Adam, Reader, State};

/// Convolution, spread and one small network per cause.
pub(crate) struct Decoder<R> {
    convolution: Convolution<R>,
    spread: Spread<R>,
    sources: Vec<Source<R>>,
    causes: usize,
    width: usize,
    /// Gradient of z\[knot, output\].
    slope: Vec<R>,
}

impl<R: Real> Decoder<R> {
    /// The published encoder and decoder for these windows, one per knot; `uniform` draws from ±1.
    pub fn new(
        grid: &Grid,
        hidden: usize,
        reach: f64,
        windows: &[Vec<f64>],
        mut uniform: impl FnMut() -> f64,
    ) -> Self {
        let (d, units) = (grid.variables, grid.units);
        let knots = grid.knots.len();
        let padded = knots.next_multiple_of(VECTOR);
        let convolution = Convolution::new(windows, d * units, reach, &mut uniform);
        let spread = Spread::new(d, grid.causes, units, knots, padded, &mut uniform);
        let source = |_| Source::new(units, hidden, grid.width(), knots, padded, &mut uniform);
        Self {
            convolution,
            spread,
            sources: (0..grid.causes).map(source).collect(),
            causes: grid.causes,
            width: grid.width(),
            slope: vec![R::ZERO; knots * d * units],
        }
    }

    /// Gradients of all parameters but the kernel's, and of z; moves them if there is a step.
    fn backward(&mut self, gradient: &[R], adam: Option<Adam>) {
        let (causes, width) = (self.causes, self.width);
        self.sources.par_iter_mut().enumerate().for_each(|(cause, source)| {
            vectorised::<SourceBackward, _>((&mut *source, gradient, cause, causes * width));
            if let Some(adam) = adam {
                source.parameters.step(adam);
            }
        });
        let arguments = (&mut self.spread, self.sources.as_slice(), self.slope.as_mut_slice());
        vectorised::<SpreadBackward, _>(arguments);
        if let Some(adam) = adam {
            self.spread.parameters.step(adam);
        }
    }
}

impl<R: Real> Encode<R> for Decoder<R> {
    fn encode(&mut self, knots: &mut [R]) {
        let sources = &mut self.sources;
        let state = self.convolution.state.as_slice();
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

    fn step(&mut self, gradient: &[R], adam: Adam) {
        self.backward(gradient, Some(adam));
        self.convolution.step(&self.slope, adam);
    }

    fn restart(&mut self) {
        self.convolution.restart();
        self.spread.parameters.restart();
        self.sources.iter_mut().for_each(|source| source.parameters.restart());
    }

    fn halve(&mut self) {
        self.sources.iter_mut().for_each(Source::halve);
    }
}

impl<R: Real> State for Decoder<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.convolution.write(out);
        self.spread.parameters.write(out);
        self.sources.iter().for_each(|source| source.parameters.write(out));
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.convolution.read(from)?;
        self.spread.parameters.read(from)?;
        self.sources.iter_mut().try_for_each(|source| source.parameters.read(from))
    }
}

#[cfg(test)]
impl Decoder<f64> {
    /// Gradients of the state, of the maps and of the sources, given that of the weights.
    pub fn gradients(&mut self, gradient: &[f64]) -> [Vec<f64>; 3] {
        self.backward(gradient, None);
        let sources = self.sources.iter().flat_map(|s| s.parameters.gradient.clone()).collect();
        [self.slope.clone(), self.spread.parameters.gradient.clone(), sources]
    }

    /// Compares the gradient of Σ slope · weight by every parameter with central differences.
    pub fn check_gradients(&mut self, slope: &[f64]) {
        let mut knots = vec![0.0; slope.len()];
        let mut value = |own: &mut Self| -> f64 {
            own.encode(&mut knots);
            knots.iter().zip(slope).map(|(w, s)| w * s).sum()
        };
        value(self);
        self.backward(slope, None);
        let state = self.slope.clone();
        let spread = self.spread.parameters.gradient.clone();
        let sources: Vec<_> = self.sources.iter().map(|s| s.parameters.gradient.clone()).collect();
        let mut check = |own: &mut Self, at: &dyn Fn(&mut Self) -> &mut f64, g: f64| {
            let mut moved = |by: f64| {
                *at(own) += by;
                let found = value(own);
                *at(own) -= by;
                found
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((g - difference).abs() < 1e-6 * (1.0 + g.abs()), "{g} {difference}");
        };
        for (i, g) in state.iter().enumerate() {
            check(self, &|own| &mut own.convolution.state[i], *g);
        }
        for (i, g) in spread.iter().enumerate() {
            check(self, &|own| &mut own.spread.parameters.values[i], *g);
        }
        for (cause, gradient) in sources.iter().enumerate() {
            for (i, g) in gradient.iter().enumerate() {
                check(self, &|own| &mut own.sources[cause].parameters.values[i], *g);
            }
        }
    }
}
