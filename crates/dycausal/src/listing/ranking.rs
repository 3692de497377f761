//! What the data say for every possible edge, listed or not.

use ndarray::Array3;

use crate::error::Result;
use crate::graph::Ranking;
use crate::run::Run;

/// Whether a ranking of so many places is made; says so where there are too many.
pub fn has_room(places: usize, run: &mut Run) -> bool {
    let most = Ranking::MOST;
    if places > most {
        run.warn(format!("no ranking of all edges: there are {places}, more than {most}"));
    }
    places <= most
}

/// The ranking of log likelihood ratios: of each effect and its columns, (lag − first) · variables + cause, in
/// numbers that stand for those `before`; nothing is known at lags before the first.
///
/// # Errors
/// If there is no lag.
pub fn ranking(
    found: impl IntoIterator<Item = (usize, Vec<f64>)>,
    before: &[usize],
    (first, lag): (usize, usize),
) -> Result<Ranking> {
    let d = before.len();
    let mut values = Array3::from_elem((lag + 1, d, d), f64::NAN);
    for (to, statistics) in found {
        for (column, statistic) in statistics.into_iter().enumerate() {
            values[[first + column / d, before[column % d], before[to]]] = statistic;
        }
    }
    Ranking::new("log likelihood ratio", values)
}
