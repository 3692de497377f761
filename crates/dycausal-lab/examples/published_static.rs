//! Accuracy of the published method on its static benchmarks (Table A3 of the paper).
//!
//! ```text
//! cargo run --release -p dycausal-lab --example published_static -- model=mlp variables=10 seeds=10
//! ```
//!
//! One series of 1000 steps cut into 20, window 10, spacing 5; `model` is linear, mlp or lorenz;
//! `variables`, `weights`, `first` and `seeds` say what else is simulated, everything else is a
//! parameter of the method. A static edge counts as found where it is there at most steps.

#![allow(clippy::print_stdout)] // it prints a table: that is what it is for

use std::error::Error;
use std::time::Instant;

use dycausal::graph::{Edge, Trajectory};
use dycausal::{DynamicGraph, Run, find};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{Dynamics, Model, Simulation};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut model = "linear".to_owned();
    let (mut variables, mut first, mut seeds, mut threads) = (10, 1000, 10, 1);
    let mut weights = (0.5, 1.0);
    let mut given = Map::new();
    for argument in std::env::args().skip(1) {
        let (name, value) = argument.split_once('=').ok_or("write name=value")?;
        match name {
            "model" => model = value.into(),
            "variables" => variables = value.parse()?,
            "first" => first = value.parse()?,
            "seeds" => seeds = value.parse()?,
            "threads" => threads = value.parse()?,
            "weights" => {
                let (low, high) = value.split_once(',').ok_or("write weights=low,high")?;
                weights = (low.parse()?, high.parse()?);
            }
            _ => {
                let text = || Value::String(value.into());
                given.insert(name.into(), serde_json::from_str(value).unwrap_or_else(|_| text()));
            }
        }
    }
    let simulation = simulation(&model, variables, weights)?;
    let mut set = settings(&model, simulation.lag);
    set.extend(given);
    let methods = dycausal::methods();
    let (method, all) = find(&methods, "dycausal")?.build(&set)?;
    let threshold = all["threshold"].as_f64().ok_or("a threshold")?;
    println!("{model}, {variables} variables, {}", Value::Object(set));
    println!("| seed | TPR | F1 | SHD | seconds |\n|---|---|---|---|---|");
    let mut rows: Vec<[f64; 4]> = Vec::new();
    for seed in first..first + seeds {
        let data = simulation.draw(seed)?;
        let mut run = Run::new(seed).with_threads(threads)?;
        let begun = Instant::now();
        let graph = method.discover(&data.panel, &mut run)?;
        let seconds = begun.elapsed().as_secs_f64();
        let options = Options { threshold, ..Default::default() };
        let found = score(&data.truth, &majority(&graph)?, options)?.all.steps[0];
        let percent = |ratio: Option<f64>| 100.0 * ratio.unwrap_or(f64::NAN);
        let row = [percent(found.tpr), percent(found.f1), found.shd as f64, seconds];
        println!("| {seed} | {:.1} | {:.1} | {} | {:.1} |", row[0], row[1], row[2], row[3]);
        rows.push(row);
    }
    let mean = |c: usize| rows.iter().map(|row| row[c]).sum::<f64>() / rows.len() as f64;
    let spread = |c: usize| {
        let squares = rows.iter().map(|row| (row[c] - mean(c)).powi(2));
        (squares.sum::<f64>() / rows.len() as f64).sqrt()
    };
    for (name, of) in [("mean", &mean as &dyn Fn(usize) -> f64), ("sd", &spread)] {
        println!("| {name} | {:.1} | {:.1} | {:.1} | {:.1} |", of(0), of(1), of(2), of(3));
    }
    Ok(())
}

fn simulation(
    model: &str,
    variables: usize,
    weights: (f64, f64),
) -> Result<Simulation, Box<dyn Error>> {
    let base = Simulation::of(model.parse()?);
    let cut = Simulation {
        variables,
        weights,
        series: 1,
        steps: 1000,
        cut: 20,
        dynamics: Dynamics::Static,
        ..base
    };
    Ok(match cut.model {
        Model::Lorenz { .. } => cut,
        _ => Simulation { lag: 2, ..cut },
    })
}

/// The paper's static setting.
fn settings(model: &str, lag: usize) -> Map<String, Value> {
    let network = match model {
        "mlp" => "mlp",
        "lorenz" => "ode",
        _ => "linear",
    };
    let set = json!({ "model": network, "lag": lag, "window": 10, "spacing": 5 });
    set.as_object().cloned().unwrap_or_default()
}

/// The edges that are there at most steps, as static ones.
fn majority(graph: &DynamicGraph) -> Result<DynamicGraph, Box<dyn Error>> {
    let steps = graph.steps();
    let often = graph.edges().iter().filter(|edge| 2 * edge.presence.count() > steps);
    let steady = often.map(|edge| {
        let strength = edge.strength(graph.basis());
        Edge::new(edge.from, edge.to, edge.lag, Trajectory::Constant(strength), steps)
    });
    Ok(graph.with_edges(steady.collect())?)
}
