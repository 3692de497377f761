//! Whether series differ in level by so much that own lags imitate it.
//!
//! Where levels are far apart, a variable's last values tell the level of the series, own weights add up to one,
//! and what is left over looks clean. So the regression of each variable on its own lags with one intercept
//! is compared with that on the same lags with an intercept per series, the lags chosen in the latter.
//! Of N series that are random walks, wherever they begin, n (1 − s₁²/s₀²) is about 2.5 N, and t of "weights add
//! up to one" about −√(1.5 N) (estimated means bend own weights down: Nickell 1981; Levin, Lin and
//! Chu 2002). Levels are there where both are far beyond that: the distance between series is more than a process
//! with this memory comes to.

use rayon::prelude::*;

use super::columns::Columns;
use super::own_lags::most_own_lags;
use super::prepared::Prepared;
use super::score_test::NullRegression;
use crate::thresholds::MOST_ROWS_FOR_OWN_LAGS;
use crate::thresholds::VARIABLES_IN_A_SAMPLE;

/// Rows that a series has to have to be looked at.
const LEAST_ROWS: usize = 10;
/// What series that are random walks gain by levels each, with the variance of that.
const OF_WALKS: (f64, f64) = (2.5, 5.0);
/// The square of t that they have each.
const SQUARE_OF_WALKS: f64 = 1.5;
/// Standard errors that the gain and t are beyond these: one walk in a thousand has as large a gain.
const BEYOND: [f64; 2] = [4.0, 3.0];

/// Whether series have levels that are seen without a look at what other variables explain.
pub(crate) fn series_have_levels(data: &Prepared) -> bool {
    let (series, steps) = data.shape();
    let lags = most_own_lags(steps).max(1);
    if series < 2 || steps < LEAST_ROWS + lags {
        return false;
    }
    // Without a row that is whole there is nothing to see; the fit says so.
    let Ok(columns) = data.columns(lags) else { return false };
    let every = columns.variables().div_ceil(VARIABLES_IN_A_SAMPLE);
    let variables: Vec<usize> = (0..columns.variables()).step_by(every).collect();
    variables.par_iter().any(|v| differ(&columns, *v, lags))
}

/// How much of the variance between series may lie between the halves of each.
const MOST_BETWEEN_HALVES: f64 = 0.1;

/// Whether series are as far apart in the first half of their rows as in the second.
fn levels_persist(values: &[f64], counts: &[usize]) -> bool {
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
    let mut rest = values;
    let mut halves = Vec::with_capacity(counts.len());
    for count in counts {
        let (own, others) = rest.split_at(*count);
        let (early, late) = own.split_at(count / 2);
        halves.push((mean(early), mean(late)));
        rest = others;
    }
    let spread = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let centre = halves.iter().map(of).sum::<f64>() / halves.len().max(1) as f64;
        halves.iter().map(|half| (of(half) - centre).powi(2)).sum::<f64>()
    };
    let between = spread(&|(early, late)| (early + late) / 2.0);
    spread(&|(early, late)| early - late) < MOST_BETWEEN_HALVES * between
}

/// The rows of a variable by series: those of one series after those of another.
fn by_series(columns: &Columns, variable: usize) -> Vec<Vec<usize>> {
    let (series, weights) = (columns.series(), columns.weights_of(variable));
    let there = |row: &usize| weights.is_none_or(|w| w[*row] > 0.0);
    let of = |n: usize| (0..columns.steps()).map(|t| t * series + n).filter(there).collect();
    let many = (MOST_ROWS_FOR_OWN_LAGS / columns.steps().max(1)).max(2);
    let all = (0..series.min(many)).map(of);
    all.filter(|rows: &Vec<usize>| rows.len() >= LEAST_ROWS).collect()
}

/// Counts a column from its mean in each group of so many rows.
fn centred(mut column: Vec<f64>, groups: &[usize]) -> Vec<f64> {
    let mut rest = &mut column[..];
    for count in groups {
        let (own, others) = rest.split_at_mut(*count);
        let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        for x in own {
            *x -= mean;
        }
        rest = others;
    }
    column
}

fn differ(columns: &Columns, variable: usize, most: usize) -> bool {
    let rows = by_series(columns, variable);
    let series = rows.len() as f64;
    if rows.len() < 2 {
        return false;
    }
    let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    let all = [counts.iter().sum::<usize>()];
    let lagged = |back: usize| -> Vec<f64> {
        let values = columns.lagged(variable, back, most);
        rows.iter().flatten().map(|row| values[*row]).collect()
    };
    let change = |back: usize| -> Vec<f64> {
        lagged(back).iter().zip(lagged(back + 1)).map(|(new, old)| new - old).collect()
    };
    if !levels_persist(&lagged(0), &counts) {
        return false;
    }
    let mut own = NullRegression::new(centred(lagged(0), &counts));
    let lags = own.fewest(most, |null, lag| {
        null.include(&centred(lagged(lag), &counts));
    });
    let lags = lags.max(1);
    let mut changes = NullRegression::new(centred(change(0), &counts));
    (1..lags).for_each(|lag| {
        changes.include(&centred(change(lag), &counts));
    });
    let newest = centred(lagged(1), &counts);
    let t = changes.t(&newest);
    changes.include(&newest);
    let mut together = NullRegression::new(centred(lagged(0), &all));
    (1..=lags).for_each(|lag| {
        together.include(&centred(lagged(lag), &all));
    });
    let gain = together.rows() * (1.0 - changes.variance() / together.variance().max(1e-300));
    let (mean, variance) = (OF_WALKS.0 * series, OF_WALKS.1 * series);
    gain > mean + BEYOND[0] * variance.sqrt() && t < -(SQUARE_OF_WALKS * series).sqrt() - BEYOND[1]
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;
    use crate::design::Preparation;
    use crate::panel::Panel;

    /// Twelve series with this memory, those of the first variable so far apart.
    fn have_levels(memory: f64, apart: f64, seed: u64) -> bool {
        let mut noise = noise(seed);
        let mut values = Array3::<f64>::zeros((12, 60, 2));
        for (n, mut series) in values.outer_iter_mut().enumerate() {
            for mut variable in series.columns_mut() {
                let mut last = 0.0;
                variable.iter_mut().for_each(|x| {
                    last = memory * last + noise();
                    *x = last;
                });
            }
            series.column_mut(0).mapv_inplace(|x| x + apart * n as f64);
        }
        let panel = Panel::unnamed(values).unwrap();
        let plain = Preparation::plain(&panel);
        series_have_levels(&Prepared::of(&panel, &plain, &|| Ok(())).unwrap())
    }

    /// The sum of twelve uniform numbers, less its mean.
    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut uniform = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        move || (0..12).map(|_| uniform()).sum::<f64>() - 6.0
    }

    #[test]
    fn levels_that_own_lags_imitate_are_seen() {
        for seed in 1..5 {
            assert!(have_levels(0.5, 10.0, seed) && have_levels(0.5, 100.0, seed), "seed {seed}");
        }
    }

    #[test]
    fn what_differs_at_a_few_steps_is_no_level() {
        let counts = [10; 4];
        let far = |n: usize, _: usize| 10.0 * n as f64;
        let burst = |n: usize, t: usize| if t == 7 { 100.0 * n as f64 } else { 0.1 * t as f64 };
        let all = |value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..4).flat_map(|n| (0..10).map(move |t| value(n, t))).collect()
        };
        assert!(levels_persist(&all(&far), &counts));
        assert!(!levels_persist(&all(&burst), &counts));
    }

    #[test]
    fn walks_that_begin_anywhere_have_no_levels() {
        for seed in 1..9 {
            for apart in [0.0, 10.0, 100.0] {
                assert!(!have_levels(1.0, apart, seed), "seed {seed}, {apart} apart");
            }
            assert!(!have_levels(0.9, 0.0, seed) && !have_levels(0.5, 0.0, seed), "seed {seed}");
        }
    }
}
