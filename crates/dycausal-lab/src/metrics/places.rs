//! Scores of a statistic that every possible edge has: no threshold for the estimate.

use dycausal::DynamicGraph;
use dycausal::graph::Ranking;
use serde::{Deserialize, Serialize};

use super::ranking::{Areas, rank};
use super::{Options, check_threshold, same_order};
use crate::error::Result;

/// How well a ranking finds the edges of one lag.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LagAreas {
    /// The lag.
    pub lag: usize,
    /// Its places.
    pub areas: Areas,
}

/// How well a ranking of all edges finds the true ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankingScores {
    /// What places are ranked by.
    pub statistic: String,
    /// What counted as a true edge.
    pub options: Options,
    /// The places of each lag that the ranking knows something of.
    pub lags: Vec<LagAreas>,
    /// The places of all lags together.
    pub window: Areas,
    /// Pairs of variables: the largest statistic over lags, true if an edge is at any lag.
    pub summary: Areas,
}

/// Scores a ranking: a place is true if its weight exceeds the threshold at any step.
///
/// Places that the ranking does not know come last, as one tie; a lag of which it knows none does
/// not count. Summaries do count a pair whose edge is at such a lag.
///
/// # Errors
/// If truth and ranking have different variables, or the threshold is negative or not a number.
pub fn score_ranking(
    truth: &DynamicGraph,
    names: &[String],
    ranking: &Ranking,
    options: Options,
) -> Result<RankingScores> {
    check_threshold(options)?;
    if truth.variables() != ranking.variables() {
        let expected = format!("{}, as in the truth", truth.variables());
        let what = "variables of the ranking";
        return Err(dycausal::Error::shape(what, ranking.variables(), expected).into());
    }
    same_order(truth.names(), names)?;
    let strong = |lag: usize, from: usize, to: usize| {
        let edge = truth.edge(lag, from, to);
        edge.is_some_and(|edge| edge.strength(truth.basis()).abs() > options.threshold)
    };
    let scored = |lag: usize| -> Vec<(f64, bool)> {
        let place = |(from, to)| (statistic(ranking.get(lag, from, to)), strong(lag, from, to));
        pairs(truth, options.diagonal && lag > 0).map(place).collect()
    };
    let known: Vec<usize> = (0..=ranking.lag())
        .filter(|lag| scored(*lag).iter().any(|(s, _)| *s > f64::NEG_INFINITY))
        .collect();
    let lag = |lag: &usize| LagAreas { lag: *lag, areas: rank(&scored(*lag)) };
    let all: Vec<(f64, bool)> = known.iter().flat_map(|lag| scored(*lag)).collect();
    let largest = ranking.over_lags(0..=ranking.lag());
    let longest = truth.lag().max(ranking.lag());
    let pair = |(from, to): (usize, usize)| {
        let known = Some(largest[[from, to]]).filter(|s| !s.is_nan());
        (statistic(known), (0..=longest).any(|lag| strong(lag, from, to)))
    };
    let summary: Vec<(f64, bool)> = pairs(truth, options.diagonal).map(pair).collect();
    Ok(RankingScores {
        statistic: ranking.statistic().to_owned(),
        options,
        lags: known.iter().map(lag).collect(),
        window: rank(&all),
        summary: rank(&summary),
    })
}

/// What is not known comes last.
fn statistic(known: Option<f64>) -> f64 {
    known.unwrap_or(f64::NEG_INFINITY)
}

fn pairs(graph: &DynamicGraph, diagonal: bool) -> impl Iterator<Item = (usize, usize)> {
    let d = graph.variables();
    let all = (0..d).flat_map(move |from| (0..d).map(move |to| (from, to)));
    all.filter(move |(from, to)| diagonal || from != to)
}

#[cfg(test)]
mod tests {
    use dycausal::graph::{Edge, Trajectory};
    use dycausal::{Basis, TimeIndex};
    use ndarray::Array3;
    use serde_json::Value;

    use super::*;

    /// Made by `scripts/golden_ranking.py` with scikit-learn.
    const GOLDEN: &str = include_str!("golden_ranking.json");

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
    }

    #[test]
    fn areas_are_those_of_scikit_learn() {
        let golden: Value = serde_json::from_str(GOLDEN).unwrap();
        for case in golden["cases"].as_array().unwrap() {
            let d = usize::try_from(case["variables"].as_u64().unwrap()).unwrap();
            let shape = (2, d, d);
            let statistics = Array3::from_shape_vec(shape, numbers(&case["statistics"])).unwrap();
            let truth = Array3::from_shape_vec(shape, numbers(&case["truth"])).unwrap();
            let there = truth.indexed_iter().filter(|(_, w)| **w != 0.0);
            let edges =
                there.map(|((lag, i, j), w)| Edge::new(i, j, lag, Trajectory::Constant(*w), 3));
            let names: Vec<String> = (0..d).map(|v| format!("v{v}")).collect();
            let basis = Basis::constant(3).unwrap();
            let times = TimeIndex::Steps(3);
            let graph = DynamicGraph::new(names.clone(), times, 1, basis, edges.collect()).unwrap();
            let ranking = Ranking::new("statistic", statistics).unwrap();
            let options = Options { threshold: 0.3, diagonal: case["diagonal"] == true };
            let found = score_ranking(&graph, &names, &ranking, options).unwrap();
            let mut compared = vec![(found.window, "window"), (found.summary, "summary")];
            compared.extend(found.lags.iter().map(|l| (l.areas, ["lag 0", "lag 1"][l.lag])));
            for (areas, part) in compared {
                for (value, metric) in [(areas.auroc, "auroc"), (areas.auprc, "auprc")] {
                    let expected = case["expected"][part][metric].as_f64().unwrap();
                    let gap = (value.unwrap() - expected).abs();
                    assert!(gap < 1e-12, "{part} {metric}: {value:?}, not {expected}");
                }
            }
        }
    }

    #[test]
    fn a_lag_that_was_not_looked_at_does_not_count() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let edge = Edge::new(0, 1, 0, Trajectory::Constant(1.0), 3);
        let basis = Basis::constant(3).unwrap();
        let truth =
            DynamicGraph::new(names.clone(), TimeIndex::Steps(3), 0, basis, vec![edge]).unwrap();
        let mut values = Array3::from_elem((2, 2, 2), 1.0);
        values.index_axis_mut(ndarray::Axis(0), 0).fill(f64::NAN);
        values[[1, 0, 1]] = 2.0;
        let ranking = Ranking::new("Wald", values).unwrap();
        let options = Options { threshold: 0.0, diagonal: false };
        let found = score_ranking(&truth, &names, &ranking, options).unwrap();
        assert_eq!(found.lags.len(), 1);
        assert_eq!((found.window.auroc, found.summary.auroc), (None, Some(1.0)));
    }
}
