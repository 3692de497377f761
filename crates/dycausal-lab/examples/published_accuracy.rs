//! Accuracy of the published method on its dynamic linear benchmark (Table A1 of the paper).
//!
//! ```text
//! cargo run --release -p dycausal-lab --example published_accuracy -- \
//!     variables=20 weights=0.5,1 seeds=10 first=1000 encoder=free acyclic=union
//! ```
//!
//! `variables`, `series`, `steps`, `weights`, `first` and `seeds` say what is simulated; everything
//! else is a parameter of the method. F1 and SHD are at t = 1, 25 and 50; the truth counts as an
//! edge where it is above the method's threshold.

#![allow(clippy::print_stdout)] // it prints a table: that is what it is for

use std::error::Error;
use std::time::Instant;

use dycausal::{Run, find};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::Simulation;
use serde_json::{Map, Value};

const TIMES: [usize; 3] = [0, 24, 49];

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::default();
    let (mut first, mut seeds, mut threads) = (1000, 10, 1);
    let mut set = Map::new();
    for argument in std::env::args().skip(1) {
        let (name, value) = argument.split_once('=').ok_or("write name=value")?;
        match name {
            "variables" => simulation.variables = value.parse()?,
            "series" => simulation.series = value.parse()?,
            "steps" => simulation.steps = value.parse()?,
            "weights" => {
                let (low, high) = value.split_once(',').ok_or("write weights=low,high")?;
                simulation.weights = (low.parse()?, high.parse()?);
            }
            "first" => first = value.parse()?,
            "seeds" => seeds = value.parse()?,
            "threads" => threads = value.parse()?,
            _ => {
                let given = serde_json::from_str(value).unwrap_or(Value::String(value.into()));
                set.insert(name.into(), given);
            }
        }
    }
    simulation.lag = 1;
    let methods = dycausal_baselines::all_methods();
    let (method, all) = find(&methods, "dycausal")?.build(&set)?;
    let threshold = all["threshold"].as_f64().ok_or("a threshold")?;
    let options = Options { threshold, ..Default::default() };
    println!("{} variables, weights {:?}, {set:?}", simulation.variables, simulation.weights);
    println!(
        "| seed | F1 t=1 | F1 t=25 | F1 t=50 | SHD | | | seconds | warnings |\n|---|---|---|---|---|---|---|---|---|"
    );
    let mut rows = Vec::new();
    for seed in first..first + seeds {
        let data = simulation.draw(seed)?;
        let mut run = Run::new(seed).with_threads(threads)?;
        let begun = Instant::now();
        let graph = method.discover(&data.panel, &mut run)?;
        let seconds = begun.elapsed().as_secs_f64();
        let scores = score(&data.truth, &graph, options)?;
        let at = |t: usize| &scores.all.steps[t.min(simulation.steps - 1)];
        let mut row: Vec<f64> = TIMES.map(|t| 100.0 * at(t).f1.unwrap_or(f64::NAN)).into();
        row.extend(TIMES.map(|t| at(t).shd as f64));
        row.push(seconds);
        println!("| {seed} | {} | {} |", cells(&row), run.warnings().join("; "));
        rows.push(row);
    }
    let columns = 0..rows.first().map_or(0, Vec::len);
    let mean = |c: usize| rows.iter().map(|r| r[c]).sum::<f64>() / rows.len() as f64;
    let spread = |c: usize| {
        let squares = rows.iter().map(|r| (r[c] - mean(c)).powi(2)).sum::<f64>();
        (squares / rows.len() as f64).sqrt()
    };
    println!("| mean | {} | |", cells(&columns.clone().map(mean).collect::<Vec<_>>()));
    println!("| sd | {} | |", cells(&columns.map(spread).collect::<Vec<_>>()));
    Ok(())
}

fn cells(row: &[f64]) -> String {
    let texts: Vec<String> = row.iter().map(|x| format!("{x:.1}")).collect();
    texts.join(" | ")
}
