//! What nonlinear methods take out of the data: a mean that moves only where that is all that is left.
//!
//! A function bends where it bends: taking the mean of each step out of a cause, as the linear methods do,
//! would move the bend from step to step. So a cause keeps its values but for what repeats or jumps, and
//! effects are counted from a mean that may move.

use rand::RngExt;

use super::lag;
use crate::design::{
    Columns, MeanCurve, Means, MissingCells, Preparation, Prepared, series_have_levels,
};
use crate::error::Result;
use crate::learners::parameters::Common;
use crate::panel::Panel;
use crate::run::{Auto, Run};

/// Standard deviations by which means of steps have to exceed chance for each step to have its own.
const MOVING_MEANS: f64 = 8.0;
/// Share of the variance that means of steps have to explain beyond chance for that: every step that has its
/// own takes a row of each set, and small ones do little harm.
const LARGE_SHARE: f64 = 0.3;
/// Ways in which series are shifted to learn what is chance.
const SHIFTS: usize = 40;

/// What is found and asked for.
pub(in super::super) fn prepared(
    panel: &Panel,
    Common { season, breaks, missing, .. }: Common,
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
    run.facts_mut().taken_out = Some(preparation.words(panel.names()));
    if panel.series() > 1 && run.parallel(|| series_have_levels(&data)) {
        run.warn("series have levels of their own, which are not taken out where effects bend: a variable's own past stands in for them; `ordered` takes them out");
    }
    Ok((preparation, data))
}

/// What was taken out of the data, and the rest as columns of a lag, which variables are in another order in:
/// which each was before.
pub(super) struct Sorted {
    pub preparation: Preparation,
    pub columns: Columns,
    pub before: Vec<usize>,
}

/// Prepares data, and chooses the lag where nobody did, with so many functions of each cause.
pub(super) fn sorted(
    panel: &Panel,
    common: Common,
    functions: usize,
    run: &mut Run,
) -> Result<Sorted> {
    let (preparation, prepared) = prepared(panel, common, run)?;
    let lag = match common.lag {
        Auto::Value(lag) => lag,
        Auto::Auto => {
            run.stage("lag", None);
            let choice = run.parallel(|| lag::choose(&prepared, functions, run))?;
            let chosen = choice.chosen;
            run.facts_mut().lag = Some(choice);
            chosen
        }
    };
    let (columns, before) = run.parallel(|| prepared.columns(lag).map(Columns::sorted))?;
    Ok(Sorted { preparation, columns, before })
}

/// Whether means of steps differ by more than chance, where there are enough series to tell.
///
/// Series that remember themselves make means of steps that wander. So the size of these means is compared
/// with what it is after each series was shifted in time, around its end, by steps of its own: that keeps
/// what each remembers, and leaves nothing that all do at one time.
pub(super) fn means_move(columns: &Columns, run: &Run) -> bool {
    let (series, steps) = (columns.series(), columns.steps());
    if series < 5 || steps < 2 || columns.weights().is_some() {
        return false;
    }
    let mut random = run.random("means of steps");
    let mut moves = |v: usize| {
        let column = columns.column(v);
        let size = |shifts: &[usize]| -> f64 {
            let mean = |t: usize| -> f64 {
                let value = |(n, shift): (usize, &usize)| column[(t + shift) % steps * series + n];
                shifts.iter().enumerate().map(value).sum::<f64>() / series as f64
            };
            (0..steps).map(|t| mean(t).powi(2)).sum()
        };
        let found = size(&vec![0; series]);
        let mut shifted = || {
            let shifts: Vec<usize> = (0..series).map(|_| random.random_range(0..steps)).collect();
            size(&shifts)
        };
        let others: Vec<f64> = (0..SHIFTS).map(|_| shifted()).collect();
        let mean = others.iter().sum::<f64>() / SHIFTS as f64;
        let spread = others.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / SHIFTS as f64;
        let all: f64 = column.iter().map(|x| x * x).sum();
        let share = (found - mean) * series as f64 / all.max(1e-300);
        share > LARGE_SHARE && found > mean + MOVING_MEANS * spread.sqrt()
    };
    (0..columns.variables()).any(&mut moves)
}
