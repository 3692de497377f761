//! Series in, a graph for every step out.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use dycausal::prelude::*;
use ndarray::Array3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() -> dycausal::Result<()> {
    let names = ["wind", "turbine", "battery"].map(String::from).to_vec();
    let panel = Panel::new(simulated(40, 60), names)?; // values[series, time, variable]; NaN is missing

    let mut run = Run::new(0);
    let graph = Ordered::default().discover(&panel, &mut run)?;

    for (edge, weight) in graph.at(45) {
        let (cause, effect) = (&graph.names()[edge.from], &graph.names()[edge.to]);
        let (low, high) = edge.bounds(graph.basis(), 45).unwrap_or((f64::NAN, f64::NAN));
        let q = edge.tests.as_ref().and_then(|tests| tests.absent_adjusted).unwrap_or(f64::NAN);
        println!(
            "{cause} -> {effect} at lag {}: {weight:.2} ({low:.2} to {high:.2}), q = {q:.1e}",
            edge.lag
        );
    }
    run.warnings().iter().for_each(|warning| println!("note: {warning}"));
    Ok(())
}

/// The wind drives the turbine, more from step 30 on; the turbine charges the battery one step later.
fn simulated(series: usize, steps: usize) -> Array3<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut values =
        Array3::from_shape_simple_fn((series, steps, 3), || random.random_range(-1.0..1.0));
    for (n, t) in (0..series).flat_map(|n| (1..steps).map(move |t| (n, t))) {
        let strength = if t < 30 { 0.4 } else { 1.2 };
        values[[n, t, 1]] += strength * values[[n, t, 0]];
        values[[n, t, 2]] += 0.7 * values[[n, t - 1, 1]];
    }
    values
}
