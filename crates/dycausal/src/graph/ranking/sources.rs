//! Whether causes differ in how many effects they have.
//!
//! In many networks a few variables drive most of the others. Then whatever speaks for one effect of
//! a variable speaks a little for all of its others. With L the statistic of an edge, as a likelihood
//! ratio that chance alone spreads as χ² with one degree of freedom,
//!
//! z² = L · 0.4549 / median(L),  log BF = ½ · 10/11 · z² − ½ log 11 (beyond 200 only logarithms count),
//!
//! the evidence for an effect that is N(0, 10) rather than nothing, in units of chance. The share π_j
//! of effects of each cause is found by expectation and maximisation, drawn towards that of all
//! (p̄, worth five edges), and an edge is ranked by its log odds: logit π_j + log BF.

use ndarray::{Array3, ArrayView2, ArrayViewMut2, Axis};
use serde::{Deserialize, Serialize};

use super::small;
use crate::error::{Error, Result};

/// The median of χ² with one degree of freedom.
const MEDIAN: f64 = 0.454_9;
/// Variance of an effect, in units of chance.
const EFFECT: f64 = 10.0;
/// Log evidence beyond which an edge is certain: only the logarithm of more counts, to keep the order.
const MOST_EVIDENCE: f64 = 200.0;
/// Edges that the share of all causes is worth.
const PRIOR: f64 = 5.0;
/// The least and the largest share of effects.
const SHARES: (f64, f64) = (1e-4, 0.9);
/// The share that the first round begins with.
const FIRST: f64 = 0.02;
/// Rounds of expectation and maximisation.
const ROUNDS: usize = 30;

/// What is believed of causes before the data are looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sources {
    /// Nothing: an edge counts on its own.
    #[default]
    Same,
    /// Some variables have many effects and others few.
    Differ,
}

impl Sources {
    /// The words for it.
    pub const RANGE: &'static str = "same or differ";
}

impl std::str::FromStr for Sources {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "same" => Ok(Self::Same),
            "differ" => Ok(Self::Differ),
            _ => Err(Error::parameter("sources", text, Self::RANGE)),
        }
    }
}

/// Log odds of every edge, each lag on its own.
pub(super) fn differ(statistics: &Array3<f32>) -> Array3<f32> {
    let mut odds = statistics.clone();
    odds.axis_iter_mut(Axis(0)).for_each(one_lag);
    odds
}

fn one_lag(mut statistics: ArrayViewMut2<'_, f32>) {
    // Without any evidence between variables all are alike.
    let unit = unit(statistics.view()).unwrap_or(0.0);
    let evidence = statistics.mapv(|s| log_bayes_factor(f64::from(s) * unit));
    let shares = shares(evidence.view());
    for ((from, to), s) in statistics.indexed_iter_mut() {
        *s = small(logit(shares[from]) + evidence[[from, to]]);
    }
}

/// What statistics of edges between variables are multiplied by to be χ² by chance. Those that are 0 are
/// of edges that were ruled out, not looked at.
fn unit(statistics: ArrayView2<'_, f32>) -> Option<f64> {
    let between = statistics.indexed_iter().filter(|((from, to), s)| from != to && **s > 0.0);
    let mut known: Vec<f64> = between.map(|(_, s)| f64::from(*s)).collect();
    known.sort_unstable_by(f64::total_cmp);
    let (low, high) = (known.get(known.len().checked_sub(1)? / 2)?, known[known.len() / 2]);
    Some(MEDIAN / f64::midpoint(*low, high))
}

fn log_bayes_factor(squared: f64) -> f64 {
    if squared.is_nan() {
        return squared; // `max` and `min` would make a number of it
    }
    let gain = 0.5 * squared.max(0.0) * EFFECT / (EFFECT + 1.0);
    let evidence = gain - 0.5 * EFFECT.ln_1p();
    let beyond = (evidence - MOST_EVIDENCE).max(0.0);
    evidence.min(MOST_EVIDENCE) + beyond.ln_1p()
}

/// The share of effects of each cause.
fn shares(evidence: ArrayView2<'_, f64>) -> Vec<f64> {
    let d = evidence.nrows();
    let mut shares = vec![FIRST; d];
    for _ in 0..ROUNDS {
        let expected: Vec<(f64, f64)> = (0..d)
            .map(|from| {
                let odds = logit(shares[from]);
                let known = (0..d).filter(|to| *to != from && !evidence[[from, *to]].is_nan());
                known.fold((0.0, 0.0), |(sum, count), to| {
                    (sum + 1.0 / (1.0 + (-odds - evidence[[from, to]]).exp()), count + 1.0)
                })
            })
            .collect();
        let (all, count) = expected.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        let mean = all / f64::max(count, 1.0);
        for (share, (sum, count)) in shares.iter_mut().zip(&expected) {
            *share = ((sum + PRIOR * mean) / (count + PRIOR)).clamp(SHARES.0, SHARES.1);
        }
    }
    shares
}

fn logit(share: f64) -> f64 {
    (share / (1.0 - share)).ln()
}
