//! Which lag the data ask for.
//!
//! In the order found with the longest lag that is tried, each variable is regressed with effects
//! between variables up to lag L and its own lags free. The lag is that of the least
//! Σ_i n log s²_i + (parents)(B log n + 2 log((L + 1) d)).

use rayon::prelude::*;
use serde::Serialize;

use super::pipeline::{Fitted, Given};
use crate::panel::Panel;
use crate::scores::LocalScore;

/// The longest lag that is tried.
const MOST: usize = 5;
/// Rows per possible cause, at least, for a lag to be tried.
const ROWS: usize = 2;

/// The longest lag that is tried with data of this size.
pub(super) fn longest(panel: &Panel) -> usize {
    let rows = panel.series() * panel.steps();
    let by_rows = (rows / (ROWS * panel.variables())).saturating_sub(1);
    MOST.min(panel.steps() / 5).min(by_rows).max(1)
}

/// The criterion of each lag from 1 on, less that of the best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Curve {
    /// The lag that was chosen.
    pub chosen: usize,
    /// \[lag − 1\]: how much worse, in units of −2 log likelihood.
    pub worse: Vec<f64>,
}

/// The lag with the least criterion.
pub(super) fn choose(fitted: &Fitted, given: &Given) -> Curve {
    let score = &fitted.score;
    let (d, rows) = (score.variables(), score.columns.rows());
    let position = &fitted.learned.state.position;
    let cost = |lag: usize| -> f64 {
        let parent = score.penalty() + 2.0 * (((lag + 1) * d) as f64).ln();
        (0..d)
            .into_par_iter()
            .map_init(
                || given.lend(),
                |scratch, to| {
                    let allowed = |c: usize| {
                        let (from, back) = (c % d, c / d);
                        let admitted =
                            if back == 0 { position[from] < position[to] } else { back <= lag };
                        given.knowledge.allows_column(c, to, d)
                            && (admitted || (from == to && back > 0))
                    };
                    let fit = score.regress(to, allowed, &mut scratch.score);
                    let parents = fit.selected.iter().filter(|c| **c % d != to).count();
                    rows * fit.variance.max(1e-15).ln() + parent * parents as f64
                },
            )
            .sum()
    };
    let costs: Vec<f64> = (1..=score.columns.lag()).map(cost).collect();
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let chosen = costs.iter().position(|cost| *cost <= least).unwrap_or(0) + 1;
    Curve { chosen, worse: costs.iter().map(|cost| cost - least).collect() }
}
