//! What nonlinear methods say of an edge: whether it stands up to a test, how sure its direction is, how
//! steep its effect is.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::graph::{Edge, Mark, Tests};
use crate::inference::adjusted_among;
use crate::thresholds::VERY_STRONG_EVIDENCE;

/// One cause of one variable, as a regression has it.
#[derive(Debug, Clone)]
pub(super) struct Cause {
    /// The variable, as a panel numbers it.
    pub to: usize,
    /// The cause, likewise.
    pub from: usize,
    /// How many steps before.
    pub lag: usize,
    /// −2 log likelihood that is lost without it.
    pub statistic: f64,
    /// How many coefficients it has.
    pub freedom: f64,
    /// Whether it was required.
    pub required: bool,
    /// How much worse the score is with it turned around; `None` for causes at earlier steps.
    pub reversal: Option<f64>,
}

impl Cause {
    fn is_own(&self) -> bool {
        self.from == self.to
    }

    /// p of the likelihood ratio.
    fn p(&self) -> f64 {
        ChiSquared::new(self.freedom.max(1.0)).map_or(1.0, |chi| chi.sf(self.statistic.max(0.0)))
    }

    /// Writes tests and direction into an edge.
    pub fn describe(&self, edge: &mut Edge, (p, q): (f64, f64)) {
        edge.tests = Some(Tests {
            statistic: Some(self.statistic),
            absent: Some(p),
            absent_adjusted: Some(q),
            ..Tests::default()
        });
        if let Some(worse) = self.reversal {
            edge.confidence = Some((1.0 / (1.0 + (-worse / 2.0).exp())).max(0.5));
            if worse < VERY_STRONG_EVIDENCE {
                edge.mark = Mark::Undirected;
            }
        }
    }
}

/// p and q of each cause: edges between variables are one family of tests, effects of variables on
/// themselves another, each over every edge that could have been selected.
pub(super) fn tests(causes: &[Cause], variables: usize, lag: usize) -> Vec<(f64, f64)> {
    let p: Vec<f64> = causes.iter().map(Cause::p).collect();
    let mut out: Vec<(f64, f64)> = p.iter().map(|p| (*p, 1.0)).collect();
    let cross = variables * variables.saturating_sub(1) / 2 * (2 * lag + 1);
    for (own, possible) in [(true, variables * lag), (false, cross)] {
        let family: Vec<usize> = (0..causes.len()).filter(|k| causes[*k].is_own() == own).collect();
        let among: Vec<f64> = family.iter().map(|k| p[*k]).collect();
        let adjusted = adjusted_among(&among, possible.max(family.len()));
        family.iter().zip(adjusted).for_each(|(k, q)| out[*k].1 = q);
    }
    out
}
