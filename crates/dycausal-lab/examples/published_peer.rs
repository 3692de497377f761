//! One fit of the published method, or of another, on simulated data, with everything written down as NPY so that
//! another implementation can be run on the same numbers (see `bench/against_jax.py`).
//!
//! ```text
//! cargo run --release -p dycausal-lab --example published_peer -- out=DIR variables=20 seed=1000 encoder=free
//! cargo run --release -p dycausal-lab --example published_peer -- out=DIR method=ordered bands=false
//! ```
//!
//! Writes `series.npy` \[series, time, variable\], `truth.npy` and `weights.npy` \[time, lag, from,
//! to\], and prints the seconds of the fit, on one thread.

#![allow(clippy::print_stdout)] // it prints one line of JSON: that is what it is for

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use dycausal::{Run, find};
use dycausal_io::write_npy;
use dycausal_lab::simulate::Simulation;
use ndarray::ArrayD;
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::default();
    let (mut seed, mut out, mut name_of_method) = (1000, PathBuf::from("."), "dycausal".to_owned());
    let mut set = Map::new();
    for argument in std::env::args().skip(1) {
        let (name, value) = argument.split_once('=').ok_or("write name=value")?;
        match name {
            "variables" => simulation.variables = value.parse()?,
            "series" => simulation.series = value.parse()?,
            "seed" => seed = value.parse()?,
            "out" => out = value.into(),
            "method" => name_of_method = value.into(),
            _ => {
                let given = serde_json::from_str(value).unwrap_or(Value::String(value.into()));
                set.insert(name.into(), given);
            }
        }
    }
    let methods = dycausal_baselines::all_methods();
    let (method, _) = find(&methods, &name_of_method)?.build(&set)?;
    let data = simulation.draw(seed)?;
    let mut run = Run::new(seed).with_threads(1)?;
    let begun = Instant::now();
    let graph = method.discover(&data.panel, &mut run)?;
    let seconds = begun.elapsed().as_secs_f64();
    write_npy(&out.join("series.npy"), data.panel.values().into_dyn())?;
    let truth: ArrayD<f64> = data.truth.dense(u128::MAX)?.into_dyn();
    write_npy(&out.join("truth.npy"), truth.view())?;
    write_npy(&out.join("weights.npy"), graph.dense(u128::MAX)?.into_dyn().view())?;
    println!("{}", json!({ "fit_s": seconds, "timings": run.finish() }));
    Ok(())
}
