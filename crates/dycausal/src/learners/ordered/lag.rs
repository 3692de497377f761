//! Which lag the data ask for.
//!
//! In the order found with a lag of 1 (with few variables: looked at again with the longest lag that
//! is tried), each variable is regressed with effects
//! between variables up to lag L and its own lags free. The lag is that of the least
//! Σ_i n log s²_i + (parents)(B log n + 2 log((L + 1) d)).

use super::pipeline::{Fitted, Given};
use super::{Ordered, pipeline};
use crate::design::Columns;
use crate::error::Result;
use crate::learners::lag::LagQuestion;
use crate::moments::TimeBasis;
use crate::panel::Panel;
use crate::run::facts::LagChoice;
use crate::run::memory::bytes;
use crate::run::{PanelShape, Run};
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::scores::linear::shrink::Fit;
use crate::search::{self, Start};

/// The longest lag that is tried.
const MOST: usize = 5;
/// Variables up to which the order is looked at again with the longest lag.
const SMALL: usize = 15;
/// Variables that are looked at where columns are too many for all of their moments.
const SAMPLE: usize = 256;
/// Rows per possible cause, at least, for a lag to be tried.
const ROWS: usize = 2;

/// The longest lag that is tried with data of this size.
pub(super) fn longest(panel: &Panel) -> usize {
    let rows = panel.series() * panel.steps();
    let by_rows = (rows / (ROWS * panel.variables())).saturating_sub(1);
    MOST.min(panel.steps() / 5).min(by_rows).max(1)
}

/// The lag with the least criterion, in the order that was found with a lag of 1.
///
/// # Errors
/// If the data have no rows with the longest lag, or the run is cancelled.
pub(super) fn choose(
    method: &Ordered,
    fitted: &Fitted,
    prepared: &impl Fn(usize) -> Result<Columns>,
    panel: &Panel,
    run: &Run,
) -> Result<LagChoice> {
    let least = run.knowledge().longest_lag().max(1);
    // Missing cells leave fewer rows the longer the lag: half of them have to be left.
    let enough = |columns: &Columns| 2.0 * columns.rows() >= fitted.score.columns.rows();
    let found = (2..=longest(panel)).rev().find_map(|lag| prepared(lag).ok().filter(enough));
    let Some(columns) = found else {
        return Ok(LagChoice { chosen: least, worse: vec![0.0], margin: 0.0 });
    };
    let columns = columns.by_information();
    let longest = columns.lag();
    let steps = panel.steps();
    let basis = method.movement.family().basis(fitted.basis.size(), steps, longest)?;
    let basis = TimeBasis::new(&basis, &columns)?;
    // Variables keep the panel's numbers here.
    let mut position = vec![0; panel.variables()];
    let order = fitted.order();
    order.iter().enumerate().for_each(|(at, v)| position[*v] = at);
    let needed = bytes(pipeline::moments(PanelShape::of(panel), longest, basis.size()));
    run.afford(&format!("a look at lags up to {longest}"), needed, "set `lag`")?;
    let score = LinearScore::new(columns, basis, false, run.cancel())?;
    if panel.variables() <= SMALL {
        // A lag that is too short may have led the order astray: it is looked at again.
        let given = Given::new(run.knowledge().clone());
        position = search::learn(&score, Start::Near(&order), &given, run)?.state.position;
    }
    let knowledge = run.knowledge();
    let (d, rows) = (score.variables(), score.columns.rows());
    let allowed = |lag: usize, c: usize, to: usize| {
        let (from, back) = (c % d, c / d);
        let admitted = match back {
            0 => position[from] < position[to],
            _ => back <= lag || from == to,
        };
        admitted && knowledge.allows_column(c, to, d)
    };
    let cost = |lag: usize, to: usize, fit: &Fit| {
        let parent = score.penalty() + 2.0 * (((lag + 1) * d) as f64).ln();
        let parents = fit.selected.iter().filter(|c| **c % d != to).count();
        rows * fit.variance.max(1e-15).ln() + parent * parents as f64
    };
    let question = LagQuestion {
        longest,
        least,
        margin: 0.0,
        // Where columns are too many for all of their moments, some variables tell.
        some: (0..d).step_by(d.div_ceil(SAMPLE)).collect(),
        allowed: &allowed,
        required: &|to| knowledge.required_columns(to),
        cost: &cost,
    };
    question.asked(&score)
}
