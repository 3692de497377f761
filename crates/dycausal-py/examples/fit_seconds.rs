//! Prints how long each of some fits takes, as a JSON list of seconds: what Rust takes on its own.
//!
//! `cargo run --release -p dycausal-py --example fit_seconds -- SERIES.npy METHOD COUNT`

#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use dycausal::{Diagnostics, Run, find};
use dycausal_io::{ReadOptions, Source, read_panel};
use serde_json::Map;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [series, method, count] = &words[..] else {
        return Err("expected SERIES.npy METHOD COUNT".into());
    };
    let panel = read_panel(&Source::from(series.as_str()), &ReadOptions::default())?;
    let (method, parameters) =
        find(&dycausal_baselines::all_methods(), method)?.build(&Map::new())?;
    let mut seconds = Vec::new();
    for _ in 0..count.parse::<usize>()? {
        let begun = Instant::now();
        let mut run = Run::new(0);
        let graph = method.discover(&panel, &mut run)?;
        let found = Diagnostics::after_fit(&graph, &panel, &parameters, &mut run);
        seconds.push(begun.elapsed().as_secs_f64());
        std::hint::black_box((graph, found));
    }
    println!("{}", serde_json::to_string(&seconds)?);
    Ok(())
}
