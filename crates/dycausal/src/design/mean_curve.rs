//! What the mean of a variable follows over time, where there are too few series to take it out
//! step by step: polynomials, breaks, and patterns that repeat.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::own_lags::most_own_lags;
use super::profile;
use super::score_test::NullRegression;
use super::season::{self, Season};
use crate::basis::{Basis, Shape};
use crate::error::{Error, Result};
use crate::run::{Auto, Cancel};
use crate::thresholds::MOST_ROWS_FOR_A_MEAN;

/// Polynomials of a mean, at most.
const MOST_POLYNOMIALS: usize = 16;
/// Steps per polynomial, at least.
const STEPS_PER_POLYNOMIAL: usize = 16;
/// Steps for each polynomial that a mean has in any case, and how many these are at most.
const STEPS_FOR_GRANTED: usize = 800;
const FOR_GRANTED: usize = 6;
/// Breaks of one variable, at most.
const MOST_BREAKS: usize = 3;
/// Places of a break that are looked at closely.
const PLACES: usize = 5;
/// Seasons, at most: of the day, the week and the year.
const MOST_SEASONS: usize = 3;
const MOST_VARIABLES: usize = 24;

/// The mean of one variable over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MeanCurve {
    /// How many polynomials, the constant among them.
    pub polynomials: usize,
    /// Steps at which it jumps.
    pub breaks: Vec<usize>,
}

/// The means of all variables: a curve each, and seasons that they share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Means {
    /// One per variable.
    pub curves: Vec<MeanCurve>,
    /// Taken out of every variable.
    pub seasons: Vec<Season>,
}

/// Polynomials and harmonics of a mean that is read from a file, at most.
const MOST_FUNCTIONS: usize = 1000;

impl Means {
    /// Refuses means that no fit finds.
    ///
    /// # Errors
    /// Names the part, what was found and what was expected.
    pub(super) fn check(&self, variables: usize, steps: usize) -> Result<()> {
        if self.curves.len() != variables {
            let expected = format!("{variables}, one per variable");
            return Err(Error::shape("means of the preparation", self.curves.len(), expected));
        }
        for season in &self.seasons {
            let most = season.period / 2.0 + 1.0;
            if !(season.period >= 2.0 && season.period <= 1e9) {
                let expected = "a period of 2 to 1000000000 steps";
                return Err(Error::shape("a season of the preparation", season.period, expected));
            }
            if season.harmonics > MOST_FUNCTIONS.max(steps) || season.harmonics as f64 > most {
                let expected = format!("at most half of its period, {}", season.period);
                return Err(Error::shape("harmonics of a season", season.harmonics, expected));
            }
        }
        for curve in &self.curves {
            if curve.polynomials > MOST_FUNCTIONS.min(steps) {
                let expected = format!("at most {}", MOST_FUNCTIONS.min(steps));
                return Err(Error::shape("polynomials of a mean", curve.polynomials, expected));
            }
            if let Some(late) = curve.breaks.iter().find(|step| **step >= steps) {
                return Err(Error::shape("a break of a mean", late, format!("below {steps}")));
            }
        }
        Ok(())
    }
}

/// What may be looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought<'a> {
    /// Patterns that repeat: by score, or a period that is given; 0 for none.
    pub season: Auto<usize>,
    /// Jumps.
    pub breaks: bool,
    /// Periods that the calendar proposes.
    pub calendar: &'a [f64],
    /// Whether to go on.
    pub cancel: &'a Cancel,
}

/// One variable: values\[step\]\[series\], NaN where a cell is missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Series<'a> {
    values: &'a [f64],
    count: usize,
    pub steps: usize,
}

/// The smooth mean of a variable, its own lags, and n log s² + k log n of both.
#[derive(Debug, Clone)]
pub(super) struct SmoothCurve {
    pub curve: MeanCurve,
    pub lags: usize,
    pub criterion: f64,
}

impl MeanCurve {
    /// Its functions at steps `0..steps`, those of seasons behind them.
    pub(crate) fn functions(&self, seasons: &[Season], steps: usize) -> Result<Vec<Vec<f64>>> {
        let basis = Basis::new(Shape::Legendre { size: self.polynomials.min(steps) }, steps, 0)?;
        let mut out: Vec<Vec<f64>> =
            (0..basis.size()).map(|b| basis.values().column(b).to_vec()).collect();
        out.extend(self.breaks.iter().map(|at| jump(*at, steps)));
        out.extend(seasons.iter().flat_map(|season| season.functions(steps)));
        Ok(out)
    }
}

/// How many of the first steps are looked at.
pub(super) fn looked_at(series: usize, steps: usize) -> usize {
    steps.min((MOST_ROWS_FOR_A_MEAN / series).max(50))
}

fn jump(at: usize, steps: usize) -> Vec<f64> {
    (0..steps).map(|t| f64::from(u8::from(t >= at))).collect()
}

/// Finds the means of variables whose values are \[variable\]\[step\]\[series\].
pub(crate) fn find(
    values: &[f64],
    series: usize,
    steps: usize,
    sought: Sought<'_>,
) -> Result<Means> {
    let length = series * steps;
    let looked = looked_at(series, steps);
    let of = |v: usize| Series {
        values: &values[v * length..v * length + looked * series],
        count: series,
        steps: looked,
    };
    let count = values.len() / length;
    let mut seasons: Vec<Season> = Vec::new();
    if let Some(period) = sought.season.value().filter(|period| *period > 0) {
        seasons.push(Season { period: period as f64, harmonics: (period / 2).max(1) });
    }
    let curves = |seasons: &[Season]| -> Result<Vec<SmoothCurve>> {
        let one = |v: usize| sought.cancel.proceed().and_then(|()| smooth(of(v), seasons));
        (0..count).into_par_iter().map(one).collect()
    };
    let mut found = curves(&seasons)?;
    if sought.season == Auto::Auto {
        let every = count.div_ceil(MOST_VARIABLES).max(1);
        let looked_for: Vec<Series<'_>> = (0..count).step_by(every).map(of).collect();
        for _ in 0..MOST_SEASONS {
            let nulls: Vec<(NullRegression, Vec<usize>)> = (0..count)
                .into_par_iter()
                .step_by(every)
                .map(|v| {
                    sought.cancel.proceed()?;
                    null(of(v), &found[v].curve, &seasons, found[v].lags)
                })
                .collect::<Result<_>>()?;
            let waves = shared(&nulls, looked, sought);
            sought.cancel.proceed()?;
            let now: Vec<&SmoothCurve> = found.iter().step_by(every).collect();
            let season = profile::preferred(waves, &looked_for, &now, &seasons, sought)?;
            let Some(season) = season else { break };
            season.join(&mut seasons);
            found = curves(&seasons)?;
        }
    }
    if sought.breaks {
        let with_breaks = |v: usize| {
            sought.cancel.proceed()?;
            broken(of(v), &found[v].curve, &seasons, found[v].lags)
        };
        let curves = (0..count).into_par_iter().map(with_breaks).collect::<Result<_>>()?;
        return Ok(Means { curves, seasons });
    }
    Ok(Means { curves: found.into_iter().map(|smooth| smooth.curve).collect(), seasons })
}

/// The season of variables that have the same rows; others are left out of the question.
fn shared(
    nulls: &[(NullRegression, Vec<usize>)],
    steps: usize,
    sought: Sought<'_>,
) -> Option<Season> {
    let rows = &nulls.iter().min_by_key(|(_, rows)| rows.len())?.1;
    let alike: Vec<NullRegression> =
        nulls.iter().filter(|(_, own)| own == rows).map(|(n, _)| n.clone()).collect();
    season::find(&alike, rows, steps, sought.calendar, sought.cancel)
}

/// Rows of a regression on own lags: which (step, series) have all of them.
pub(super) fn rows(of: Series<'_>, lags: usize, first: usize) -> Vec<(usize, usize)> {
    let value = |t: usize, n: usize| of.values[t * of.count + n];
    (first.max(lags)..of.steps)
        .flat_map(|t| (0..of.count).map(move |n| (t, n)))
        .filter(|(t, n)| (0..=lags).all(|back| !value(t - back, *n).is_nan()))
        .collect()
}

pub(super) fn start(
    of: Series<'_>,
    rows: &[(usize, usize)],
    functions: &[Vec<f64>],
) -> NullRegression {
    let mut null =
        NullRegression::new(rows.iter().map(|(t, n)| of.values[t * of.count + n]).collect());
    for function in functions {
        null.include(&rows.iter().map(|(t, _)| function[*t]).collect::<Vec<f64>>());
    }
    null
}

pub(super) fn include_lags(
    null: &mut NullRegression,
    of: Series<'_>,
    rows: &[(usize, usize)],
    lags: std::ops::RangeInclusive<usize>,
) {
    for lag in lags {
        null.include(
            &rows.iter().map(|(t, n)| of.values[(t - lag) * of.count + n]).collect::<Vec<f64>>(),
        );
    }
}

/// The regression on own lags and the mean, with the step of each row.
fn null(
    of: Series<'_>,
    curve: &MeanCurve,
    seasons: &[Season],
    lags: usize,
) -> Result<(NullRegression, Vec<usize>)> {
    // The same rows for every variable, so that what a season gains can be added up.
    let rows = rows(of, lags, most_own_lags(of.steps));
    let mut null = start(of, &rows, &curve.functions(seasons, of.steps)?);
    include_lags(&mut null, of, &rows, 1..=lags);
    Ok((null, rows.into_iter().map(|(t, _)| t).collect()))
}

/// Polynomials and own lags by n log s² + k log n, in turns.
pub(super) fn smooth(of: Series<'_>, seasons: &[Season]) -> Result<SmoothCurve> {
    let most = (of.steps / STEPS_PER_POLYNOMIAL).clamp(1, MOST_POLYNOMIALS);
    let cap = most_own_lags(of.steps);
    let rows = rows(of, cap, cap);
    let full = MeanCurve { polynomials: most, breaks: Vec::new() };
    let polynomials = full.functions(&[], of.steps)?;
    let others = MeanCurve { polynomials: 1, breaks: Vec::new() }.functions(seasons, of.steps)?;
    let mut size = most.min(4);
    let (mut lags, mut criterion) = (0, f64::INFINITY);
    for _ in 0..2 {
        let mut null = start(of, &rows, &others);
        for function in &polynomials[..size] {
            null.include(&rows.iter().map(|(t, _)| function[*t]).collect::<Vec<f64>>());
        }
        lags = null.fewest(cap, |null, lag| include_lags(null, of, &rows, lag..=lag));
        let mut null = start(of, &rows, &others);
        include_lags(&mut null, of, &rows, 1..=lags);
        let (more, least) = null.least(most - 1, |null, b| {
            null.include(&rows.iter().map(|(t, _)| polynomials[b][*t]).collect::<Vec<f64>>());
        });
        (size, criterion) = (1 + more, least);
    }
    // Where steps are many a few polynomials cost nothing, and the data may not show that they need them.
    let size = size.max((of.steps / STEPS_FOR_GRANTED).clamp(1, FOR_GRANTED)).min(most);
    let curve = MeanCurve { polynomials: size, breaks: Vec::new() };
    Ok(SmoothCurve { curve, lags, criterion })
}

/// Jumps of the mean, given polynomials or in their place, whichever is cheaper.
fn broken(of: Series<'_>, curve: &MeanCurve, seasons: &[Season], lags: usize) -> Result<MeanCurve> {
    let straight = MeanCurve { polynomials: 1, breaks: Vec::new() };
    let mut tried = vec![jumps(of, curve.clone(), seasons, lags)?];
    if curve.polynomials > 1 {
        tried.push(jumps(of, straight, seasons, lags)?);
    }
    let best = tried.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
    Ok(best.map_or_else(|| curve.clone(), |(curve, _)| curve))
}

/// Adds jumps as long as they gain more than log n + 2 log T each; with the criterion in the end.
fn jumps(
    of: Series<'_>,
    mut curve: MeanCurve,
    seasons: &[Season],
    lags: usize,
) -> Result<(MeanCurve, f64)> {
    let cost = 2.0 * (of.steps as f64).ln();
    loop {
        let (null, steps) = null(of, &curve, seasons, lags)?;
        let total = null.criterion() + cost * curve.breaks.len() as f64;
        if curve.breaks.len() == MOST_BREAKS {
            return Ok((curve, total));
        }
        let margin = (of.steps / 20).max(3);
        let range = margin + lags..of.steps.saturating_sub(margin);
        let firsts: Vec<usize> =
            range.clone().map(|at| steps.partition_point(|t| *t < at)).collect();
        let mut places: Vec<(usize, f64)> = range.zip(null.jumps(&firsts)).collect();
        places.sort_by(|a, b| b.1.total_cmp(&a.1));
        let gain = |at: usize| {
            let column: Vec<f64> = steps.iter().map(|t| f64::from(u8::from(*t >= at))).collect();
            null.gains(&[column])[0]
        };
        let near = places.iter().take(PLACES).map(|(at, _)| (*at, gain(*at)));
        match near.max_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((at, gain)) if gain > cost => curve.breaks.push(at),
            _ => return Ok((curve, total)),
        }
    }
}
