//! Seconds of the ordered engine by the number of variables, on one and two threads.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example ordered_timing -- \
//!     [--sizes 20,80,200,1000] [--threads 1,2] [--repeats 3] [--seed 1000] [--set name=value]...
//! ```
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use dycausal::{Run, find};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{NoiseScale, Simulation};
use serde_json::{Map, Value};

type Failure = Box<dyn std::error::Error>;

struct Arguments {
    sizes: Vec<usize>,
    threads: Vec<usize>,
    repeats: usize,
    seed: u64,
    set: Map<String, Value>,
}

fn numbers(text: &str) -> Result<Vec<usize>, Failure> {
    text.split(',').map(|n| Ok(n.parse()?)).collect()
}

fn arguments() -> Result<Arguments, Failure> {
    let mut out = Arguments {
        sizes: vec![20, 80, 200, 400],
        threads: vec![1, 2],
        repeats: 3,
        seed: 1000,
        set: Map::new(),
    };
    let mut rest = std::env::args().skip(1);
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--sizes" => out.sizes = numbers(&value)?,
            "--threads" => out.threads = numbers(&value)?,
            "--repeats" => out.repeats = value.parse()?,
            "--seed" => out.seed = value.parse()?,
            "--set" => {
                let (key, value) = value.split_once('=').ok_or("--set needs name=value")?;
                let parsed = serde_json::from_str(value).unwrap_or(Value::from(value));
                out.set.insert(key.to_owned(), parsed);
            }
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    Ok(out)
}

/// The peak of resident memory in MiB, where the system tells it.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) / 1024.0
}

fn main() -> Result<(), Failure> {
    let arguments = arguments()?;
    let methods = dycausal_baselines::all_methods();
    let (built, _) = find(&methods, "ordered")?.build(&arguments.set)?;
    println!(
        "N=200, T=50, lag 1, weights [.5,1], noise sd U[.5,1.5]; best of {}",
        arguments.repeats
    );
    println!(
        "{:>6} {:>7} {:>9} {:>9} {:>10}  F1 t=1/25/50; stages",
        "d", "threads", "seconds", "exponent", "peak MiB"
    );
    let mut before: Vec<Option<(usize, f64)>> = vec![None; arguments.threads.len()];
    for variables in arguments.sizes {
        let simulation = Simulation {
            variables,
            noise_scale: NoiseScale::Range { low: 0.5, high: 1.5 },
            ..Simulation::default()
        };
        let drawn = simulation.draw(arguments.seed)?;
        for (threads, last) in arguments.threads.iter().zip(&mut before) {
            let mut best = (f64::INFINITY, None, Vec::new());
            for _ in 0..arguments.repeats {
                let mut run = Run::new(arguments.seed + 7919).with_threads(*threads)?;
                let begun = Instant::now();
                let graph = built.discover(&drawn.panel, &mut run)?;
                let seconds = begun.elapsed().as_secs_f64();
                if seconds < best.0 {
                    best = (seconds, Some(graph), run.finish().to_vec());
                }
            }
            let (seconds, graph, stages) = best;
            let graph = graph.ok_or("no repeat")?;
            let scores = score(&drawn.truth, &graph, Options::default())?;
            let f1 = |t: usize| 100.0 * scores.all.steps[t].f1.unwrap_or(1.0);
            let exponent = last
                .map_or(f64::NAN, |(d, s)| (seconds / s).ln() / (variables as f64 / d as f64).ln());
            *last = Some((variables, seconds));
            let stages: Vec<String> =
                stages.iter().map(|s| format!("{} {:.3}", s.stage, s.seconds)).collect();
            println!(
                "{variables:>6} {threads:>7} {seconds:>9.4} {exponent:>9.2} {:>10.0}  {:.1}/{:.1}/{:.1}; {}",
                peak(),
                f1(0),
                f1(24),
                f1(49),
                stages.join(", ")
            );
        }
    }
    Ok(())
}
