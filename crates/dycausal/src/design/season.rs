//! Patterns that repeat: which period, and how many of its harmonics.
//!
//! For every period and number of harmonics the robust score statistic of the sines and cosines is
//! asked for, given each variable's own lags and its smooth mean, and what it gains is summed over
//! variables: −n log(1 − W/n) − k log n. A pattern is there if that sum exceeds 2 log(periods).
//! Own lags imitate a sharp pattern so well that little is left to gain: `profile` asks for those.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::score_test::NullRegression;
use crate::panel::TimeIndex;
use crate::panel::calendar::{DAY, Grid, Step};
use crate::run::Cancel;

/// Cycles that the data have to hold at least.
const LEAST_CYCLES: f64 = 1.25;
/// Cycles from which on a pattern has little to do with a smooth mean.
const MANY_CYCLES: f64 = 8.0;
/// Distance between two long periods, in cycles.
const RESOLUTION: f64 = 0.25;
/// Longest period of which all harmonics are tried.
pub(super) const LONGEST_PROFILE: usize = 31;
/// Harmonics that are tried besides all of them.
const HARMONICS: [usize; 3] = [1, 2, 3];

/// A pattern that repeats every `period` steps: so many sines and cosines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Season {
    /// Steps after which it repeats.
    pub period: f64,
    /// How many harmonics it has; half of the period is every pattern there is.
    pub harmonics: usize,
}

impl Season {
    /// Its functions at steps `0..steps`.
    pub(crate) fn functions(self, steps: usize) -> Vec<Vec<f64>> {
        let turn = |t: usize, k: usize| std::f64::consts::TAU * (k * t) as f64 / self.period;
        let wave = |k: usize, f: fn(f64) -> f64| (0..steps).map(|t| f(turn(t, k))).collect();
        let mut out = Vec::with_capacity(2 * self.harmonics);
        for k in 1..=self.harmonics {
            out.push(wave(k, f64::cos));
            // At half of the period every sine is 0.
            if (2 * k) as f64 != self.period {
                out.push(wave(k, f64::sin));
            }
        }
        out
    }

    /// Every pattern of this period.
    pub(super) fn full(period: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        let harmonics = (period / 2.0) as usize;
        Self { period, harmonics: harmonics.max(1) }
    }

    /// Whether it is every pattern of a period of whole steps.
    pub(super) fn is_full(self) -> bool {
        self.period.fract() == 0.0 && self.harmonics >= Self::full(self.period).harmonics
    }

    /// Adds the pattern to others; two that fit into one short period, or into the longer of them where that is
    /// there in full, are one pattern.
    pub(crate) fn join(self, seasons: &mut Vec<Self>) {
        let common = |other: &Self| {
            let full = [self, *other].into_iter().filter(|season| season.is_full());
            let longest = full.map(|season| season.period).fold(LONGEST_PROFILE as f64, f64::max);
            let multiples = (1..).map(|k| f64::from(k) * self.period);
            multiples.take_while(|m| *m <= longest).find(|m| m % other.period == 0.0)
        };
        let found = seasons.iter().position(|other| common(other).is_some());
        let Some(at) = found else { return seasons.push(self) };
        let other = seasons.remove(at);
        let Some(period) = common(&other) else { return seasons.push(self) };
        Self::full(period).join(seasons);
    }
}

/// The periods that are tried: whole steps while these can be told apart, then quarters of a cycle;
/// and those of the calendar first.
pub(crate) fn periods(steps: usize, calendar: &[f64]) -> Vec<f64> {
    let longest = steps as f64 / LEAST_CYCLES;
    let mut out: Vec<f64> = calendar.iter().copied().filter(|p| *p <= longest).collect();
    let mut period = 3.0;
    while period <= longest {
        if !out.contains(&period) {
            out.push(period);
        }
        let cycles = steps as f64 / period;
        let next = steps as f64 / (cycles - RESOLUTION).max(1e-9);
        period = if next <= period + 1.0 || period < 12.0 { period + 1.0 } else { next };
    }
    out
}

/// The periods of day, week and year, where steps have dates at even distances.
pub(crate) fn calendar(times: &TimeIndex) -> Vec<f64> {
    let TimeIndex::Dates { seconds, .. } = times else { return Vec::new() };
    if Grid::of(times).is_some_and(|grid| grid.step == Step::BusinessDay) {
        return vec![5.0, 365.2425 * 5.0 / 7.0];
    }
    let mut gaps: Vec<f64> = seconds.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f64::total_cmp);
    let Some(typical) = gaps.get(gaps.len() / 2).copied().filter(|gap| *gap > 0.0) else {
        return Vec::new();
    };
    // Months and quarters are not equally long.
    for (days, count) in [(28.0..=31.0, 12.0), (89.0..=93.0, 4.0)] {
        if days.contains(&(typical / DAY)) {
            return vec![count];
        }
    }
    let cycles = [DAY, 7.0 * DAY, 365.2425 * DAY];
    cycles.into_iter().map(|cycle| cycle / typical).filter(|period| *period >= 3.0).collect()
}

/// The pattern that gains most, if any gains enough; `nulls` has one regression per variable, whose
/// rows are at these steps.
pub(crate) fn find(
    nulls: &[NullRegression],
    steps: &[usize],
    length: usize,
    calendar: &[f64],
    cancel: &Cancel,
) -> Option<Season> {
    let periods = periods(length, calendar);
    // One period at a time: its functions are the same for all variables.
    let tried: Vec<(Season, Vec<f64>)> = periods
        .par_iter()
        // What is found of some periods alone is of no use: the caller asks again.
        .filter(|_| !cancel.is_cancelled())
        .flat_map_iter(|period| {
            let shapes = shapes(*period, steps.len());
            let widest = shapes.last().copied().unwrap_or(Season { period: *period, harmonics: 1 });
            let functions = widest.functions(length);
            let at = |f: &Vec<f64>| steps.iter().map(|t| f[*t]).collect::<Vec<f64>>();
            let rows: Vec<Vec<f64>> = functions.iter().map(at).collect();
            // Few cycles are like polynomials, which are in already.
            let many = length as f64 > MANY_CYCLES * *period;
            let rough = |null: &NullRegression| null.rough_gains(&rows).filter(|_| many);
            let gains = |null: &NullRegression| rough(null).unwrap_or_else(|| null.gains(&rows));
            let gains: Vec<Vec<f64>> = nulls.iter().map(gains).collect();
            let of = move |shape: Season| {
                let last = (2 * shape.harmonics).min(rows.len()) - 1;
                (shape, gains.iter().map(|of_one| of_one[last]).collect())
            };
            shapes.into_iter().map(of).collect::<Vec<_>>()
        })
        .collect();
    let cost = |season: &Season| {
        let known = calendar.contains(&season.period);
        let choices = if known { calendar.len() + 1 } else { periods.len() };
        2.0 * (choices as f64).ln()
    };
    let best = tried
        .iter()
        .map(|(season, gains)| (season, total(gains) - cost(season)))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 > 0.0).then_some(*best.0)
}

/// What a pattern gains all variables.
pub(super) fn total(gains: &[f64]) -> f64 {
    let choice = 2.0 * (gains.len() as f64).ln();
    let all: f64 = gains.iter().sum();
    // A few variables may have it alone; which ones is one more thing that is chosen.
    let some = gains.iter().map(|gain| (gain - choice).max(0.0)).sum();
    all.max(some)
}

/// How many harmonics of a period are tried.
fn shapes(period: f64, rows: usize) -> Vec<Season> {
    let whole = period.fract() == 0.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
    let most = (period / 2.0).floor() as usize;
    let mut out: Vec<usize> = HARMONICS.into_iter().filter(|k| *k < most).collect();
    let few = most <= HARMONICS[HARMONICS.len() - 1];
    let short = whole && 2 * most <= LONGEST_PROFILE && 20 * most <= rows;
    if few || short {
        out.push(most);
    }
    out.into_iter().map(|harmonics| Season { period, harmonics }).collect()
}
