//! Weights that a decoder makes of states that an encoder makes of the series.

use dycausal::internals::real::Real;

use super::Weights;
use crate::decoder::Decode;
use crate::encoder::Encode;
use crate::optimise::{Adam, Reader, State};

/// An encoder and its decoder.
pub(crate) struct Coded<R> {
    encoder: Box<dyn Encode<R>>,
    decoder: Box<dyn Decode<R>>,
    /// Gradient of the states.
    slope: Vec<R>,
}

impl<R: Real> Coded<R> {
    /// One after the other.
    pub fn new(encoder: Box<dyn Encode<R>>, decoder: Box<dyn Decode<R>>) -> Self {
        let slope = vec![R::ZERO; encoder.state().len()];
        Self { encoder, decoder, slope }
    }
}

impl<R: Real> Weights<R> for Coded<R> {
    fn write_weights(&mut self, knots: &mut [R]) {
        self.decoder.decode(self.encoder.state(), knots);
    }

    fn step(&mut self, gradient: &[R], adam: Adam) {
        self.decoder.step(gradient, &mut self.slope, adam);
        self.encoder.step(&self.slope, adam);
    }

    fn restart(&mut self) {
        self.encoder.restart();
        self.decoder.restart();
    }

    fn halve(&mut self) {
        self.decoder.halve();
    }
}

impl<R: Real> State for Coded<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.encoder.write(out);
        self.decoder.write(out);
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.encoder.read(from)?;
        self.decoder.read(from)
    }
}
