//! How far back effects reach, where nobody said.
//!
//! Each variable is regressed on lags 1 to L of all, nothing within the step, by grow-and-shrink on the same
//! rows for every L; the L with the least total score is taken, among those within a small margin the
//! shortest. What acts within a step spreads lagged effects to other variables, but never to longer lags.

use rayon::prelude::*;
use serde::Serialize;

use crate::design::Prepared;
use crate::error::Result;
use crate::moments::TimeBasis;
use crate::run::Run;
use crate::scores::LocalScore;
use crate::scores::additive::{AdditiveScore, Scratch};
use crate::thresholds::VERY_STRONG_EVIDENCE;

/// The longest lag that is tried.
const LONGEST: usize = 4;
/// Rows that each column has, at least: a matter of time, for what many columns gain by chance is paid for.
const ROWS_PER_COLUMN: f64 = 2.0;

/// The score of each lag.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Curve {
    /// The lag that was taken.
    pub chosen: usize,
    /// Scores of lags 1, 2, …, those of the chosen one 0.
    pub scores: Vec<f64>,
}

/// The lag with the best score.
pub(super) fn choose(data: &Prepared, functions: usize, run: &Run) -> Result<Curve> {
    let most = longest(data);
    let columns = data.columns(most)?;
    let basis = crate::basis::Basis::new(crate::basis::Shape::Constant, columns.all_steps(), most)?;
    let basis = TimeBasis::new(&basis, &columns)?;
    let (rows, d) = (columns.rows(), columns.variables());
    let score = AdditiveScore::new(columns, basis, functions, false, run.cancel());
    let one = |(lag, target): (usize, usize)| {
        score.proceed()?;
        let allowed = |column: usize| (1..=lag).contains(&(column / d));
        let fit = score.regress(target, allowed, &[], &mut Scratch::default());
        // The best of many columns gains by chance: each selected one costs what looking at all of them does.
        let looked = 2.0 * ((lag * d) as f64).ln() * fit.selected.len() as f64;
        Ok((lag, rows * fit.variance.max(1e-15).ln() + score.cost_of(&fit) + looked))
    };
    let pairs = (1..=most).flat_map(|lag| (0..d).map(move |target| (lag, target)));
    let found: Vec<(usize, f64)> =
        pairs.collect::<Vec<_>>().into_par_iter().map(one).collect::<Result<_>>()?;
    let mut scores = vec![0.0; most];
    for (lag, score) in found {
        scores[lag - 1] += score;
    }
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let near = least + VERY_STRONG_EVIDENCE * (d as f64).max(1.0).sqrt();
    let best = (0..most).find(|at| scores[*at] <= near).unwrap_or(0);
    let least = scores[best];
    for score in &mut scores {
        *score -= least;
    }
    Ok(Curve { chosen: best + 1, scores })
}

/// The longest lag that rows are enough for.
fn longest(data: &Prepared) -> usize {
    let mut lag = LONGEST;
    while lag > 1 {
        let fits = data.columns(lag).is_ok_and(|columns| {
            columns.rows() >= ROWS_PER_COLUMN * columns.size() as f64 && columns.steps() > 4 * lag
        });
        if fits {
            break;
        }
        lag -= 1;
    }
    lag
}
