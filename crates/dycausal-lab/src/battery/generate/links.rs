//! Which variables move which, and how strongly.

use dycausal::graph::{Edge, Trajectory};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::super::condition::Stream;

/// A true edge with a weight that stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Link {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// How many steps the cause is ahead.
    pub lag: usize,
    /// The weight.
    pub weight: f64,
}

impl Link {
    /// The edge of a graph of so many steps.
    pub(in super::super) fn edge(self, steps: usize) -> Edge {
        let weight = Trajectory::Constant(self.weight);
        Edge::new(self.from, self.to, self.lag, weight, steps)
    }
}

/// One cross edge for each of `lags`, between pairs of which each is used once.
///
/// Weights are of random sign, |weight| from U\[low, high\]. Edges within a step follow a random
/// order of the variables; lagged ones go either way. There are at most as many as pairs.
pub(in super::super) fn links(
    stream: &mut Stream,
    variables: usize,
    lags: &[usize],
    (low, high): (f64, f64),
) -> Vec<Link> {
    let mut order: Vec<usize> = (0..variables).collect();
    order.shuffle(stream);
    let mut pairs: Vec<(usize, usize)> =
        (1..variables).flat_map(|after| (0..after).map(move |before| (before, after))).collect();
    pairs.shuffle(stream);
    let link = |(&lag, &(before, after)): (&usize, &(usize, usize))| {
        let (from, to) = (order[before], order[after]);
        let turned = lag > 0 && stream.random_bool(0.5);
        let (from, to) = if turned { (to, from) } else { (from, to) };
        let sign = if stream.random_bool(0.5) { 1.0 } else { -1.0 };
        Link { from, to, lag, weight: sign * stream.random_range(low..=high) }
    };
    lags.iter().zip(&pairs).map(link).collect()
}

/// The edge with a weight that moves as a polynomial of this degree about where the link's stays:
///
/// w(t) = w + Σ_{k=1}^{degree} a_k P_k(2u − 1), u = (t + ½)/T, |a_k| from U\[0.15, 0.3\], P_k Legendre's.
pub(in super::super) fn moving(
    stream: &mut Stream,
    link: Link,
    degree: usize,
    steps: usize,
) -> Edge {
    let mut draw = || {
        let sign = if stream.random_bool(0.5) { 1.0 } else { -1.0 };
        sign * stream.random_range(0.15..0.3)
    };
    let coefficients: Vec<f64> = (0..degree).map(|_| draw()).collect();
    let weight = |step: usize| {
        let x = (2 * step + 1) as f64 / steps as f64 - 1.0;
        let legendre = [x, 0.5 * (3.0 * x * x - 1.0), 0.5 * (5.0 * x * x - 3.0) * x];
        link.weight + coefficients.iter().zip(legendre).map(|(a, p)| a * p).sum::<f64>()
    };
    let path = Trajectory::Steps((0..steps).map(weight).collect());
    Edge::new(link.from, link.to, link.lag, path, steps)
}
