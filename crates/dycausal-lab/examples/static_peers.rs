//! Methods on the static linear task of the paper (one series of 1000 steps, lag 2, weights from
//! \[0.3, 0.5\]): how good, and how long on one thread. `bench/against_peers.py` runs it beside other
//! packages.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example static_peers -- method=pcmci seeds=10
//! cargo run --release -p dycausal-lab --example static_peers -- method=dagma threshold=0.1 standardise=true
//! cargo run --release -p dycausal-lab --example static_peers -- method=pcmci variables=40 seeds=1 repeat=5 out=DIR
//! ```
//!
//! Prints one line of JSON: the F1 of every seed at `cutoff` (weights up to it do not count, in the
//! truth as in the estimate), and the shortest time of `repeat` fits. With `out` it writes
//! `series-SEED.npy` and `truth-SEED.npy`.

#![allow(clippy::print_stdout)] // it prints one line of JSON: that is what it is for

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dycausal::{Run, find};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{Dynamics, Simulation};
use ndarray::{ArrayD, ArrayViewD};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation {
        variables: 10,
        series: 1,
        steps: 1000,
        lag: 2,
        dynamics: Dynamics::Static,
        weights: (0.3, 0.5),
        ..Simulation::default()
    };
    let (mut first, mut seeds, mut repeat, mut cutoff) = (7000, 10, 1, 0.0);
    let (mut out, mut name) = (None, "pcmci".to_owned());
    let mut set = Map::from_iter([("lag".to_owned(), json!(2))]);
    for argument in std::env::args().skip(1) {
        let (key, value) = argument.split_once('=').ok_or("write name=value")?;
        match key {
            "variables" => simulation.variables = value.parse()?,
            "standardise" => simulation.standardise = value.parse()?,
            "noise" => simulation.noise = serde_json::from_value(json!(value))?,
            "first" => first = value.parse()?,
            "seeds" => seeds = value.parse()?,
            "repeat" => repeat = value.parse()?,
            "cutoff" => cutoff = value.parse()?,
            "out" => out = Some(PathBuf::from(value)),
            "method" => value.clone_into(&mut name),
            _ => {
                let given = serde_json::from_str(value).unwrap_or(Value::String(value.into()));
                set.insert(key.into(), given);
            }
        }
    }
    let methods = dycausal_baselines::all_methods();
    let (method, _) = find(&methods, &name)?.build(&set)?;
    let options = Options { threshold: cutoff, ..Options::default() };
    let (mut found, mut seconds) = (Vec::new(), Vec::new());
    for seed in first..first + seeds {
        let data = simulation.draw(seed)?;
        let mut fastest = f64::INFINITY;
        for _ in 0..repeat {
            let begun = Instant::now();
            let graph = method.discover(&data.panel, &mut Run::new(seed).with_threads(1)?)?;
            fastest = fastest.min(begun.elapsed().as_secs_f64());
            found.push(score(&data.truth, &graph, options)?.all.average.f1.unwrap_or(0.0));
        }
        seconds.push(fastest);
        if let Some(folder) = &out {
            let truth: ArrayD<f64> = data.truth.dense(u128::MAX)?.into_dyn();
            write(&folder.join(format!("truth-{seed}.npy")), truth.view())?;
            write(&folder.join(format!("series-{seed}.npy")), data.panel.values().into_dyn())?;
        }
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let told = json!({
        "method": name,
        "f1_mean": mean(&found),
        "seconds_mean": mean(&seconds),
        "f1": found,
        "seconds": seconds,
    });
    println!("{told}");
    Ok(())
}

fn write(path: &Path, values: ArrayViewD<'_, f64>) -> Result<(), Box<dyn Error>> {
    Ok(dycausal_io::write_npy(path, values)?)
}
