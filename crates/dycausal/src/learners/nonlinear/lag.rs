//! Which lag bent effects ask for.
//!
//! Each variable is regressed on lags 1 to L of all, nothing within the step; the shortest lag is taken whose
//! total score is within a small margin of the least. What acts within a step spreads lagged effects to other
//! variables, but never to longer lags.

use crate::basis::{Basis, Shape};
use crate::design::Prepared;
use crate::error::Result;
use crate::learners::lag::LagQuestion;
use crate::moments::TimeBasis;
use crate::run::Run;
use crate::run::facts::LagChoice;
use crate::scores::additive::{AdditiveScore, Fit};
use crate::thresholds::VERY_STRONG_EVIDENCE;

/// The longest lag that is tried.
const LONGEST: usize = 4;
/// Rows that each column has, at least: a matter of time, for what many columns gain by chance is paid for.
const ROWS_PER_COLUMN: f64 = 2.0;

/// The lag with the best score.
pub(super) fn choose(data: &Prepared, functions: usize, run: &Run) -> Result<LagChoice> {
    let most = longest(data);
    let columns = data.columns(most)?;
    let basis = Basis::new(Shape::Constant, columns.all_steps(), most)?;
    let basis = TimeBasis::new(&basis, &columns)?;
    let (rows, d) = (columns.rows(), columns.variables());
    let score = AdditiveScore::new(columns, basis, functions, false, run.cancel());
    let question = LagQuestion {
        longest: most,
        least: run.knowledge().longest_lag(),
        margin: VERY_STRONG_EVIDENCE * (d as f64).max(1.0).sqrt(),
        some: Vec::new(),
        allowed: &|lag, column, _| (1..=lag).contains(&(column / d)),
        required: &|_| Vec::new(),
        cost: &|lag, _, fit: &Fit| {
            // The best of many columns gains by chance: each selected one costs what looking at all of them does.
            let looked = 2.0 * ((lag * d) as f64).ln() * fit.selected.len() as f64;
            rows * fit.variance.max(1e-15).ln() + score.cost_of(fit) + looked
        },
    };
    question.asked(&score)
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
