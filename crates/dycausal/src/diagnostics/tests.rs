//! Every check fires on data with its defect, and is silent on data without.

use ndarray::Array3;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{ChiSquared, Distribution, StandardNormal, StudentT};

use super::evidence::Evidence;
use super::whiteness::portmanteau;
use super::*;
use crate::basis::{Basis, Shape};
use crate::error::Error;
use crate::graph::{Edge, Trajectory};
use crate::learners::Ordered;
use crate::method::Discover;
use crate::panel::TimeIndex;
use crate::run::Cancel;

type Noise<'a> = &'a mut dyn FnMut() -> f64;

fn gaussian(seed: u64) -> impl FnMut() -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    move || StandardNormal.sample(&mut random)
}

/// Series of `a`, which follows itself, `b`, which follows `a` one step later, and `c`, alone.
fn system(series: usize, steps: usize, noise: Noise<'_>) -> Array3<f64> {
    let mut values = Array3::zeros((series, steps, 3));
    for n in 0..series {
        for t in 0..steps {
            let before = if t == 0 { 0.0 } else { values[[n, t - 1, 0]] };
            values[[n, t, 0]] = 0.5 * before + noise();
            values[[n, t, 1]] = 0.8 * before + noise();
            values[[n, t, 2]] = noise();
        }
    }
    values
}

fn names() -> Vec<String> {
    ["a", "b", "c"].map(String::from).to_vec()
}

fn graph(steps: usize, edges: &[(usize, usize, usize, f64)]) -> DynamicGraph {
    let edge = |&(from, to, lag, weight): &(usize, usize, usize, f64)| {
        Edge::new(from, to, lag, Trajectory::Constant(weight), steps)
    };
    let basis = Basis::constant(steps).unwrap();
    let edges = edges.iter().map(edge).collect();
    DynamicGraph::new(names(), TimeIndex::Steps(steps), 1, basis, edges).unwrap()
}

fn truth(steps: usize) -> DynamicGraph {
    graph(steps, &[(0, 0, 1, 0.5), (0, 1, 1, 0.8)])
}

fn checked(values: Array3<f64>, graph: &DynamicGraph) -> Diagnostics {
    Diagnostics::of(graph, &Panel::new(values, names()).unwrap()).unwrap()
}

/// The verdict of a check on a variable.
fn verdict(found: &Diagnostics, check: &str, variable: &str) -> Verdict {
    let is = |f: &&Finding| f.check == check && f.variables == [variable];
    found.findings.iter().find(is).unwrap_or_else(|| panic!("no {check} of {variable}")).verdict
}

#[test]
fn clean_data_leave_nothing_to_say() {
    let mut verdicts = Vec::new();
    for seed in 0..10 {
        for (series, steps) in [(1, 400), (30, 40)] {
            let found = checked(system(series, steps, &mut gaussian(seed)), &truth(steps));
            verdicts.push(found.worst());
            let quiet = found.summary.starts_with("no variable leaves a pattern");
            assert_eq!(quiet, found.suspicious() == 0, "{}", found.summary);
            assert_eq!(found.warnings().is_empty(), found.worst() < Verdict::Bad);
            assert!((found.variables[1].explained.unwrap() - 0.46).abs() < 0.12);
            assert!((found.variables[1].held_out.unwrap() - 0.46).abs() < 0.12);
            assert_eq!(found.variables[2].held_out, None);
            assert!((found.variables[1].sd - 1.0).abs() < 0.1);
        }
    }
    // Tests of level .05 and .01 fire by chance in one and in a fifth of twenty.
    let count = |verdict| verdicts.iter().filter(|found| **found >= verdict).count();
    assert!(count(Verdict::Doubtful) <= 3 && count(Verdict::Bad) <= 1, "{verdicts:?}");
}

#[test]
fn the_assumption_that_no_data_can_show_is_always_told() {
    let found = checked(system(1, 100, &mut gaussian(1)), &truth(100));
    let last = found.findings.last().unwrap();
    assert!(last.words.ends_with(ASSUMPTION) && last.variables.is_empty());
}

#[test]
fn a_second_lag_that_is_missing_leaves_a_pattern() {
    let mut noise = gaussian(3);
    let mut values = system(1, 400, &mut noise);
    for t in 2..400 {
        values[[0, t, 2]] = 0.4 * values[[0, t - 1, 2]] + 0.4 * values[[0, t - 2, 2]] + noise();
    }
    let edges = [(0, 0, 1, 0.5), (0, 1, 1, 0.8), (2, 2, 1, 0.66)];
    let found = checked(values, &graph(400, &edges));
    assert_eq!(verdict(&found, "whiteness", "c"), Verdict::Bad);
    assert_eq!(verdict(&found, "whiteness", "a"), Verdict::Fine);
    assert!(found.warnings()[0].contains("the lag too short"), "{:?}", found.warnings());
    assert!(found.summary.starts_with("1 of 3 variables leaves a pattern in its residuals"));
}

#[test]
fn an_oscillation_leaves_a_pattern() {
    let mut values = system(1, 300, &mut gaussian(4));
    for t in 0..300 {
        values[[0, t, 2]] += 1.2 * (t as f64 / 2.0).sin();
    }
    let found = checked(values, &truth(300));
    assert_eq!(verdict(&found, "whiteness", "c"), Verdict::Bad);
    assert_eq!(verdict(&found, "whiteness", "b"), Verdict::Fine);
}

#[test]
fn noise_that_doubles_is_seen_and_is_no_pattern_in_time() {
    let mut values = system(1, 400, &mut gaussian(5));
    for t in 200..400 {
        values[[0, t, 2]] *= 2.0;
    }
    let found = checked(values, &truth(400));
    assert_eq!(verdict(&found, "variance", "c"), Verdict::Doubtful);
    assert_eq!(verdict(&found, "variance", "a"), Verdict::Fine);
    assert_eq!(verdict(&found, "whiteness", "c"), Verdict::Fine);
    let curve = &found.variables[2].sd_over_time;
    assert!(curve.len() == 24 && curve[20].unwrap() > 1.4 * curve[3].unwrap());
}

#[test]
fn outliers_and_noise_to_one_side_are_seen() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut values = system(1, 500, &mut gaussian(6));
    let (heavy, skewed) = (StudentT::new(2.0).unwrap(), ChiSquared::new(1.0).unwrap());
    for t in 0..500 {
        values[[0, t, 2]] = heavy.sample(&mut random);
        let before = if t == 0 { 0.0 } else { values[[0, t - 1, 0]] };
        values[[0, t, 1]] = 0.8 * before + skewed.sample(&mut random);
    }
    let found = checked(values, &truth(500));
    assert_eq!(verdict(&found, "tails", "c"), Verdict::Doubtful);
    assert_eq!(verdict(&found, "tails", "b"), Verdict::Doubtful);
    assert_eq!(verdict(&found, "tails", "a"), Verdict::Fine);
}

#[test]
fn a_weight_that_hangs_on_a_row_is_seen() {
    let mut values = system(1, 300, &mut gaussian(7));
    (values[[0, 149, 0]], values[[0, 150, 1]]) = (30.0, 25.0);
    let found = checked(values, &truth(300));
    assert_eq!(verdict(&found, "influence", "b"), Verdict::Doubtful);
    let clean = checked(system(1, 300, &mut gaussian(7)), &truth(300));
    assert_eq!(verdict(&clean, "influence", "b"), Verdict::Fine);
}

#[test]
fn a_shared_disturbance_is_a_hint_and_no_more() {
    let mut noise = gaussian(8);
    let mut values = system(1, 500, &mut noise);
    for t in 1..500 {
        // Cubes, since a shared cause that is Gaussian leaves no trace once an edge stands for it.
        let shared = noise().powi(3);
        values[[0, t, 2]] += shared;
        values[[0, t, 1]] = 0.8 * values[[0, t - 1, 0]] + noise() + shared;
    }
    let found = checked(values, &truth(500));
    assert_eq!(found.pairs[0].variables, ["b", "c"].map(String::from));
    let pair = found.findings.iter().find(|f| f.check == "dependence").unwrap();
    assert_eq!((pair.variables.len(), pair.verdict), (2, Verdict::Doubtful));
    assert!(found.findings.last().unwrap().words.contains("share a cause"));
    // In sizes alone, where nothing linear is left.
    let mut values = system(1, 800, &mut noise);
    for t in 0..800 {
        let size = (0.8 * noise()).exp();
        values[[0, t, 2]] = size * noise();
        let before = if t == 0 { 0.0 } else { values[[0, t - 1, 0]] };
        values[[0, t, 1]] = 0.8 * before + size * noise();
    }
    assert_eq!(checked(values, &truth(800)).pairs[0].variables, ["b", "c"].map(String::from));
}

#[test]
fn a_graph_that_does_harm_says_so() {
    let values = system(1, 300, &mut gaussian(9));
    let wrong = graph(300, &[(0, 0, 1, 0.5), (0, 1, 1, -3.0)]);
    let found = checked(values, &wrong);
    assert_eq!(verdict(&found, "explained", "b"), Verdict::Bad);
    // Least squares on the same cause repairs the weight: the cause itself is right.
    assert_eq!(verdict(&found, "held out", "b"), Verdict::Fine);
    let said = &found.worse_than_mean()[0];
    assert!(said.starts_with("the graph predicts `b` worse than its mean (explained −"), "{said}");
    assert_eq!(&found.warnings()[0], said);
}

#[test]
fn causes_that_only_fit_their_own_rows_fail_on_others() {
    let mut worse = 0;
    for seed in 0..10 {
        let values = system(1, 60, &mut gaussian(100 + seed));
        // Twelve polynomials for each of three causes, and nothing to explain.
        let basis = Basis::new(Shape::Legendre { size: 12 }, 60, 1).unwrap();
        let flat = || Trajectory::Coefficients(vec![0.01; 12]);
        let edges = vec![Edge::new(0, 2, 1, flat(), 60), Edge::new(1, 2, 1, flat(), 60)];
        let steps = TimeIndex::Steps(60);
        let graph = DynamicGraph::new(names(), steps, 1, basis, edges).unwrap();
        worse += usize::from(verdict(&checked(values, &graph), "held out", "c") == Verdict::Bad);
    }
    assert!(worse >= 8, "{worse} of 10");
}

#[test]
fn rows_that_are_not_whole_do_not_count() {
    let mut values = system(1, 120, &mut gaussian(11));
    values.slice_mut(ndarray::s![0, 40..50, 0]).fill(f64::NAN);
    let found = checked(values.clone(), &truth(120));
    assert_eq!(found.rows, 119 - 11);
    assert!((found.variables[1].sd - 1.0).abs() < 0.2);
    let other = Panel::unnamed(values).unwrap();
    assert!(matches!(Diagnostics::of(&truth(120), &other), Err(Error::Shape { .. })));
}

#[test]
fn whiteness_is_of_the_size_it_says() {
    let (mut five, mut one) = (0, 0);
    for seed in 0..200 {
        let panel = Panel::new(system(1, 300, &mut gaussian(1000 + seed)), names()).unwrap();
        let graph = truth(300);
        let evidence = Evidence::of(&graph, &panel, &Cancel::default()).unwrap();
        // χ² with 8 degrees of freedom is above these with probability .05 and .01.
        let statistic = portmanteau(&evidence, 2).statistic;
        five += usize::from(statistic > 15.507);
        one += usize::from(statistic > 20.090);
    }
    assert!((3..=18).contains(&five) && one <= 6, "{five} and {one} of 200");
}

#[test]
fn the_default_method_passes_its_own_checks() {
    let panel = Panel::new(system(1, 400, &mut gaussian(12)), names()).unwrap();
    let mut run = Run::new(0);
    let method = Ordered::default();
    let graph = method.discover(&panel, &mut run).unwrap();
    let found = Diagnostics::after_fit(&graph, &panel, &Map::new(), &mut run).unwrap();
    assert!(found.warnings().is_empty(), "{:?}", found.warnings());
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Diagnostics>(&text).unwrap(), found);
    let network = Map::from_iter([("model".to_owned(), Value::from("mlp"))]);
    assert!(Diagnostics::after_fit(&graph, &panel, &network, &mut run).is_none());
}
