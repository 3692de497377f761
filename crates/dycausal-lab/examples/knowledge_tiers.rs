//! What half of the true order is worth: F1 without knowledge, with the variables in two tiers, and
//! with the order of every other variable.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example knowledge_tiers -- [--seeds 12] [--first 8000]
//! ```
#![allow(clippy::print_stdout, missing_docs)]

use dycausal::{Certificate, Discover, DynamicGraph, Ordered, Panel, Run, Statements};
use dycausal_lab::Error;
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{Dynamics, NoiseScale, Simulated, Simulation};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let (mut seeds, mut first) = (12, 8000);
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("{name} needs a value"))?.parse()?;
        match name.as_str() {
            "--seeds" => seeds = value,
            "--first" => first = value,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    println!("F1 over all edges, mean over seeds {first} to {}\n", first + seeds - 1);
    println!(
        "| data | nothing known | two tiers | every other | lower with tiers | lower with every other |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, simulation) in systems() {
        let mut found = Vec::new();
        for seed in first..first + seeds {
            match simulation.draw(seed) {
                // No stable system in as many draws as there are.
                Err(Error::Unstable { .. }) => {}
                drawn => found.push(one(&drawn?)?),
            }
        }
        let seeds = found.len();
        let mean =
            |which: usize| 100.0 * found.iter().map(|f| f[which]).sum::<f64>() / found.len() as f64;
        let lower = |which: usize| found.iter().filter(|f| f[which] < f[0] - 1e-9).count();
        println!(
            "| {name} | {:.1} | {:.1} | {:.1} | {} of {seeds} | {} of {seeds} |",
            mean(0),
            mean(1),
            mean(2),
            lower(1),
            lower(2)
        );
    }
    Ok(())
}

fn systems() -> Vec<(&'static str, Simulation)> {
    let noise_scale = NoiseScale::Range { low: 0.5, high: 1.5 };
    let base = Simulation { noise_scale, ..Simulation::default() };

    vec![
        ("d 20, N 200, T 50", base.clone()),
        ("d 20, N 20, T 50", Simulation { series: 20, ..base.clone() }),
        (
            "d 10, N 1, T 400, static",
            Simulation {
                variables: 10,
                series: 1,
                steps: 400,
                dynamics: Dynamics::Static,
                ..base.clone()
            },
        ),
        (
            "d 20, N 50, T 20, static",
            Simulation { series: 50, steps: 20, dynamics: Dynamics::Static, ..base.clone() },
        ),
        ("d 20, N 5, T 50, weak", Simulation { series: 5, weights: (0.3, 0.5), ..base }),
    ]
}

/// F1 with nothing known, two tiers, and the order of every other variable.
fn one(made: &Simulated) -> Result<[f64; 3], Failure> {
    let Certificate::Acyclic { order: Some(order), .. } = made.truth.certify() else {
        return Err("the order of the truth changes".into());
    };
    let (early, late) = order.split_at(order.len() / 2);
    let every_other: Vec<[&String; 1]> = order.iter().step_by(2).map(|name| [name]).collect();
    Ok([
        f1(&made.panel, &made.truth, json!({}))?,
        f1(&made.panel, &made.truth, json!({ "order": [early, late] }))?,
        f1(&made.panel, &made.truth, json!({ "order": every_other }))?,
    ])
}

fn f1(panel: &Panel, truth: &DynamicGraph, said: Value) -> Result<f64, Failure> {
    let known = Statements::from_json("truth", said)?;
    let known = known.resolve(panel.names(), panel.times(), &|_| None)?;
    let method = Ordered { bands: false, lag: 1.into(), ..Ordered::default() };
    let graph = method.discover(panel, &mut Run::new(0).with_knowledge(known))?;
    let threshold = 0.0;
    let scores = score(truth, &graph, Options { threshold, diagonal: true })?;
    Ok(scores.all.window.f1.unwrap_or(0.0))
}
