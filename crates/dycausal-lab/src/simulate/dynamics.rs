//! How weights move.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How the weight w of an edge moves over steps t = 1..T.
///
/// As text: the name alone, or `nonsmooth:4,2`, `regimes:10,30`, `reordering:3`.
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
    /// Every edge jumps: w cos(⌊t/P⌋ π/E) or w sin(⌊t/P⌋ π/E), each with probability 1/2.
    ///
    /// The paper writes cos(t/P · π/E) and says that the weights do not change within a window, so
    /// t/P is a whole number; its table has 99 edges at odd steps and 102 at even ones for P = 1
    /// and E = 2, so that edges are of both kinds.
    #[serde(rename = "nonsmooth")]
    NonSmooth {
        /// P: for how many steps a weight stays; 4 where the name alone is given.
        period: usize,
        /// E: a jump turns the angle by π/E; 2 where the name alone is given.
        intensity: f64,
    },
    /// Weights stay within a regime, and are drawn anew, with their signs, for the next.
    Regimes {
        /// First steps, from 0, of the second, third, … regime; none stands for half-way.
        #[serde(default)]
        switches: Vec<usize>,
    },
    /// Every edge is there before or from a step of its own, each with probability 1/2; that step
    /// is even over the middle half of the series. Weights stay.
    Appearing,
    /// Half-way some instantaneous edges turn round and keep their weight; no single order holds
    /// before and after. The other edges move as in `Full`.
    Reordering {
        /// How many edges turn; 3 where the name alone is given.
        flips: usize,
    },
}

const KINDS: [&str; 7] =
    ["full", "instantaneous", "static", "nonsmooth", "regimes", "appearing", "reordering"];

impl FromStr for Dynamics {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, values) = text.split_once(':').unwrap_or((text, ""));
        let dynamics = match (name, values) {
            ("full", "") => Self::Full,
            ("instantaneous", "") => Self::Instantaneous,
            ("static", "") => Self::Static,
            ("appearing", "") => Self::Appearing,
            ("nonsmooth", "") => Self::NonSmooth { period: 4, intensity: 2.0 },
            ("regimes", "") => Self::Regimes { switches: Vec::new() },
            ("reordering", "") => Self::Reordering { flips: 3 },
            ("nonsmooth", _) => match values.split_once(',') {
                Some((period, intensity)) => Self::NonSmooth {
                    period: number(text, period)?,
                    intensity: number(text, intensity)?,
                },
                None => return Err(malformed(text)),
            },
            ("regimes", _) => {
                let steps = values.split(',').map(|step| number(text, step));
                Self::Regimes { switches: steps.collect::<Result<_>>()? }
            }
            ("reordering", _) => Self::Reordering { flips: number(text, values)? },
            (name, _) if KINDS.contains(&name) => return Err(malformed(text)),
            (name, _) => return Err(Error::choice("dynamics", name, &KINDS)),
        };
        Ok(dynamics)
    }
}

fn number<N: FromStr>(text: &str, part: &str) -> Result<N> {
    part.trim().parse().map_err(|_| malformed(text))
}

fn malformed(text: &str) -> Error {
    let expected = "full, instantaneous, static, appearing, nonsmooth:PERIOD,INTENSITY, regimes:STEP,STEP,… or reordering:FLIPS";
    Error::parameter("dynamics", text, expected)
}

impl Dynamics {
    /// Whether the numbers make sense for so many steps.
    pub(super) fn check(&self, steps: usize) -> Result<()> {
        match self {
            Self::NonSmooth { period: 0, .. } => {
                Err(Error::parameter("dynamics", "a period of 0", "at least 1"))
            }
            Self::NonSmooth { intensity, .. } if !(*intensity > 0.0 && intensity.is_finite()) => {
                Err(Error::parameter("dynamics", intensity, "a positive intensity"))
            }
            Self::Regimes { switches } => {
                let inside = switches.iter().all(|step| (1..steps).contains(step));
                if inside && switches.is_sorted_by(|a, b| a < b) {
                    return Ok(());
                }
                let found = format!("switches at {switches:?}");
                let expected = format!("increasing steps from 1 to {}", steps - 1);
                Err(Error::parameter("dynamics", found, &expected))
            }
            _ => Ok(()),
        }
    }

    /// First steps of all regimes in which weights stay, if that is how they move.
    pub(super) fn regimes(&self, steps: usize) -> Option<Vec<usize>> {
        match self {
            Self::Static => Some(vec![0]),
            Self::Regimes { switches } if switches.is_empty() => Some(vec![0, steps / 2]),
            Self::Regimes { switches } => Some([&[0], switches.as_slice()].concat()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_dynamics_and_slips_are_answered() {
        assert_eq!("full".parse(), Ok(Dynamics::Full));
        let jumps = Dynamics::NonSmooth { period: 1, intensity: 2.0 };
        assert_eq!("nonsmooth:1,2".parse(), Ok(jumps));
        let switches = vec![10, 30];
        assert_eq!("regimes:10,30".parse(), Ok(Dynamics::Regimes { switches }));
        assert_eq!("reordering".parse(), Ok(Dynamics::Reordering { flips: 3 }));
        let slip = "statc".parse::<Dynamics>().unwrap_err().to_string();
        assert!(slip.contains("did you mean `static`?"), "{slip}");
        for bad in ["nonsmooth:4", "regimes:a", "full:3", "reordering:-1"] {
            let answer = bad.parse::<Dynamics>().unwrap_err().to_string();
            assert!(answer.contains(bad) && answer.contains("nonsmooth:PERIOD"), "{answer}");
        }
    }

    #[test]
    fn every_kind_comes_back_from_json() {
        for kind in KINDS {
            let dynamics: Dynamics = kind.parse().unwrap();
            let text = serde_json::to_string(&dynamics).unwrap();
            assert!(text.contains(kind), "{text}");
            assert_eq!(serde_json::from_str::<Dynamics>(&text).unwrap(), dynamics);
        }
    }

    #[test]
    fn regimes_lie_within_the_series() {
        for switches in [vec![0], vec![50], vec![30, 10], vec![10, 10]] {
            assert!(Dynamics::Regimes { switches }.check(50).is_err());
        }
        assert!(Dynamics::Regimes { switches: vec![1, 49] }.check(50).is_ok());
        let still = Dynamics::NonSmooth { period: 0, intensity: 2.0 };
        assert!(still.check(50).is_err());
    }
}
