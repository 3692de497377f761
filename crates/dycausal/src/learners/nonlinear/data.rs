//! What nonlinear methods take out of the data: a mean that moves only where that is all that is left.
//!
//! A function bends where it bends: taking the mean of each step out of a cause, as the linear methods do,
//! would move the bend from step to step. So a cause keeps its values but for what repeats or jumps, and
//! effects are counted from a mean that may move.

use crate::design::{MeanCurve, Means, Missing, MissingCells, Preparation, Prepared};
use crate::error::Result;
use crate::method::{Auto, Run};
use crate::panel::Panel;

/// What is found and asked for.
pub(in super::super) fn prepared(
    panel: &Panel,
    season: Auto<usize>,
    breaks: bool,
    missing: Missing,
    run: &mut Run,
) -> Result<(Preparation, Prepared)> {
    run.stage("preparation", None);
    let mut preparation =
        run.parallel(|| Preparation::found(panel, season, breaks, run.cancel()))?;
    preparation.means.get_or_insert_with(|| Means {
        curves: vec![MeanCurve { polynomials: 1, breaks: Vec::new() }; panel.variables()],
        seasons: Vec::new(),
    });
    preparation.missing = MissingCells::of(panel, missing);
    let data = run.parallel(|| Prepared::of(panel, &preparation, &|| run.proceed()))?;
    run.tell("taken_out", preparation.words(panel.names()));
    Ok((preparation, data))
}
