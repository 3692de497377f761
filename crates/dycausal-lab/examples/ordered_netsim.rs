//! Directed AUROC of the ordered engine on NetSim: instantaneous edges, without the diagonal.
//!
//! Subjects are z-scored and pooled; all settings are the defaults. Reads `../shared/data/netsim`
//! (or the folder given) and says so where it is absent.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example ordered_netsim -- [--data FOLDER] [--set name=value]...
//! ```
#![allow(clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use dycausal::{Panel, Run, find};
use dycausal_io::{ReadOptions, Source, read_panel};
use ndarray::{Array3, Axis};
use serde_json::{Map, Value};

type Failure = Box<dyn std::error::Error>;

fn arguments() -> Result<(PathBuf, Map<String, Value>), Failure> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut data = workspace.join("../shared/data/netsim");
    let mut set = Map::new();
    let mut rest = std::env::args().skip(1);
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--data" => data = value.into(),
            "--set" => {
                let (key, value) = value.split_once('=').ok_or("--set needs name=value")?;
                let parsed = serde_json::from_str(value).unwrap_or(Value::from(value));
                set.insert(key.to_owned(), parsed);
            }
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    Ok((data, set))
}

/// Every subject and node to mean 0 and standard deviation 1.
fn z_scored(mut series: Array3<f64>) -> Array3<f64> {
    for mut subject in series.axis_iter_mut(Axis(0)) {
        for mut node in subject.axis_iter_mut(Axis(1)) {
            let count = node.len() as f64;
            let mean = node.sum() / count;
            let sd = (node.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
            node.mapv_inplace(|x| (x - mean) / sd);
        }
    }
    series
}

/// The chance that a true edge scores above a false one; ties count half.
fn auroc(scored: &[(f64, bool)]) -> f64 {
    let of = |kind: bool| scored.iter().filter(move |s| s.1 == kind).map(|s| s.0);
    let mut wins = 0.0;
    for yes in of(true) {
        for no in of(false) {
            wins += f64::from(u8::from(yes > no)) + 0.5 * f64::from(u8::from(yes == no));
        }
    }
    wins / (of(true).count() * of(false).count()) as f64
}

/// The array in a file of the folder.
fn values(folder: &Path, name: &str) -> Result<Array3<f64>, Failure> {
    let source = Source::Path(folder.join(name));
    Ok(read_panel(&source, &ReadOptions::default())?.values().to_owned())
}

fn main() -> Result<(), Failure> {
    let (data, set) = arguments()?;
    if !data.is_dir() {
        println!("no NetSim data in {}: nothing to measure", data.display());
        return Ok(());
    }
    let methods = dycausal_baselines::all_methods();
    let (built, _) = find(&methods, "ordered")?.build(&set)?;
    println!(
        "{:>5} {:>6} {:>6} {:>6} {:>9} {:>6} {:>8}",
        "sim", "AUROC", "edges", "found", "reversed", "basis", "seconds"
    );
    for sim in [1, 2, 3, 5, 8, 10, 15, 13, 14, 24] {
        let series = values(&data, &format!("sim{sim}_series.npy"))?;
        let nets = values(&data, &format!("sim{sim}_net.npy"))?;
        let truth = nets.mapv(|w| f64::from(u8::from(w != 0.0))).sum_axis(Axis(0));
        let panel = Panel::unnamed(z_scored(series))?;
        let begun = Instant::now();
        let graph = built.discover(&panel, &mut Run::new(7))?;
        let seconds = begun.elapsed().as_secs_f64();
        let d = panel.variables();
        let mut scored = Vec::new();
        let (mut found, mut reversed) = (0, 0);
        for (from, to) in (0..d).flat_map(|a| (0..d).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let strength = |a, b| graph.edge(0, a, b).map_or(0.0, |e| e.strength(graph.basis()));
            let there = truth[[from, to]] > 0.0;
            scored.push((strength(from, to), there));
            found += u32::from(there && strength(from, to) > 0.0);
            reversed += u32::from(there && strength(to, from) > 0.0);
        }
        let edges = scored.iter().filter(|s| s.1).count();
        println!(
            "{sim:>5} {:>6.3} {edges:>6} {found:>6} {reversed:>9} {:>6} {seconds:>8.3}",
            auroc(&scored),
            graph.basis().size()
        );
    }
    Ok(())
}
