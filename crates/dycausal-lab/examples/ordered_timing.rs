//! Seconds of the ordered engine, by the clock and of all cores together, by the number of variables, on one and
//! two threads, stage by stage.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example ordered_timing -- \
//!     [--sizes 20,80,200,1000] [--threads 1,2] [--repeats 3] [--seed 1000] [--series 200] [--steps 50] \
//!     [--dynamics full] [--set name=value]...
//! ```
//!
//! Many variables: `--sizes 1000,3000,11165 --threads 2 --repeats 1 --set lag=1`.
//! One long series: `--series 1 --steps 1000000 --dynamics regimes --sizes 20 --repeats 1`. Checks of the
//! residuals and writing a run are then timed as well.
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use dycausal::{Diagnostics, DynamicGraph, Panel, Run, find};
use dycausal_io::{RunRecord, WriteOptions, write_run};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{Dynamics, NoiseScale, Simulation};
use serde_json::{Map, Value};

type Failure = Box<dyn std::error::Error>;

struct Arguments {
    sizes: Vec<usize>,
    threads: Vec<usize>,
    repeats: usize,
    seed: u64,
    series: usize,
    steps: usize,
    dynamics: Dynamics,
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
        series: 200,
        steps: 50,
        dynamics: Dynamics::Full,
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
            "--series" => out.series = value.parse()?,
            "--steps" => out.steps = value.parse()?,
            "--dynamics" => out.dynamics = value.parse()?,
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

/// Seconds that all cores together have worked for this process, where the system tells it.
fn worked() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2).map(|n| n.parse().unwrap_or(f64::NAN));
    ticks.sum::<f64>() / 100.0
}

/// Steps above which what comes after a fit is timed as well, and scores of every step are not.
const LONG: usize = 5000;

/// What `dycausal fit` does after the fit: checks, and a folder.
fn after(graph: &DynamicGraph, panel: &Panel, run: &mut Run) -> Result<(), Failure> {
    let checks = Diagnostics::after_fit(graph, panel, &Map::new(), run);
    run.stage("writing", None);
    let folder = std::env::temp_dir().join(format!("ordered-timing-{}", std::process::id()));
    let record = RunRecord { diagnostics: checks, ..RunRecord::of(panel, graph, "simulated") };
    let options = WriteOptions { force: true, ..WriteOptions::default() };
    write_run(&folder, graph, &record, &options)?;
    let sizes = std::fs::read_dir(&folder)?.map(|file| Ok(file?.metadata()?.len()));
    let bytes = sizes.sum::<Result<u64, std::io::Error>>()?;
    println!("{} edges, {:.2} MB written", graph.edges().len(), bytes as f64 / 1e6);
    Ok(std::fs::remove_dir_all(folder)?)
}

/// F1 at the first, middle and last step.
fn f1(truth: &DynamicGraph, graph: &DynamicGraph) -> Result<String, Failure> {
    if graph.steps() > LONG {
        return Ok("-".into());
    }
    let scores = score(truth, graph, Options::default())?;
    let last = graph.steps() - 1;
    let at = |t: usize| format!("{:.1}", 100.0 * scores.all.steps[t].f1.unwrap_or(1.0));
    Ok([0, last / 2, last].map(at).join("/"))
}

fn main() -> Result<(), Failure> {
    let arguments = arguments()?;
    let methods = dycausal_baselines::all_methods();
    let (built, _) = find(&methods, "ordered")?.build(&arguments.set)?;
    println!(
        "N={}, T={}, lag 1, weights [.5,1], noise sd U[.5,1.5]; best of {}",
        arguments.series, arguments.steps, arguments.repeats
    );
    println!(
        "{:>6} {:>7} {:>9} {:>9} {:>9} {:>10}  F1 at the first/middle/last step; stages",
        "d", "threads", "seconds", "CPU", "exponent", "peak MiB"
    );
    let mut before: Vec<Option<(usize, f64)>> = vec![None; arguments.threads.len()];
    for variables in arguments.sizes {
        let simulation = Simulation {
            variables,
            series: arguments.series,
            steps: arguments.steps,
            dynamics: arguments.dynamics.clone(),
            noise_scale: NoiseScale::Range { low: 0.5, high: 1.5 },
            ..Simulation::default()
        };
        let drawn = simulation.draw(arguments.seed)?;
        for (threads, last) in arguments.threads.iter().zip(&mut before) {
            let mut best = (f64::INFINITY, None, Vec::new(), 0.0);
            for _ in 0..arguments.repeats {
                let mut run = Run::new(arguments.seed + 7919).with_threads(*threads)?;
                let (begun, before) = (Instant::now(), worked());
                let graph = built.discover(&drawn.panel, &mut run)?;
                let (seconds, cpu) = (begun.elapsed().as_secs_f64(), worked() - before);
                if arguments.steps > LONG {
                    after(&graph, &drawn.panel, &mut run)?;
                }
                if seconds < best.0 {
                    best = (seconds, Some(graph), run.finish().to_vec(), cpu);
                }
            }
            let (seconds, graph, stages, cpu) = best;
            let graph = graph.ok_or("no repeat")?;
            let f1 = f1(&drawn.truth, &graph)?;
            let exponent = last
                .map_or(f64::NAN, |(d, s)| (seconds / s).ln() / (variables as f64 / d as f64).ln());
            *last = Some((variables, seconds));
            let stages: Vec<String> =
                stages.iter().map(|s| format!("{} {:.3}", s.stage, s.seconds)).collect();
            println!(
                "{variables:>6} {threads:>7} {seconds:>9.4} {cpu:>9.2} {exponent:>9.2} {:>10.0}  {f1}; {}",
                peak(),
                stages.join(", ")
            );
        }
    }
    Ok(())
}
