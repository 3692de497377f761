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
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dycausal::{Run, find};
use dycausal_lab::simulate::Simulation;
use ndarray::{ArrayD, ArrayViewD};
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

/// The NPY format, version 1: a magic word, a Python dictionary padded to 64 bytes, the numbers.
fn write_npy(path: &Path, values: ArrayViewD<'_, f64>) -> Result<(), Box<dyn Error>> {
    let mut header = String::from("{'descr': '<f8', 'fortran_order': False, 'shape': (");
    for size in values.shape() {
        write!(header, "{size}, ")?;
    }
    header.push_str("), }");
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header = format!("{header:<width$}\n", width = padded - 1);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&u16::try_from(header.len())?.to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    values.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
    Ok(std::fs::write(path, bytes)?)
}
