//! How often an edge is found again in half of the data.
//!
//! Every resample takes half of the series at random, or half of the blocks of time where there
//! are fewer than four series, as weights of rows: moments are added up anew, nothing is copied.

use std::collections::HashMap;

use rand::seq::SliceRandom;

use super::pipeline::Given;
use crate::design::{Columns, Partition};
use crate::error::Result;
use crate::moments::TimeBasis;
use crate::run::Run;
use crate::scores::linear::LinearScore;
use crate::search::{self, Start};

/// Blocks of time that stand in for series.
const BLOCKS: usize = 20;
/// Series needed to resample them.
const SERIES: usize = 4;

/// The share of resamples in which column → variable was found.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn support(
    score: &LinearScore,
    resamples: usize,
    order: &[usize],
    given: &Given,
    run: &Run,
) -> Result<HashMap<(usize, usize), f64>> {
    let mut random = run.random("resamples");
    let mut found: HashMap<(usize, usize), usize> = HashMap::new();
    for _ in 0..resamples {
        run.proceed()?;
        let columns = half(&score.columns, &mut random);
        let of = |columns: Columns| {
            let basis: TimeBasis = score.basis.clone();
            LinearScore::new(columns, basis, score.non_gaussian, run.cancel())
        };
        // As in the fit: where cells are missing, rows that were observed wholly tell the order.
        let whole = match columns.well_observed() {
            Some(whole) => Some(search::learn(&of(whole)?, Start::Near(order), given, run)?),
            None => None,
        };
        let start = whole.as_ref().map_or(Start::Near(order), |w| Start::Known(&w.state.order));
        let learned = search::learn(&of(columns)?, start, given, run)?;
        for (to, fit) in learned.fits.iter().enumerate() {
            for column in &fit.selected {
                *found.entry((*column, to)).or_default() += 1;
            }
        }
        run.advance(1);
    }
    let share = |times: usize| times as f64 / resamples as f64;
    Ok(found.into_iter().map(|(edge, times)| (edge, share(times))).collect())
}

/// The columns with half of the series, or of the blocks of time, left out.
fn half(columns: &Columns, random: &mut impl rand::Rng) -> Columns {
    let by_series = columns.series() >= SERIES;
    let blocks = Partition::stretches(BLOCKS, columns.steps());
    let units = if by_series { columns.series() } else { blocks.count() };
    let mut drawn: Vec<usize> = (0..units).collect();
    drawn.shuffle(random);
    let mut kept = vec![0.0; units];
    drawn.iter().take(units.div_ceil(2)).for_each(|unit| kept[*unit] = 1.0);
    columns.reweighted(
        |series, step| {
            if by_series { kept[series] } else { kept[blocks.of_step(step)] }
        },
    )
}
