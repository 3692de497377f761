//! Whether bands and tests of the ordered engine keep what they promise, with the order estimated.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example ordered_calibration -- [--seeds 200] [--first 1000] [--variables 10]
//! ```
#![allow(clippy::print_stdout, missing_docs)]

use dycausal::inference::{adjusted, test_edges};
use dycausal::{Basis, Certificate, Discover, DynamicGraph, Ordered, Run, basis::Shape};
use dycausal_lab::simulate::{Dynamics, NoiseLaw, NoiseScale, Simulation};

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Counts {
    band: (f64, f64),
    edge_band: (f64, f64),
    reported: (f64, f64),
    absent: (f64, f64),
    steady: (f64, f64),
    moving: (f64, f64),
    false_share: (f64, f64),
    power: (f64, f64),
    certain_wrong: (f64, f64),
    reversed: usize,
}

fn add(pair: &mut (f64, f64), hit: bool) {
    pair.0 += f64::from(u8::from(hit));
    pair.1 += 1.0;
}

fn order_of(graph: &DynamicGraph) -> Result<Vec<usize>, Failure> {
    let Certificate::Acyclic { order: Some(order), .. } = graph.certify() else {
        return Err("the graph has no order".into());
    };
    let number = |name: &String| graph.names().iter().position(|n| n == name);
    order.iter().map(|name| number(name).ok_or_else(|| "unknown name".into())).collect()
}

fn measure(simulation: &Simulation, seed: u64, counts: &mut Counts) -> Result<(), Failure> {
    let Ok(drawn) = simulation.draw(seed) else {
        return Ok(());
    };
    let graph = Ordered::default().discover(&drawn.panel, &mut Run::new(seed + 7919))?;
    let order = order_of(&graph)?;
    let steps = simulation.steps;
    let basis = Basis::new(Shape::Legendre { size: graph.basis().size() + 1 }, steps, 0)?;
    let tests = test_edges(&drawn.panel, 1, &order, &basis)?;
    let truth = |lag: usize, from: usize, to: usize, t: usize| drawn.truth.weight(t, lag, from, to);
    let q = adjusted(&tests.iter().map(|t| t.absent).collect::<Vec<_>>());
    let (mut found, mut wrong) = (0.0, 0.0);
    for (test, q) in tests.iter().zip(q) {
        let path: Vec<f64> = (1..steps).map(|t| truth(test.lag, test.from, test.to, t)).collect();
        let there = path.iter().any(|w| *w != 0.0);
        if test.lag == 0 && drawn.truth.edge(0, test.to, test.from).is_some() {
            // The order has this pair the wrong way round: no true value to compare with.
            counts.reversed += 1;
            continue;
        }
        for (t, w) in path.iter().enumerate() {
            let inside = (test.weight[t] - w).abs() <= 1.96 * test.error[t];
            add(&mut counts.band, inside);
            if there {
                add(&mut counts.edge_band, inside);
            }
        }
        if there {
            add(&mut counts.power, test.absent < 0.05);
            let moves = path.iter().any(|w| (w - path[0]).abs() > 1e-9);
            let part = if moves { &mut counts.moving } else { &mut counts.steady };
            add(part, test.unchanging < 0.05);
        } else {
            add(&mut counts.absent, test.absent < 0.05);
        }
        if q <= 0.1 {
            found += 1.0;
            wrong += f64::from(u8::from(!there));
        }
    }
    counts.false_share.0 += if found > 0.0 { wrong / found } else { 0.0 };
    counts.false_share.1 += 1.0;
    for edge in graph.edges() {
        let Some(tests) = &edge.tests else { continue };
        let mut certain_wrong = false;
        for t in 1..steps {
            let w = truth(edge.lag, edge.from, edge.to, t);
            let Some((low, high)) = edge.bounds(graph.basis(), t) else { continue };
            add(&mut counts.reported, (low..=high).contains(&w));
            let certain = tests.certain.as_ref().is_some_and(|c| c.contains(t));
            certain_wrong |= certain && w.abs() < 1e-9;
        }
        add(&mut counts.certain_wrong, certain_wrong);
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let (mut seeds, mut first, mut variables) = (200, 1000, 10);
    let mut rest = std::env::args().skip(1);
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--seeds" => seeds = value.parse()?,
            "--first" => first = value.parse()?,
            "--variables" => variables = value.parse()?,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    println!("{seeds} seeds from {first}, d={variables}, N=200, T=50, noise sd U[.5,1.5]; percent");
    println!(
        "{:<26} {:>6} {:>6} {:>9} {:>7} {:>7} {:>7} {:>6} {:>6} {:>8} {:>8}",
        "dynamics",
        "bands",
        "edges",
        "reported",
        "absent",
        "steady",
        "moving",
        "power",
        "FDR10",
        "certain",
        "reversed"
    );
    for (name, dynamics, noise) in [
        ("full, gaussian", Dynamics::Full, NoiseLaw::Gaussian),
        ("instantaneous, gaussian", Dynamics::Instantaneous, NoiseLaw::Gaussian),
        ("full, laplace", Dynamics::Full, NoiseLaw::Laplace),
    ] {
        let noise_scale = NoiseScale::Range { low: 0.5, high: 1.5 };
        let simulation =
            Simulation { variables, dynamics, noise, noise_scale, ..Simulation::default() };
        let mut counts = Counts::default();
        for seed in first..first + seeds {
            measure(&simulation, seed, &mut counts)?;
        }
        let share = |pair: (f64, f64)| 100.0 * pair.0 / pair.1;
        println!(
            "{name:<26} {:>6.1} {:>6.1} {:>9.1} {:>7.1} {:>7.1} {:>7.1} {:>6.1} {:>6.1} {:>8.1} {:>8}",
            share(counts.band),
            share(counts.edge_band),
            share(counts.reported),
            share(counts.absent),
            share(counts.steady),
            share(counts.moving),
            share(counts.power),
            share(counts.false_share),
            share(counts.certain_wrong),
            counts.reversed
        );
    }
    Ok(())
}
