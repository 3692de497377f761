//! A CSV in, a page that shows the graph as it moves out.
//!
//! `cargo run --example report -- traffic.csv traffic.html`; without words, series that it makes itself.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dycausal::{Discover, Ordered, Run};
use dycausal_io::{ReadOptions, Report, RunRecord, Source, read_panel};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let csv = words.next().map_or_else(made, |word| Ok(PathBuf::from(word)))?;
    let page = words.next().map_or_else(|| csv.with_extension("html"), PathBuf::from);

    let source = Source::from(csv.as_path());
    let panel = read_panel(&source, &ReadOptions::default())?;
    let method = Ordered::default();
    let mut run = Run::new(0);
    let graph = method.discover(&panel, &mut run)?;
    let record = RunRecord {
        method: method.name().into(),
        warnings: run.warnings().to_vec(),
        ..RunRecord::of(&panel, &graph, &source)
    };
    Report::new(&graph, &record).with_panel(&panel)?.write(&page)?;

    println!("{} edges; open {}", graph.edges().len(), page.display());
    Ok(())
}

/// A small table: rain, and a river that follows it an hour later, more in the second half.
fn made() -> std::io::Result<PathBuf> {
    let mut state = 7_u64;
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2_f64.powi(31)
    };
    let mut before = 0.0;
    let rows = (1..400).map(|hour| {
        let (rain, follows) = (noise(), if hour < 200 { 0.5 } else { 1.5 });
        let river = follows * before + 0.3 * noise();
        before = rain;
        format!("{hour},{rain},{river}\n")
    });
    let table = format!("time,rain,river\n{}", rows.collect::<String>());
    let path: PathBuf = Path::new(&env::temp_dir()).join("dycausal-example.csv");
    fs::write(&path, table)?;
    Ok(path)
}
