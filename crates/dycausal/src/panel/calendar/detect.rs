//! Which even steps times stand on.

use jiff::civil::{Date, DateTime};

use super::civil::{DAY, datetime, monday_days, month_number, offset};
use super::{Grid, Step};
use crate::panel::TimeIndex;

/// How far from a whole number of steps a gap may be where a clock is exact.
const EXACT: f64 = 1e-6;

/// How far it may be where a clock jitters: of a step, or of the gap where that is more.
const JITTER: (f64, f64) = (0.05, 0.01);

/// The grid of increasing times.
pub(super) fn grid(times: &TimeIndex) -> Option<Grid> {
    let found = match times {
        TimeIndex::Steps(count) => Some((Step::Number(1.0), (0..*count).collect(), true)),
        TimeIndex::Numbers(numbers) => {
            even(numbers).map(|(step, places, exact)| (Step::Number(step), places, exact))
        }
        TimeIndex::Dates { text, seconds } => dates(text, seconds),
    };
    found.map(|(step, places, exact)| Grid { step, places, exact })
}

type DetectedStep = (Step, Vec<usize>, bool);

fn dates(text: &[String], seconds: &[f64]) -> Option<DetectedStep> {
    if seconds.len() < 2 {
        return Some((Step::Seconds(DAY), (0..seconds.len()).collect(), true));
    }
    let offsets: Vec<f64> = text.iter().map(|text| offset(text).unwrap_or(0.0)).collect();
    let zoned = offsets.iter().any(|offset| *offset != 0.0);
    let moved: Vec<f64>;
    let local = if zoned {
        moved = seconds.iter().zip(&offsets).map(|(second, offset)| second + offset).collect();
        &moved[..]
    } else {
        seconds
    };
    let changes = offsets.windows(2).any(|pair| pair[0] != pair[1]);
    months(local)
        .or_else(|| business_days(local))
        .or_else(|| multiples(seconds, exact).map(|(s, places)| (Step::Seconds(s), places, true)))
        .or_else(|| {
            let clock = if changes { multiples(local, exact) } else { None };
            clock.map(|(step, places)| (Step::Clock(step), places, true))
        })
        .or_else(|| weeks(local))
        .or_else(|| multiples(seconds, near).map(|(s, places)| (Step::Seconds(s), places, false)))
}

/// Numbers that are a whole number of steps apart: exactly, or nearly.
fn even(numbers: &[f64]) -> Option<(f64, Vec<usize>, bool)> {
    if numbers.len() < 2 {
        return Some((1.0, (0..numbers.len()).collect(), true));
    }
    let found = multiples(numbers, exact).map(|(step, places)| (step, places, true));
    found.or_else(|| multiples(numbers, near).map(|(step, places)| (step, places, false)))
}

/// Whether a gap of so many steps is a whole number of them, with this much noise of rounding.
type IsWhole = fn(steps: f64, noise: f64) -> bool;

fn exact(steps: f64, noise: f64) -> bool {
    (steps - steps.round()).abs() <= EXACT * steps.max(1.0) + noise
}

fn near(steps: f64, noise: f64) -> bool {
    (steps - steps.round()).abs() <= JITTER.0.max(JITTER.1 * steps) + noise
}

/// The median gap, and each time's place, where all gaps are whole numbers of it.
fn multiples(times: &[f64], whole: IsWhole) -> Option<(f64, Vec<usize>)> {
    let step = median_gap(times)?;
    let largest = times.iter().fold(0.0f64, |largest, time| largest.max(time.abs()));
    let noise = 4.0 * f64::EPSILON * largest / step;
    if noise > 0.1 {
        return None;
    }
    let mut places = Vec::with_capacity(times.len());
    places.push(0);
    for pair in times.windows(2) {
        let steps = (pair[1] - pair[0]) / step;
        if !(whole(steps, noise) && steps > 0.5) {
            return None;
        }
        places.push(next(&places, steps)?);
    }
    Some((step, places))
}

/// The place so many steps after the last.
fn next(places: &[usize], steps: f64) -> Option<usize> {
    // Beyond this no grid could be held in memory, whatever the times are.
    const MOST: f64 = 1e15;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked beside
    let steps = (steps > 0.5 && steps < MOST).then_some(steps.round() as usize)?;
    places.last()?.checked_add(steps)
}

/// The median of the gaps between times, the lower one of an even number.
fn median_gap(times: &[f64]) -> Option<f64> {
    let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = gaps.len().checked_sub(1)? / 2;
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f64::total_cmp);
    (*median > 0.0 && median.is_finite()).then_some(*median)
}

/// Months on the same day of the month, or all in its first or last week.
fn months(local: &[f64]) -> Option<DetectedStep> {
    if median_gap(local)? < 27.5 * DAY {
        return None;
    }
    let dates: Option<Vec<Date>> =
        local.iter().map(|second| datetime(*second).map(DateTime::date)).collect();
    let dates = dates?;
    let anchor = dates.iter().map(|date| date.day()).max()?;
    let same = dates.iter().all(|date| date.day() == anchor.min(date.days_in_month()));
    let late = dates.iter().all(|date| date.days_in_month() - date.day() < 7);
    let early = dates.iter().all(|date| date.day() <= 7);
    if !(same || late || early) {
        return None;
    }
    let numbers: Vec<f64> = dates.iter().map(|date| month_number(*date) as f64).collect();
    let (step, places) = multiples(&numbers, exact)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // months of few millennia
    Some((Step::Months(step as u32), places, true))
}

/// Days at the same time of day, none on a weekend and some after one.
fn business_days(local: &[f64]) -> Option<DetectedStep> {
    let mut numbers = Vec::with_capacity(local.len());
    let mut weeks = Vec::new();
    let (_, time_of_day) = monday_days(*local.first()?);
    for second in local {
        let (day, left) = monday_days(*second);
        let (week, weekday) = ((day / 7.0).floor(), day.rem_euclid(7.0));
        if weekday > 4.5 || (left - time_of_day).abs() > 1e-3 {
            return None;
        }
        numbers.push(5.0 * week + weekday);
        if weeks.last() != Some(&week) {
            weeks.push(week);
        }
    }
    // Within one week nobody can tell, and nothing depends on it.
    let (step, places) = multiples(&numbers, exact)?;
    (weeks.len() > 1 && step == 1.0).then_some((Step::BusinessDay, places, true))
}

/// Weeks, a day or two early or late.
fn weeks(local: &[f64]) -> Option<DetectedStep> {
    const WEEK: f64 = 7.0 * DAY;
    if (median_gap(local)? - WEEK).abs() > 1e-3 {
        return None;
    }
    let first = *local.first()?;
    let mut places = vec![0];
    let mut last = 0.0;
    for second in &local[1..] {
        let week = ((second - first) / WEEK).round();
        if (second - first - week * WEEK).abs() > 2.0 * DAY {
            return None;
        }
        places.push(next(&places, week - last)?);
        last = week;
    }
    Some((Step::Seconds(WEEK), places, true))
}
