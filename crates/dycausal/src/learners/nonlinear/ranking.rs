//! What the data say for every possible edge, given the causes that were found.

use rayon::prelude::*;

use crate::error::Result;
use crate::graph::Ranking;
use crate::knowledge::Knowledge;
use crate::listing::{self, Candidate, has_room};
use crate::run::Run;
use crate::scores::LocalScore;
use crate::scores::additive::AdditiveScore;

/// Statistics of all edges in the panel's numbers: those of the causes as they were tested, those of all
/// others by what the additive model would gain; 0 against the order. `None` where there are too many places.
pub(super) fn ranking(
    score: &AdditiveScore,
    position: &[usize],
    causes: &[Candidate],
    (knowledge, before): (&Knowledge, &[usize]),
    run: &mut Run,
) -> Result<Option<Ranking>> {
    let (d, lag) = (score.variables(), score.columns.lag());
    if !has_room((lag + 1) * d * d, run) {
        return Ok(None);
    }
    let of_target = |to: usize| {
        run.proceed()?;
        let selected: Vec<usize> =
            causes.iter().filter(|c| c.to == to).map(|c| c.lag * d + c.from).collect();
        let before = |c: usize| c >= d || position[c] < position[to];
        let allowed = |c: usize| before(c) && knowledge.allows_column(c, to, d);
        Ok(score.statistics(to, &selected, allowed))
    };
    let mut found: Vec<Vec<f64>> =
        run.parallel(|| (0..d).into_par_iter().map(of_target).collect::<Result<_>>())?;
    for cause in causes {
        found[cause.to][cause.lag * d + cause.from] = cause.statistic.unwrap_or(0.0).max(0.0);
    }
    listing::ranking(found.into_iter().enumerate(), before, (0, lag)).map(Some)
}
