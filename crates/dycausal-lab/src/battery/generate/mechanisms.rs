//! Systems whose effects are no straight lines.

use std::f64::consts::PI;

use dycausal::graph::{Edge, Trajectory};
use ndarray::Array3;
use rand::RngExt;
use rand::seq::SliceRandom;

use super::super::condition::{Sample, Size, Stream};
use super::innovations::{Innovations, standard};
use crate::error::Result;

/// Steps before the first that is kept.
const BURN_IN: usize = 100;
/// Effects are bounded: values beyond this count as this.
const CLIP: f64 = 2.0;

/// What a cause does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Shape {
    /// sin(2x).
    Sine,
    /// min(x², 4) − 1.
    Quadratic,
    /// 1 above 0, −1 below.
    Step,
    /// tanh(2x).
    Tanh,
    /// Two causes multiplied, each at most 2 in size; one that is left over acts by tanh.
    Product,
    /// One of the first four, drawn for each edge.
    Mixed,
}

impl Shape {
    fn of(self, x: f64) -> f64 {
        match self {
            Self::Sine => (2.0 * x).sin(),
            Self::Quadratic => (x * x).min(CLIP * CLIP) - 1.0,
            Self::Step => x.signum(),
            Self::Tanh | Self::Product | Self::Mixed => (2.0 * x).tanh(),
        }
    }
}

/// A system of bounded effects among variables in a random order.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Mechanisms {
    /// What causes do.
    pub shape: Shape,
    /// Whether effects move: half a cosine over the series, from a random phase on.
    pub moves: bool,
    /// Edges within the step, and as many from the step before.
    pub edges: usize,
    /// The law of the noise.
    pub noise: Innovations,
}

/// One cause of one variable.
#[derive(Debug, Clone, Copy)]
struct Cause {
    from: usize,
    lag: usize,
    shape: Shape,
    size: f64,
    phase: f64,
}

impl Mechanisms {
    /// Data in random units, with the edges that made them.
    pub(in super::super) fn sample(self, stream: &mut Stream, size: Size) -> Result<Sample> {
        let d = size.variables;
        let mut order: Vec<usize> = (0..d).collect();
        order.shuffle(stream);
        let causes = self.causes(stream, &order);
        let sds: Vec<f64> = (0..d).map(|_| stream.random_range(0.5..1.5)).collect();
        let units: Vec<f64> = (0..d).map(|_| 10f64.powf(stream.random_range(-1.0..1.0))).collect();
        let noise = self.noise.draw(stream, size, BURN_IN);
        let mut values = Array3::zeros((size.series, BURN_IN + size.steps, d));
        for n in 0..size.series {
            for t in 0..BURN_IN + size.steps {
                let time = t.saturating_sub(BURN_IN) as f64 / size.steps as f64;
                for v in &order {
                    let past =
                        |c: &Cause| if c.lag > t { 0.0 } else { values[[n, t - c.lag, c.from]] };
                    let effect = self.effect(&causes[*v], past, time);
                    values[[n, t, *v]] = effect + sds[*v] * noise[[n, t, *v]];
                }
            }
        }
        let kept =
            Array3::from_shape_fn(size.shape(), |(n, t, v)| units[v] * values[[n, t + BURN_IN, v]]);
        let edges = causes.iter().enumerate().flat_map(|(to, causes)| {
            causes.iter().map(move |c| {
                Edge::new(c.from, to, c.lag, Trajectory::Constant(c.size), size.steps)
            })
        });
        Sample::new(kept, 1, edges.collect())
    }

    fn effect(self, causes: &[Cause], past: impl Fn(&Cause) -> f64, time: f64) -> f64 {
        let gain = |c: &Cause| {
            if self.moves { c.size * (PI * (time + c.phase)).cos() } else { c.size }
        };
        if self.shape != Shape::Product {
            return causes.iter().map(|c| gain(c) * c.shape.of(past(c))).sum();
        }
        let clipped = |c: &Cause| past(c).clamp(-CLIP, CLIP);
        causes
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => gain(a) * clipped(a) * clipped(b),
                [a] => gain(a) * a.shape.of(past(a)),
                _ => 0.0,
            })
            .sum()
    }

    fn causes(self, stream: &mut Stream, order: &[usize]) -> Vec<Vec<Cause>> {
        let d = order.len();
        let within = (0..d).flat_map(|a| (0..a).map(move |b| (0, order[b], order[a])));
        let lagged = (0..d).flat_map(|a| (0..d).map(move |b| (1, order[b], order[a])));
        let mut out = vec![Vec::new(); d];
        for places in [within.collect::<Vec<_>>(), lagged.collect()] {
            let mut places = places;
            places.shuffle(stream);
            for (lag, from, to) in places.into_iter().take(self.edges) {
                let kinds = [Shape::Sine, Shape::Quadratic, Shape::Step, Shape::Tanh];
                let drawn = kinds[stream.random_range(0..kinds.len())];
                let shape = if self.shape == Shape::Mixed { drawn } else { self.shape };
                let sign = if stream.random::<bool>() { 1.0 } else { -1.0 };
                let size = sign * stream.random_range(0.7..1.5);
                let phase = stream.random_range(0.0..2.0);
                out[to].push(Cause { from, lag, shape, size, phase });
            }
        }
        out
    }
}

/// Independent series with a nonlinear memory: saturating, or with a threshold.
pub(in super::super) fn nonlinear_memory(
    stream: &mut Stream,
    size: Size,
    threshold: bool,
) -> Result<Sample> {
    let mut values = Array3::zeros(size.shape());
    for n in 0..size.series {
        for v in 0..size.variables {
            let mut x = 0.0f64;
            for t in 0..BURN_IN + size.steps {
                let mean = match (threshold, x > 0.0) {
                    (false, _) => 1.5 * x.tanh(),
                    (true, true) => -0.5 * x,
                    (true, false) => 0.8 * x,
                };
                x = mean + standard(stream);
                if t >= BURN_IN {
                    values[[n, t - BURN_IN, v]] = x;
                }
            }
        }
    }
    Sample::without_cross_edges(values)
}
