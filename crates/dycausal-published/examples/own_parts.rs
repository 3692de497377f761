//! An encoder, a decoder and a loss of one's own.
//!
//! The encoder is a state of each knot that is learned as it is. The decoder is direct: every weight is a sum of its own
//! over the state, W = B z + b, which takes d² τ numbers for each number of the state. The loss is Σ log cosh of the
//! residuals: nearly squares where they are small, and nearly absolute values where they are large.
#![allow(clippy::print_stdout)]

use dycausal::internals::real::Real;
use dycausal::{Panel, Result, Run};
use dycausal_published::decoder::Decode;
use dycausal_published::encoder::Encode;
use dycausal_published::grid::Grid;
use dycausal_published::model::{Loss, Rows};
use dycausal_published::optimise::{Adam, Reader, State, Trained};
use dycausal_published::{DyCausal, Setting};
use ndarray::Array3;
use rand::RngExt;

/// Numbers of a knot's state.
const WIDTH: usize = 4;

/// States that are parameters themselves.
struct Embedding<R> {
    numbers: Trained<R>,
    state: Vec<f64>,
}

impl<R: Real> Embedding<R> {
    fn new(setting: &Setting<'_>) -> Self {
        let mut random = setting.random("embedding");
        let count = setting.grid.knots.len() * WIDTH;
        let state: Vec<f64> = (0..count).map(|_| random.random_range(-1.0..1.0)).collect();
        Self { numbers: Trained::new(state.iter().map(|z| R::of(*z)).collect()), state }
    }

    fn show(&mut self) {
        self.state.iter_mut().zip(&self.numbers.values).for_each(|(z, own)| *z = own.wide());
    }
}

impl<R: Real> Encode<R> for Embedding<R> {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn step(&mut self, gradient: &[R], adam: Adam) {
        self.numbers.gradient.copy_from_slice(gradient);
        self.numbers.step(adam);
        self.show();
    }

    fn restart(&mut self) {
        self.numbers.restart();
    }
}

impl<R: Real> State for Embedding<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.numbers.write(out);
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.numbers.read(from)?;
        self.show();
        Some(())
    }
}

/// W = B z + b.
struct Direct<R> {
    /// B\[weight, number\], then b\[weight\].
    map: Trained<R>,
    /// Weights of a knot.
    size: usize,
    /// The states that were last decoded.
    state: Vec<R>,
}

impl<R: Real> Direct<R> {
    fn new(setting: &Setting<'_>) -> Self {
        let mut random = setting.random("direct");
        let size = setting.grid.size();
        let map = (0..size * (WIDTH + 1)).map(|_| R::of(random.random_range(-0.1..0.1))).collect();
        Self { map: Trained::new(map), size, state: Vec::new() }
    }
}

impl<R: Real> Decode<R> for Direct<R> {
    fn decode(&mut self, state: &[f64], weights: &mut [R]) {
        self.state.clear();
        self.state.extend(state.iter().map(|z| R::of(*z)));
        let (rows, constants) = self.map.values.split_at(self.size * WIDTH);
        for (z, weights) in self.state.chunks(WIDTH).zip(weights.chunks_mut(self.size)) {
            for ((weight, row), constant) in
                weights.iter_mut().zip(rows.chunks(WIDTH)).zip(constants)
            {
                *weight = row.iter().zip(z).fold(*constant, |sum, (b, z)| sum + *b * *z);
            }
        }
    }

    fn step(&mut self, gradient: &[R], state_gradient: &mut [R], adam: Adam) {
        self.map.gradient.fill(R::ZERO);
        state_gradient.fill(R::ZERO);
        let (rows, _) = self.map.values.split_at(self.size * WIDTH);
        let (row_slopes, constant_slopes) = self.map.gradient.split_at_mut(self.size * WIDTH);
        let knots = gradient.chunks(self.size).zip(self.state.chunks(WIDTH));
        for ((slopes, z), pull) in knots.zip(state_gradient.chunks_mut(WIDTH)) {
            for (weight, slope) in slopes.iter().enumerate() {
                constant_slopes[weight] += *slope;
                for number in 0..WIDTH {
                    row_slopes[weight * WIDTH + number] += *slope * z[number];
                    pull[number] += *slope * rows[weight * WIDTH + number];
                }
            }
        }
        self.map.step(adam);
    }

    fn restart(&mut self) {
        self.map.restart();
    }

    fn halve(&mut self) {
        let half = R::of(0.5);
        self.map.values.iter_mut().for_each(|number| *number *= half);
    }
}

impl<R: Real> State for Direct<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.map.write(out);
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.map.read(from)
    }
}

/// The mean over steps and series of Σ_i log cosh(x̂_i − x_i), with x̂_t = W_tᵀ z_t.
struct LogCosh<R> {
    grid: Grid,
    rows: Rows<R>,
}

impl<R: Real> LogCosh<R> {
    fn new(setting: &Setting<'_>) -> Self {
        Self { grid: setting.grid.clone(), rows: setting.rows() }
    }

    /// Calls `see` with (cause, effect, value of the cause, residual) of every row, and with the knots beside its step.
    fn residuals(&self, knots: &[R], mut see: impl FnMut(usize, f64, &[R], [(usize, f64); 2])) {
        let (q, d, size) = (self.grid.causes, self.grid.variables, self.grid.size());
        for segment in &self.grid.segments {
            for (offset, share) in segment.shares.iter().enumerate() {
                let beside = [(segment.left, 1.0 - share), (segment.right, *share)];
                let first = (segment.start + offset - self.rows.first) * self.rows.per_step;
                for row in first..first + self.rows.per_step {
                    let causes = &self.rows.causes[row * q..(row + 1) * q];
                    for effect in 0..d {
                        let part = |(knot, share): (usize, f64)| -> f64 {
                            let weights = knots[knot * size + effect..].iter().step_by(d);
                            share
                                * weights.zip(causes).map(|(w, z)| w.wide() * z.wide()).sum::<f64>()
                        };
                        let there = self.rows.effects[row * d + effect].wide();
                        see(effect, part(beside[0]) + part(beside[1]) - there, causes, beside);
                    }
                }
            }
        }
    }

    fn count(&self) -> f64 {
        (self.grid.reconstructed() * self.rows.per_step) as f64
    }
}

impl<R: Real> Loss<R> for LogCosh<R> {
    fn evaluate(&mut self, knots: &[R], scale: f64, gradient: &mut [R]) -> f64 {
        let (d, size, count) = (self.grid.variables, self.grid.size(), self.count());
        let mut total = 0.0;
        self.residuals(knots, |effect, residual, causes, beside| {
            total += residual.cosh().ln();
            for (knot, share) in beside {
                let pull = R::of(scale * share * residual.tanh() / count);
                for (cause, z) in causes.iter().enumerate() {
                    gradient[knot * size + cause * d + effect] += pull * *z;
                }
            }
        });
        total / count
    }

    fn errors(&self, knots: &[R]) -> Vec<f64> {
        let mut squares = vec![0.0; self.grid.variables];
        self.residuals(knots, |effect, residual, _, _| squares[effect] += residual * residual);
        squares.iter().map(|square| square / self.count()).collect()
    }

    /// It has no parameters.
    fn step(&mut self, _: Adam) {}

    fn restart(&mut self) {}
}

impl<R: Real> State for LogCosh<R> {
    fn write(&self, _: &mut Vec<u8>) {}

    fn read(&mut self, _: &mut Reader<'_>) -> Option<()> {
        Some(())
    }
}

/// Twenty series of three variables: a → b → c, one step later each, and a few values far off.
fn outliers() -> Result<Panel> {
    let mut random = Run::new(1).random("noise");
    let mut values = Array3::from_shape_simple_fn((20, 25, 3), || {
        let far = if random.random_range(0.0..1.0) < 0.02 { 5.0 } else { 1.0 };
        far * random.random_range(-1.0..1.0)
    });
    for n in 0..20 {
        for t in 1..25 {
            values[[n, t, 1]] += 0.9 * values[[n, t - 1, 0]];
            values[[n, t, 2]] += 0.9 * values[[n, t - 1, 1]];
        }
    }
    Panel::new(values, ["a", "b", "c"].map(String::from).to_vec())
}

fn main() -> Result<()> {
    let panel = outliers()?;
    let method = DyCausal { iterations: 400, ..DyCausal::default() };
    let coded = method
        .clone()
        .with_encoder("embedding", |setting| Ok(Box::new(Embedding::new(setting))))
        .with_decoder("direct", |setting| Ok(Box::new(Direct::new(setting))));
    let robust = method.with_loss("log-cosh", |setting| Ok(Box::new(LogCosh::new(setting))));
    for (name, variant) in [("embedding and direct decoder", coded), ("log cosh", robust)] {
        let fitted = variant.fit(&panel, &mut Run::new(0))?;
        println!("{name}:");
        for edge in fitted.graph.edges() {
            let weight = edge.weight(fitted.graph.basis(), 12);
            let (from, to) = (&panel.names()[edge.from], &panel.names()[edge.to]);
            println!("  {from} → {to} at lag {}: {weight:.2}", edge.lag);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dycausal::Knowledge;

    use super::*;

    /// Gradients are held against differences in f64; fits run in f32.
    #[test]
    fn gradients_are_those_of_central_differences() {
        let (method, panel, run) = (DyCausal::default(), outliers().unwrap(), Run::new(0));
        let grid = Grid::new(&method, 25, 3, &Knowledge::default()).unwrap();
        let setting = Setting::new(&method, &grid, &panel, &run);
        let count = grid.knots.len() * grid.size();
        let mut loss = LogCosh::<f64>::new(&setting);
        let knots: Vec<f64> = (0..count).map(|at| (at as f64).sin()).collect();
        let mut gradient = vec![0.0; count];
        loss.evaluate(&knots, 1.0, &mut gradient);
        let mut value = |at: usize, by: f64| {
            let mut moved = knots.clone();
            moved[at] += by;
            loss.evaluate(&moved, 0.0, &mut vec![0.0; count])
        };
        for at in (0..count).step_by(3) {
            let slope = (value(at, 1e-5) - value(at, -1e-5)) / 2e-5;
            assert!((gradient[at] - slope).abs() < 1e-6, "{at}: {} {slope}", gradient[at]);
        }
        let (encoder, mut decoder) = (Embedding::<f64>::new(&setting), Direct::new(&setting));
        let mut pull = vec![0.0; encoder.state().len()];
        let mut value = |at: usize, by: f64| {
            let (mut state, mut weights) = (encoder.state().to_vec(), vec![0.0; count]);
            state[at] += by;
            decoder.decode(&state, &mut weights);
            weights.iter().zip(&gradient).map(|(w, g)| w * g).sum::<f64>()
        };
        let slopes: Vec<f64> =
            (0..pull.len()).map(|at| (value(at, 1e-5) - value(at, -1e-5)) / 2e-5).collect();
        value(0, 0.0);
        decoder.step(&gradient, &mut pull, Adam::step(0.0, 1));
        for (found, slope) in pull.iter().zip(slopes) {
            assert!((found - slope).abs() < 1e-6, "{found} {slope}");
        }
    }

    #[test]
    fn they_find_the_edges() {
        let panel = outliers().unwrap();
        let method = DyCausal { iterations: 400, ..DyCausal::default() };
        let all = method
            .with_encoder("embedding", |setting| Ok(Box::new(Embedding::new(setting))))
            .with_decoder("direct", |setting| Ok(Box::new(Direct::new(setting))))
            .with_loss("log-cosh", |setting| Ok(Box::new(LogCosh::new(setting))));
        let graph = all.fit(&panel, &mut Run::new(0)).unwrap().graph;
        assert!(graph.weight(12, 1, 0, 1) > 0.5 && graph.weight(12, 1, 1, 2) > 0.5, "{graph:?}");
        assert!(main().is_ok());
    }
}
