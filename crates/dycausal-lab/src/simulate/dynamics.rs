//! How weights move.

use std::f64::consts::PI;
use std::str::FromStr;

use dycausal::Run;
use dycausal::graph::{Edge, Presence, Trajectory};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::skeleton::Start;
use crate::error::{Error, Result};

/// How the weight w of an edge moves over steps t = 1..T.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Dynamics {
    /// Every edge moves: w cos(π t/T) or w sin(π t/T), each with probability 1/2.
    #[default]
    Full,
    /// Instantaneous edges move as in `Full`; lagged ones stay.
    Instantaneous,
    /// No edge moves.
    Static,
}

const KINDS: [&str; 3] = ["full", "instantaneous", "static"];

impl FromStr for Dynamics {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "full" => Ok(Self::Full),
            "instantaneous" => Ok(Self::Instantaneous),
            "static" => Ok(Self::Static),
            name => Err(Error::choice("dynamics", name, &KINDS)),
        }
    }
}

impl Dynamics {
    /// Gives every edge its trajectory.
    pub(super) fn edges(&self, starts: &[Start], steps: usize, seed: u64) -> Vec<Edge> {
        let mut random = Run::new(seed).random("simulate: waves");
        let mut edge = |start: &Start| {
            let wave: fn(f64) -> f64 = if random.random_bool(0.5) { f64::cos } else { f64::sin };
            let turn = |t: usize| wave(PI * (t + 1) as f64 / steps as f64);
            match self {
                Self::Full => moving(start, steps, turn),
                Self::Instantaneous if start.lag == 0 => moving(start, steps, turn),
                Self::Instantaneous | Self::Static => moving(start, steps, |_| 1.0),
            }
        };
        starts.iter().map(&mut edge).collect()
    }
}

/// The edge whose weight is the start's times a factor; a factor of 0, to rounding, is no edge.
fn moving(start: &Start, steps: usize, factor: impl Fn(usize) -> f64) -> Edge {
    let clean = |f: f64| if f.abs() < 1e-12 { 0.0 } else { f };
    let path: Vec<f64> = (0..steps).map(|t| start.weight * clean(factor(t))).collect();
    let presence = Presence::when(steps, |t| path[t] != 0.0);
    let steady = path.iter().all(|w| *w == path[0]);
    let trajectory = if steady { Trajectory::Constant(path[0]) } else { Trajectory::Steps(path) };
    Edge { presence, ..Edge::new(start.from, start.to, start.lag, trajectory, steps) }
}
