//! The trajectory of every edge.

use std::f64::consts::PI;

use dycausal::Run;
use dycausal::graph::{Edge, Presence, Trajectory};
use dycausal::internals::order::sort_or_cycle;
use rand::RngExt;
use rand::seq::SliceRandom;

use super::dynamics::Dynamics;
use super::skeleton::{Place, Skeleton};
use crate::error::{Error, Result};

/// A skeleton on its way through time.
pub(super) struct Movement<'a> {
    pub dynamics: &'a Dynamics,
    pub skeleton: &'a Skeleton,
    pub steps: usize,
}

/// What an edge draws for itself.
#[derive(Clone, Copy)]
struct Draw {
    wave: fn(f64) -> f64,
    share: f64,
}

impl Movement<'_> {
    /// Gives every edge its trajectory.
    ///
    /// # Errors
    /// If fewer edges can turn round than were asked for.
    pub(super) fn edges(&self, seed: u64) -> Result<Vec<Edge>> {
        let turned = match self.dynamics {
            Dynamics::Reordering { flips } => turning(self.skeleton, *flips, seed)?,
            _ => Vec::new(),
        };
        let firsts = self.dynamics.regimes(self.steps).unwrap_or_default();
        let mut waves = Run::new(seed).random("simulate: waves");
        let mut shares = Run::new(seed).random("simulate: changes");
        let mut edges = Vec::with_capacity(self.skeleton.places.len() + turned.len());
        for (index, &place) in self.skeleton.places.iter().enumerate() {
            let wave = if waves.random_bool(0.5) { f64::cos } else { f64::sin };
            let draw = Draw { wave, share: shares.random() };
            if turned.binary_search(&index).is_ok() {
                edges.extend(self.turned(place, index));
            } else {
                let weight = |step| self.weight(&firsts, index, step, draw);
                edges.push(edge(place, self.steps, weight));
            }
        }
        Ok(edges)
    }

    /// An edge before the middle, and its reverse from there on.
    fn turned(&self, (lag, from, to): Place, index: usize) -> [Edge; 2] {
        let (half, weight) = (self.steps / 2, self.skeleton.weights[0][index]);
        let when = |there: bool| if there { weight } else { 0.0 };
        [
            edge((lag, from, to), self.steps, |t| when(t < half)),
            edge((lag, to, from), self.steps, |t| when(t >= half)),
        ]
    }

    /// The weight of an edge that does not turn, at a step from 0.
    fn weight(&self, firsts: &[usize], index: usize, step: usize, draw: Draw) -> f64 {
        let start = self.skeleton.weights[0][index];
        let (time, end) = ((step + 1) as f64, self.steps as f64);
        let smooth = || start * clean((draw.wave)(PI * time / end));
        match self.dynamics {
            Dynamics::Full | Dynamics::Reordering { .. } => smooth(),
            Dynamics::Instantaneous if self.skeleton.places[index].0 == 0 => smooth(),
            Dynamics::Instantaneous | Dynamics::Static => start,
            Dynamics::NonSmooth { period, intensity } => {
                start * clean((draw.wave)(((step + 1) / period) as f64 * PI / intensity))
            }
            Dynamics::Regimes { .. } => {
                let regime = firsts.partition_point(|first| *first <= step) - 1;
                self.skeleton.weights[regime][index]
            }
            Dynamics::Appearing => {
                // The upper half of the draws appear, the lower vanish.
                let (appears, at) = (draw.share >= 0.5, end * (0.25 + draw.share % 0.5));
                if appears == (time > at) { start } else { 0.0 }
            }
        }
    }
}

/// A factor of 0 but for rounding, such as sin π, is 0: there is no edge.
fn clean(factor: f64) -> f64 {
    if factor.abs() < 1e-12 { 0.0 } else { factor }
}

fn edge(place: Place, steps: usize, weight: impl Fn(usize) -> f64) -> Edge {
    let path: Vec<f64> = (0..steps).map(weight).collect();
    let presence = Presence::when(steps, |t| path[t] != 0.0);
    let steady = path.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits());
    let trajectory = if steady { Trajectory::Constant(path[0]) } else { Trajectory::Steps(path) };
    Edge { presence, ..Edge::new(place.1, place.2, place.0, trajectory, steps) }
}

/// Instantaneous edges, in increasing number, that can all be turned round without a cycle.
fn turning(skeleton: &Skeleton, flips: usize, seed: u64) -> Result<Vec<usize>> {
    let within = skeleton.places.iter().filter(|place| place.0 == 0);
    let mut pairs: Vec<(usize, usize)> = within.map(|place| (place.1, place.2)).collect();
    let mut tries: Vec<usize> = (0..pairs.len()).collect();
    tries.shuffle(&mut Run::new(seed).random("simulate: turning edges"));
    let mut turned = Vec::new();
    for index in tries {
        if turned.len() == flips {
            break;
        }
        let (from, to) = pairs[index];
        pairs[index] = (to, from);
        if sort_or_cycle(skeleton.variables, &pairs).is_ok() {
            turned.push(index);
        } else {
            pairs[index] = (from, to);
        }
    }
    if turned.len() < flips {
        let expected = format!("at most {}: no more edges can turn", turned.len());
        return Err(Error::parameter("dynamics", format!("{flips} flips"), &expected));
    }
    turned.sort_unstable();
    Ok(turned)
}
