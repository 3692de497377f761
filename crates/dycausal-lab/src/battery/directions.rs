//! Chains within a step: whether a claim about direction is made only where the data can tell.

use std::f64::consts::PI;

use dycausal::DynamicGraph;
use dycausal::graph::{Edge, Trajectory};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure, Trial};
use super::engine::is_undirected;
use super::generate::{Innovations, System};
use crate::error::Result;
use crate::simulate::NoiseLaw;

/// Directions of chains.
pub(super) const DIRECTIONS: Battery = Battery {
    name: "directions",
    title: "Directions",
    summary: "Whether directions are claimed only where the data can tell.",
    about: "Chains x → y → z within the step, without any lag, under noise that leaves the direction open (Gaussian, elliptical, or with one volatility for all) and under noise or movement that settles it. Each of the two adjacencies is one of four things.",
    figures: &[
        Figure { name: "wrong", meaning: "listed the wrong way round, as if it were known" },
        Figure { name: "right", meaning: "listed the right way round, and said to be known" },
        Figure { name: "flagged", meaning: "listed, and said to be open" },
        Figure { name: "missing", meaning: "not listed" },
    ],
    seeds: 100,
    quick_seeds: 20,
    conditions,
    measure,
    ..Battery::PLAIN
};

const FIGURES: [&str; 4] = ["wrong", "right", "flagged", "missing"];

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let adjacencies: Vec<&Edge> = trial.sample.truth.instantaneous().collect();
    let verdicts: Vec<usize> = adjacencies.iter().map(|edge| verdict(edge, trial.graph)).collect();
    let share = |(place, name): (usize, &'static str)| {
        let count = verdicts.iter().filter(|verdict| **verdict == place).count();
        (name, count as f64 / verdicts.len().max(1) as f64)
    };
    FIGURES.into_iter().enumerate().map(share).collect()
}

/// Which of the four figures an adjacency counts for.
fn verdict(edge: &Edge, graph: &DynamicGraph) -> usize {
    let forward = graph.edge(0, edge.from, edge.to);
    let backward = graph.edge(0, edge.to, edge.from);
    match (forward, backward) {
        (None, None) => 3,
        (Some(listed), _) | (_, Some(listed)) if is_undirected(listed) => 2,
        (Some(_), None) => 1,
        (_, Some(_)) => 0,
    }
}

/// x → y → z under random numbers, |weight| from U\[0.5, 1\]; weights that move follow w cos(πt/T).
fn chain(stream: &mut Stream, size: Size, innovations: Innovations, moves: bool) -> Result<Sample> {
    let mut order: Vec<usize> = (0..size.variables).collect();
    order.shuffle(stream);
    let edge = |pair: &[usize]| {
        let sign = if stream.random_bool(0.5) { 1.0 } else { -1.0 };
        let weight = sign * stream.random_range(0.5..=1.0);
        let at = |t: usize| weight * (PI * (t + 1) as f64 / size.steps as f64).cos();
        let path = if moves {
            Trajectory::Steps((0..size.steps).map(at).collect())
        } else {
            Trajectory::Constant(weight)
        };
        Edge::new(pair[0], pair[1], 0, path, size.steps)
    };
    let edges = order.windows(2).map(edge).collect();
    System { innovations, ..System::PLAIN }.sample(stream, size, edges)
}

fn conditions() -> Vec<Condition> {
    let student = |degrees| Innovations::Independent(NoiseLaw::StudentT { degrees });
    let laws = [
        ("open: Gaussian", Innovations::GAUSSIAN),
        ("open: multivariate t3", Innovations::JointStudentT(3.0)),
        ("open: multivariate t5", Innovations::JointStudentT(5.0)),
        ("open: common volatility", Innovations::CommonVolatility),
        ("Laplace", Innovations::Independent(NoiseLaw::Laplace)),
        ("uniform", Innovations::Independent(NoiseLaw::Uniform)),
        ("exponential", Innovations::Exponential),
        ("t3", student(3.0)),
        ("t5", student(5.0)),
        ("own volatility", Innovations::OwnVolatility),
    ];
    let mut all = Vec::new();
    for steps in [1000, 300] {
        let size = Size::new(1, steps, 3);
        for (name, law) in laws {
            let draw = move |s: &mut Stream, size| chain(s, size, law, false);
            all.push(Condition::new(format!("{name} T={steps}"), size, draw));
        }
        all.push(moving_weights(format!("moving weights T={steps}"), size));
    }
    all.push(moving_weights("moving weights N=200 T=50".into(), Size::new(200, 50, 3)));
    all
}

fn moving_weights(name: String, size: Size) -> Condition {
    Condition::new(name, size, |s, size| chain(s, size, Innovations::GAUSSIAN, true))
}
