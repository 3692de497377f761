//! What the graph leaves unexplained, and whether that still has a pattern.
//!
//! The residual of x at step t is r = x_t − Σ w_t x_{t−lag} over its causes, less its mean: at each
//! step over the series where there are many, over all steps where there are few.

use dycausal::graph::Edge;
use dycausal::{DynamicGraph, Panel};
use ndarray::{Array2, Array3};
use serde::Serialize;

use super::short;

/// With this many series the mean at each step is known well enough to be taken off.
const MANY_SERIES: usize = 10;
/// Residuals that are looked at, at most, per variable.
const MOST_ROWS: usize = 100_000;
/// Products of residuals that are summed for correlations, at most.
const MOST_PRODUCTS: usize = 400_000_000;
/// Pairs with the strongest correlations that are told.
const PAIRS: usize = 8;
/// Stretches of time in which the size of residuals is told.
const STRETCHES: usize = 24;

/// Checks of every variable, and of pairs.
#[derive(Debug, Serialize)]
pub(super) struct Residuals {
    /// How many residuals a variable has, at most.
    rows: usize,
    variables: Vec<Check>,
    /// The most correlated residuals of two variables: a common cause may be missing.
    pairs: Vec<Pair>,
}

#[derive(Debug, Clone, Serialize)]
struct Check {
    count: usize,
    /// The share of the variance that the causes explain; may be below 0.
    explained: Option<f64>,
    sd: f64,
    /// Correlation with the residual one step before.
    autocorrelation: Option<f64>,
    skewness: Option<f64>,
    /// 0 for Gaussian noise.
    excess_kurtosis: Option<f64>,
    /// Standard deviation in each stretch of time.
    sd_over_time: Vec<Option<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Pair {
    a: usize,
    b: usize,
    correlation: f64,
    count: usize,
}

/// Checks the residuals of a graph whose weights are linear effects.
pub(super) fn residuals(graph: &DynamicGraph, panel: &Panel) -> Residuals {
    let every = (panel.series() * panel.steps()).div_ceil(MOST_ROWS);
    let series: Vec<usize> = (0..panel.series()).step_by(every).collect();
    let mut left = Array3::from_elem((panel.variables(), series.len(), panel.steps()), f64::NAN);
    let mut variables = Vec::with_capacity(panel.variables());
    for to in 0..panel.variables() {
        let mut rows = of_variable(graph, panel, to, &series);
        let mut values = whole(panel, to, &series);
        // The variance is that of the same cells.
        ndarray::Zip::from(&mut values).and(&rows).for_each(|x, r| {
            if r.is_nan() {
                *x = f64::NAN;
            }
        });
        centre(&mut rows);
        centre(&mut values);
        variables.push(check(&rows, &values));
        left.index_axis_mut(ndarray::Axis(0), to).assign(&rows);
    }
    let rows = variables.iter().map(|check| check.count).max().unwrap_or(0);
    Residuals { rows, variables, pairs: correlated(&left) }
}

fn whole(panel: &Panel, variable: usize, series: &[usize]) -> Array2<f64> {
    let values = panel.values();
    Array2::from_shape_fn((series.len(), panel.steps()), |(n, t)| values[[series[n], t, variable]])
}

/// Residuals\[series, step\] of one variable, not centred; NaN where a cell is missing.
fn of_variable(graph: &DynamicGraph, panel: &Panel, to: usize, series: &[usize]) -> Array2<f64> {
    let mut rows = whole(panel, to, series);
    let values = panel.values();
    let causes: Vec<&Edge> = graph.edges().iter().filter(|edge| edge.to == to).collect();
    for t in 0..panel.steps() {
        let here = causes.iter().map(|edge| (edge, edge.weight(graph.basis(), t)));
        let here: Vec<(&&Edge, f64)> = here.filter(|(_, weight)| *weight != 0.0).collect();
        for (n, series) in series.iter().enumerate() {
            for (edge, weight) in &here {
                rows[[n, t]] -= match t.checked_sub(edge.lag) {
                    Some(before) => weight * values[[*series, before, edge.from]],
                    None => f64::NAN,
                };
            }
            if t < graph.lag() {
                rows[[n, t]] = f64::NAN;
            }
        }
    }
    rows
}

fn centre(rows: &mut Array2<f64>) {
    if rows.nrows() >= MANY_SERIES {
        for mut column in rows.columns_mut() {
            let mean = mean(column.iter().copied()).unwrap_or(0.0);
            column.mapv_inplace(|x| x - mean);
        }
    } else {
        let mean = mean(rows.iter().copied()).unwrap_or(0.0);
        rows.mapv_inplace(|x| x - mean);
    }
}

/// The mean of what is finite.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values.filter(|x| x.is_finite()) {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

fn check(rows: &Array2<f64>, values: &Array2<f64>) -> Check {
    let power = |k: i32| mean(rows.iter().map(|r| r.powi(k)));
    let variance = power(2).unwrap_or(0.0);
    let before = mean(values.iter().map(|x| x * x)).unwrap_or(0.0);
    let known = |x: f64| x.is_finite().then(|| short(x));
    let next = rows.windows([1, 2]).into_iter().map(|pair| pair[[0, 0]] * pair[[0, 1]]);
    Check {
        count: rows.iter().filter(|r| r.is_finite()).count(),
        explained: known(1.0 - variance / before),
        sd: short(variance.sqrt()),
        autocorrelation: mean(next).and_then(|product| known(product / variance)),
        skewness: power(3).and_then(|third| known(third / variance.powf(1.5))),
        excess_kurtosis: power(4).and_then(|fourth| known(fourth / variance.powi(2) - 3.0)),
        sd_over_time: sd_over_time(rows),
    }
}

fn sd_over_time(rows: &Array2<f64>) -> Vec<Option<f64>> {
    let (steps, stretches) = (rows.ncols(), STRETCHES.min(rows.ncols()));
    let stretch = |k: usize| {
        let cells = rows.slice(ndarray::s![.., k * steps / stretches..(k + 1) * steps / stretches]);
        mean(cells.iter().map(|r| r * r)).map(|variance| short(variance.sqrt()))
    };
    (0..stretches).map(stretch).collect()
}

/// The pairs whose residuals\[variable, series, step\] are most correlated, from the strongest.
fn correlated(left: &Array3<f64>) -> Vec<Pair> {
    let (variables, series, steps) = left.dim();
    let products = variables * variables / 2 * series * steps;
    // Every so many-th cell where there are more than can be multiplied in a second or so.
    let every = products.div_ceil(MOST_PRODUCTS).max(1);
    let rows: Vec<Vec<f64>> =
        left.outer_iter().map(|cells| cells.iter().copied().step_by(every).collect()).collect();
    let mut pairs = Vec::new();
    for a in 0..variables {
        for b in a + 1..variables {
            pairs.extend(correlation(&rows[a], &rows[b]).map(|(correlation, count)| Pair {
                a,
                b,
                correlation,
                count,
            }));
            if pairs.len() > 4096 {
                keep_strongest(&mut pairs);
            }
        }
    }
    keep_strongest(&mut pairs);
    for pair in &mut pairs {
        pair.correlation = short(pair.correlation);
    }
    pairs
}

fn keep_strongest(pairs: &mut Vec<Pair>) {
    pairs.sort_by(|x, y| y.correlation.abs().total_cmp(&x.correlation.abs()));
    pairs.truncate(PAIRS);
}

fn correlation(a: &[f64], b: &[f64]) -> Option<(f64, usize)> {
    let (mut ab, mut aa, mut bb, mut count) = (0.0, 0.0, 0.0, 0usize);
    for (x, y) in a.iter().zip(b) {
        let product = x * y;
        if product.is_finite() {
            ab += product;
            aa += x * x;
            bb += y * y;
            count += 1;
        }
    }
    let correlation = ab / (aa * bb).sqrt();
    (count > 2 && correlation.is_finite()).then_some((correlation, count))
}

#[cfg(test)]
mod tests {
    use dycausal::graph::Trajectory;
    use dycausal::{Basis, TimeIndex};

    use super::*;

    /// Noise that repeats on every machine (SplitMix64).
    fn noise(k: usize) -> f64 {
        let mut z = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    fn follows(steps: usize) -> Panel {
        let values = Array3::from_shape_fn((1, steps, 2), |(_, t, v)| match (t, v) {
            (_, 0) => noise(t),
            (0, _) => 0.0,
            _ => 3.0 + 2.0 * noise(t - 1) + 0.1 * noise(t + 50_000),
        });
        Panel::unnamed(values).unwrap()
    }

    fn graph(weight: f64, steps: usize) -> DynamicGraph {
        let edge = Edge::new(0, 1, 1, Trajectory::Constant(weight), steps);
        let names = vec!["x1".into(), "x2".into()];
        let basis = Basis::constant(steps).unwrap();
        DynamicGraph::new(names, TimeIndex::Steps(steps), 1, basis, vec![edge]).unwrap()
    }

    #[test]
    fn the_right_weight_leaves_only_noise() {
        let right = residuals(&graph(2.0, 400), &follows(400));
        assert_eq!(right.rows, 399);
        assert!(right.variables[1].explained.unwrap() > 0.99);
        assert!(right.variables[0].explained.unwrap().abs() < 1e-9);
        let wrong = residuals(&graph(-2.0, 400), &follows(400));
        assert!(wrong.variables[1].explained.unwrap() < 0.0);
        assert!(right.variables[1].sd < 0.05 && wrong.variables[1].sd > 0.5);
    }

    #[test]
    fn a_shared_disturbance_shows_as_a_correlation() {
        let mut values = Array3::zeros((1, 300, 3));
        for t in 0..300 {
            values[[0, t, 0]] = noise(t) + noise(t + 10_000);
            values[[0, t, 1]] = noise(t + 20_000);
            values[[0, t, 2]] = noise(t) + noise(t + 30_000);
        }
        let panel = Panel::unnamed(values).unwrap();
        let names = panel.names().to_vec();
        let basis = Basis::constant(300).unwrap();
        let empty = DynamicGraph::new(names, TimeIndex::Steps(300), 1, basis, vec![]).unwrap();
        let first = residuals(&empty, &panel).pairs[0];
        assert_eq!((first.a, first.b), (0, 2));
        assert!((first.correlation - 0.5).abs() < 0.15, "{first:?}");
    }

    #[test]
    fn cells_without_a_value_are_left_out() {
        let mut values = follows(50).values().to_owned();
        values.slice_mut(ndarray::s![0, 10..20, 0]).fill(f64::NAN);
        let found = residuals(&graph(2.0, 50), &Panel::unnamed(values).unwrap());
        assert_eq!((found.variables[0].count, found.variables[1].count), (39, 39));
        assert!(found.variables[1].explained.unwrap() > 0.99);
    }
}
