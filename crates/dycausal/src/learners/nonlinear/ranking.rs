//! What the data say for every possible edge, given the causes that were found.

use ndarray::Array3;
use rayon::prelude::*;

use super::edges::Cause;
use crate::error::Result;
use crate::graph::Ranking;
use crate::knowledge::Knowledge;
use crate::run::Run;
use crate::scores::LocalScore;
use crate::scores::additive::AdditiveScore;

/// Statistics of all edges in the panel's numbers: those of the causes as they were tested, those of all
/// others by what the additive model would gain; 0 against the order. `None` where there are too many places.
pub(super) fn ranking(
    score: &AdditiveScore,
    position: &[usize],
    causes: &[Cause],
    (knowledge, before): (&Knowledge, &[usize]),
    run: &mut Run,
) -> Result<Option<Ranking>> {
    let (d, lag) = (score.variables(), score.columns.lag());
    let places = (lag + 1) * d * d;
    if places > Ranking::MOST {
        let most = Ranking::MOST;
        run.warn(format!("no ranking of all edges: there are {places}, more than {most}"));
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
        found[cause.to][cause.lag * d + cause.from] = cause.statistic.max(0.0);
    }
    let mut values = Array3::from_elem((lag + 1, d, d), f64::NAN);
    for (to, found) in found.into_iter().enumerate() {
        for (column, statistic) in found.into_iter().enumerate() {
            values[[column / d, before[column % d], before[to]]] = statistic;
        }
    }
    Ranking::new("log likelihood ratio", values).map(Some)
}
