//! Patterns of a few steps that are no sums of a few waves: a weekend, a rush hour.
//!
//! Own lags imitate a sharp pattern: y_{t−7} is nearly y_t, so that a score test given own lags sees little.
//! So the best regression on own lags and the whole profile (a value for every place in the cycle) is
//! compared with the best regression on own lags alone, each with as many lags as it likes, by n log s² + k log n
//! summed over variables. A period whose mean profile says nothing by itself is not asked.

use rayon::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::mean_curve::{Series, SmoothCurve, Sought, include_lags, rows, smooth, start};
use super::own_lags::most_own_lags;
use super::season::{LONGEST_PROFILE, Season, total};
use crate::error::Result;

/// Cycles that a whole profile needs.
const LEAST_CYCLES: f64 = 5.0;
/// Longest period of the calendar that is asked for in full: the hours of a week.
const LONGEST_OF_CALENDAR: f64 = 168.0;
/// Periods that are asked in earnest, at most.
const MOST_ASKED: usize = 5;
/// p below which waves that were found are not the whole pattern.
const MORE_WAVES: f64 = 0.01;

/// The next pattern: the waves that were found or a whole profile, whichever gains more.
pub(super) fn preferred(
    waves: Option<Season>,
    variables: &[Series<'_>],
    now: &[&SmoothCurve],
    seasons: &[Season],
    sought: Sought<'_>,
) -> Result<Option<Season>> {
    let asked = periods(variables, sought.calendar);
    let choice = 2.0 * (asked.len().max(1) as f64).ln();
    let gain = |season: Season| gain(season, variables, now, seasons, sought);
    let mut best = None;
    for season in promising(&asked, variables, now, seasons)? {
        let gain = gain(season)? - choice;
        if gain > best.map_or(0.0, |(_, most)| most) {
            best = Some((season, gain));
        }
    }
    match (waves, best) {
        (Some(waves), Some((profile, most))) if gain(waves)? - choice < most => Ok(Some(profile)),
        (Some(waves), _) => widened(waves, variables, seasons, sought).map(Some),
        (None, best) => Ok(best.map(|(season, _)| season)),
    }
}

fn affordable(period: f64, steps: usize) -> bool {
    period.fract() == 0.0 && steps as f64 >= LEAST_CYCLES * period
}

/// Periods of whole steps of which there are enough cycles.
fn periods(variables: &[Series<'_>], calendar: &[f64]) -> Vec<usize> {
    let steps = variables.first().map_or(0, |of| of.steps);
    let mut out: Vec<usize> = (3..=LONGEST_PROFILE).collect();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole, and above 2
    let known = calendar.iter().filter(|period| **period <= LONGEST_OF_CALENDAR);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole, and above 2
    out.extend(known.filter(|period| period.fract() == 0.0).map(|period| *period as usize));
    out.sort_unstable();
    out.dedup();
    out.retain(|period| affordable(*period as f64, steps));
    out
}

/// Those whose mean profile explains more than chance, own lags left aside.
fn promising(
    asked: &[usize],
    variables: &[Series<'_>],
    now: &[&SmoothCurve],
    seasons: &[Season],
) -> Result<Vec<Season>> {
    let one = |(of, smooth): (&Series<'_>, &&SmoothCurve)| -> Result<Vec<f64>> {
        let rows = rows(*of, 0, 0);
        let null = start(*of, &rows, &smooth.curve.functions(seasons, of.steps)?);
        let whole: f64 = null.residual().iter().map(|x| x * x).sum();
        let gain = |period: &usize| {
            let mut places = vec![(0.0, 0.0); *period];
            for ((t, _), x) in rows.iter().zip(null.residual()) {
                let place = &mut places[t % period];
                *place = (place.0 + x, place.1 + 1.0);
            }
            let between: f64 = places.iter().map(|(sum, n)| sum * sum / f64::max(*n, 1.0)).sum();
            let left = (1.0 - between / whole.max(f64::MIN_POSITIVE)).max(1e-12);
            -null.rows() * left.ln() - (*period as f64 - 1.0) * null.rows().ln()
        };
        Ok(asked.iter().map(gain).collect())
    };
    let gains: Vec<Vec<f64>> = variables.par_iter().zip(now).map(one).collect::<Result<_>>()?;
    let of_period = |at: usize| total(&gains.iter().map(|of| of[at]).collect::<Vec<f64>>());
    let mut ranked: Vec<(usize, f64)> =
        asked.iter().enumerate().map(|(at, period)| (*period, of_period(at))).collect();
    ranked.retain(|(_, gain)| *gain > 0.0);
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(ranked.iter().take(MOST_ASKED).map(|(period, _)| Season::full(*period as f64)).collect())
}

/// How much lower n log s² + k log n of the best regression with a pattern is, over all variables.
fn gain(
    season: Season,
    variables: &[Series<'_>],
    now: &[&SmoothCurve],
    seasons: &[Season],
    sought: Sought<'_>,
) -> Result<f64> {
    let mut with = seasons.to_vec();
    season.join(&mut with);
    let one = |(of, now): (&Series<'_>, &&SmoothCurve)| {
        sought.cancel.proceed()?;
        Ok(now.criterion - smooth(*of, &with)?.criterion)
    };
    let gains: Vec<f64> = variables.par_iter().zip(now).map(one).collect::<Result<_>>()?;
    Ok(total(&gains))
}

/// The pattern with all its harmonics, where those that were not asked for matter too.
///
/// The regression with all of them chooses the own lags: with few, lags imitate the others.
fn widened(
    season: Season,
    variables: &[Series<'_>],
    seasons: &[Season],
    sought: Sought<'_>,
) -> Result<Season> {
    let full = Season::full(season.period);
    let steps = variables.first().map_or(0, |of| of.steps);
    let known = season.period <= LONGEST_PROFILE as f64
        || sought.calendar.contains(&season.period) && season.period <= LONGEST_OF_CALENDAR;
    if season.is_full() || !known || !affordable(season.period, steps) {
        return Ok(season);
    }
    let before = [seasons, &[season]].concat();
    let after = [seasons, &[full]].concat();
    let one = |of: &Series<'_>| -> Result<(f64, f64)> {
        sought.cancel.proceed()?;
        let SmoothCurve { curve, lags, .. } = smooth(*of, &after)?;
        let rows = rows(*of, lags, most_own_lags(of.steps));
        let mut null = start(*of, &rows, &curve.functions(&before, of.steps)?);
        include_lags(&mut null, *of, &rows, 1..=lags);
        let (few, size) = (null.variance(), null.size());
        for function in full.functions(of.steps) {
            null.include(&rows.iter().map(|(t, _)| function[*t]).collect::<Vec<f64>>());
        }
        let freedom = (null.rows() - null.size() as f64).max(1.0);
        let statistic = freedom * (few / null.variance().max(1e-300)).ln();
        Ok((statistic, (null.size() - size) as f64))
    };
    let tests: Vec<(f64, f64)> = variables.par_iter().map(one).collect::<Result<_>>()?;
    let p = |statistic: f64, size: f64| ChiSquared::new(size).map_or(1.0, |law| law.sf(statistic));
    let together = p(tests.iter().map(|t| t.0).sum(), tests.iter().map(|t| t.1).sum());
    let single = tests.iter().map(|(statistic, size)| p(*statistic, *size)).fold(1.0, f64::min);
    let least = together.min(single * tests.len() as f64);
    Ok(if 2.0 * least < MORE_WAVES { full } else { season })
}

#[cfg(test)]
mod tests {
    use crate::design::mean_curve::{Sought, find};
    use crate::design::season::Season;
    use crate::run::{Auto, Cancel};

    /// The seasons of five variables that have this profile besides noise with some memory.
    fn found(steps: usize, memory: f64, profile: &[f64], calendar: &[f64]) -> Vec<Season> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut uniform = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut values = Vec::new();
        for _ in 0..5 {
            let mut last = 0.0;
            for t in 0..steps {
                last = memory * last + (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                values.push(last + profile[t % profile.len()]);
            }
        }
        let cancel = Cancel::default();
        let sought = Sought { season: Auto::Auto, breaks: true, calendar, cancel: &cancel };
        find(&values, 1, steps, sought).unwrap().seasons
    }

    const WEEK: [f64; 7] = [0.0, 2.0, 4.0, 6.0, 8.0, -10.0, -10.0];

    #[test]
    fn a_week_that_own_lags_imitate_is_taken_out() {
        for steps in [60, 100, 150, 200] {
            for calendar in [&[7.0, 365.2425][..], &[]] {
                assert!(found(steps, 0.0, &WEEK, calendar).contains(&Season::full(7.0)), "{steps}");
            }
        }
    }

    #[test]
    fn an_hour_of_the_day_is_taken_out_in_full() {
        let peak = |hour: f64, at: f64| 4.0 * (-((hour - at) / 1.5).powi(2)).exp();
        let rush: Vec<f64> =
            (0..24).map(|hour| peak(f64::from(hour), 8.0) + peak(f64::from(hour), 17.5)).collect();
        for steps in [240, 480] {
            let seasons = found(steps, 0.0, &rush, &[24.0, 168.0]);
            assert!(seasons.contains(&Season::full(24.0)), "{steps}");
        }
    }

    #[test]
    fn no_profile_is_found_where_there_is_none() {
        for memory in [0.0, 0.5, 0.9, 1.0] {
            for steps in [100, 150, 480] {
                let seasons = found(steps, memory, &[0.0], &[7.0, 365.2425]);
                assert!(!seasons.iter().any(|season| season.is_full()), "{memory}, {steps}");
            }
        }
    }
}
