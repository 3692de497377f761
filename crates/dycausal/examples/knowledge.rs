//! What is known beforehand: edges that cannot be, and edges that have to be.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use dycausal::{Discover, DynamicGraph, Ordered, Panel, Result, Run, Statements};
use ndarray::Array3;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde_json::json;

fn main() -> Result<()> {
    let names = ["season", "price", "demand"].map(String::from).to_vec();
    let panel = Panel::new(simulated(30, 40), names)?;
    let method = Ordered::default();

    // The same as in a file of TOML; a name may be a pattern.
    let statements = json!({
        "roots": ["season"],
        "forbid": [{ "from": "demand", "to": "price" }],
        "require": [{ "from": "price", "to": "demand", "lag": 1 }],
    });
    let statements = Statements::from_json("example", statements)?;
    let known = statements.resolve(panel.names(), panel.times(), &|_| None)?;

    println!("Nothing is known:");
    print(&method.discover(&panel, &mut Run::new(0))?);
    println!("{}:", statements.words().join("; "));
    let graph = method.discover(&panel, &mut Run::new(0).with_knowledge(known))?;
    print(&graph);

    assert!(graph.edges().iter().all(|edge| edge.to != 0), "nothing causes the season");
    // What is required stays, though the data show nothing of it: here its weight is 0.
    assert!(graph.edge(1, 1, 2).is_some(), "the price acts one step later");
    Ok(())
}

fn print(graph: &DynamicGraph) {
    for edge in graph.edges() {
        let (from, to) = (&graph.names()[edge.from], &graph.names()[edge.to]);
        let mark = edge.mark;
        println!("  {from} -> {to} at lag {}: {mark:?}, given: {:?}", edge.lag, edge.given);
    }
}

/// The season moves price and demand, the price moves the demand within the step: Gaussian noise, so that
/// the data alone cannot tell the directions.
fn simulated(series: usize, steps: usize) -> Array3<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
    let mut values = Array3::zeros((series, steps, 3));
    for (n, t) in (0..series).flat_map(|n| (0..steps).map(move |t| (n, t))) {
        let season = noise();
        let price = 0.8 * season + noise();
        values[[n, t, 0]] = season;
        values[[n, t, 1]] = price;
        values[[n, t, 2]] = 0.6 * season - 0.9 * price + noise();
    }
    values
}
