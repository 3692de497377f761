//! Scores computed by hand.

use dycausal::graph::{Edge, Presence, Trajectory};
use dycausal::{Basis, TimeIndex};

use super::*;

const STEPS: usize = 2;

/// Edges (lag, from, to, weight) that do not move, between three variables at lags 0 and 1.
fn graph(edges: &[(usize, usize, usize, f64)]) -> DynamicGraph {
    let edge = |&(lag, from, to, w): &_| Edge::new(from, to, lag, Trajectory::Constant(w), STEPS);
    of_edges(edges.iter().map(edge).collect())
}

fn of_edges(edges: Vec<Edge>) -> DynamicGraph {
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let basis = Basis::constant(STEPS).unwrap();
    DynamicGraph::new(names, TimeIndex::Steps(STEPS), 1, basis, edges).unwrap()
}

fn scores(truth: &DynamicGraph, estimate: &DynamicGraph) -> Scores {
    score(truth, estimate, Options::default()).unwrap()
}

fn close(found: Option<f64>, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?}, not {expected}");
}

#[test]
fn a_reversed_instantaneous_edge_is_two_mistakes_but_one_distance() {
    let truth = graph(&[(0, 0, 1, 1.0), (0, 1, 2, 1.0), (1, 0, 0, 0.5)]);
    let estimate = graph(&[(0, 1, 0, 0.8), (0, 1, 2, 0.9), (1, 0, 2, 0.4)]);
    let found = scores(&truth, &estimate);
    let step = found.all.steps[0];
    // Both: b → c. Estimate alone: b → a, a → c later. Truth alone: a → b, a → a later.
    let counts = [step.true_positives, step.false_positives, step.false_negatives];
    assert_eq!(counts, [1, 2, 2]);
    // 6 cells within a step and 9 at lag 1.
    assert_eq!(step.true_negatives, 15 - 5);
    assert_eq!((step.reversed, step.shd), (1, 3));
    close(step.f1, 2.0 / 6.0);
    close(step.tpr, 1.0 / 3.0);
    close(step.precision, 1.0 / 3.0);
    close(step.fpr, 2.0 / 12.0);
    let (within, lagged) = (found.instantaneous.steps[0], found.lagged.steps[0]);
    assert_eq!((within.shd, lagged.shd), (1, 2));
    // 1² + 0.1² + 0.8² within, 0.5² + 0.4² lagged.
    close(step.weight_rmse, ((1.0f64 + 0.01 + 0.64 + 0.25 + 0.16) / 15.0).sqrt());
    close(step.edge_weight_rmse, ((1.0f64 + 0.01 + 0.25) / 3.0).sqrt());
}

#[test]
fn a_lagged_edge_the_other_way_round_is_two_distances() {
    let found = scores(&graph(&[(1, 0, 1, 1.0)]), &graph(&[(1, 1, 0, 1.0)]));
    assert_eq!((found.all.steps[0].reversed, found.all.steps[0].shd), (0, 2));
    assert_eq!(found.all.summary.shd, 2);
}

#[test]
fn rankings_count_ties_half_and_unlisted_cells_as_zero() {
    let truth = graph(&[(0, 0, 1, 1.0), (0, 1, 2, 1.0)]);
    let estimate = graph(&[(0, 0, 1, 0.9), (0, 0, 2, 0.9)]);
    let within = scores(&truth, &estimate).instantaneous.steps[0];
    // Edge a → b: ties with a → c, above three others: 3.5 of 4. Edge b → c, at 0: below a → c,
    // ties with three: 1.5 of 4.
    close(within.auroc, 5.0 / 8.0);
    // Recall 1/2 at precision 1/2, then 1 at 2/6.
    close(within.auprc, 0.5 * 0.5 + 0.5 / 3.0);
}

#[test]
fn empty_graphs_have_defined_or_absent_scores_and_never_nan() {
    let (none, some) = (graph(&[]), graph(&[(0, 0, 1, 1.0)]));
    let both = scores(&none, &none).all;
    assert_eq!((both.steps[0].f1, both.steps[0].shd), (None, 0));
    assert_eq!((both.average.f1, both.average.shd), (None, Some(0.0)));
    assert_eq!((both.steps[0].fpr, both.steps[0].weight_rmse), (Some(0.0), Some(0.0)));
    let no_truth = scores(&none, &some).all.steps[0];
    assert_eq!((no_truth.f1, no_truth.precision), (Some(0.0), Some(0.0)));
    assert_eq!((no_truth.tpr, no_truth.auroc, no_truth.auprc), (None, None, None));
    let no_estimate = scores(&some, &none).all.steps[0];
    assert_eq!((no_estimate.f1, no_estimate.tpr), (Some(0.0), Some(0.0)));
    assert_eq!((no_estimate.precision, no_estimate.auroc), (None, Some(0.5)));
    let text = serde_json::to_string(&scores(&none, &none)).unwrap();
    assert_eq!(serde_json::from_str::<Scores>(&text).unwrap(), scores(&none, &none));
}

#[test]
fn edges_count_where_they_are_above_the_threshold_and_there() {
    let early = Edge {
        presence: Presence::when(STEPS, |t| t == 0),
        ..Edge::new(0, 1, 0, Trajectory::Constant(0.5), STEPS)
    };
    let (truth, estimate) = (of_edges(vec![early]), graph(&[(0, 0, 1, 0.5), (1, 0, 1, 0.3)]));
    let found = scores(&truth, &estimate).all;
    assert_eq!((found.steps[0].f1, found.steps[1].f1), (Some(1.0), Some(0.0)));
    assert_eq!(found.average.f1, Some(0.5));
    // At some step both have a → b; 0.3 is not above 0.3.
    assert_eq!((found.window.f1, found.summary.f1), (Some(1.0), Some(1.0)));
}

#[test]
fn self_effects_count_if_asked_for() {
    let (truth, estimate) = (graph(&[(1, 0, 0, 1.0)]), graph(&[]));
    let with = scores(&truth, &estimate).all;
    assert_eq!((with.steps[0].shd, with.summary.true_negatives), (1, 8));
    let options = Options { diagonal: false, ..Options::default() };
    let without = score(&truth, &estimate, options).unwrap().all;
    assert_eq!((without.steps[0].shd, without.steps[0].true_negatives), (0, 12));
    assert_eq!(without.summary.true_negatives, 6);
}

#[test]
fn graphs_that_do_not_match_are_refused() {
    let truth = graph(&[]);
    let names = |names: [&str; 3]| names.map(String::from).to_vec();
    let other = |names: Vec<String>, steps: usize| {
        let basis = Basis::constant(steps).unwrap();
        DynamicGraph::new(names, TimeIndex::Steps(steps), 1, basis, Vec::new()).unwrap()
    };
    let answer = |estimate| score(&truth, &estimate, Options::default());
    assert!(answer(other(names(["a", "b", "c"]), 3)).is_err());
    assert!(answer(other(vec!["a".into()], STEPS)).is_err());
    let turned = answer(other(names(["b", "a", "c"]), STEPS)).unwrap_err().to_string();
    assert!(turned.contains("order of the truth"), "{turned}");
    assert!(answer(other(names(["x1", "x2", "x3"]), STEPS)).is_ok());
    for threshold in [-1.0, f64::NAN] {
        assert!(score(&truth, &truth, Options { threshold, diagonal: true }).is_err());
    }
}
