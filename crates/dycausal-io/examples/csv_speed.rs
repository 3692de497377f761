//! Writes a large CSV file, reads it, and says how fast that was and how much memory it took.
//!
//! ```text
//! cargo run --release -p dycausal-io --example csv_speed -- [MiB, default 1024]
//! ```
//!
//! The file lies in the system's temporary folder and is removed afterwards. Peak memory is known on
//! Linux only.
#![allow(clippy::print_stdout, reason = "an example shows its figures")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use dycausal_io::{ReadOptions, Source, read_panel};

fn main() -> Result<(), Box<dyn Error>> {
    let megabytes = std::env::args().nth(1).map_or(Ok(1024), |text| text.parse::<u64>())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.csv");
    write_table(&path, megabytes << 20)?;
    let size = fs::metadata(&path)?.len();
    let before = peak_bytes();
    let begun = Instant::now();
    let panel = read_panel(&Source::Path(path), &ReadOptions::default())?;
    let seconds = begun.elapsed().as_secs_f64();
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    println!(
        "file    {:8.0} MiB, {} steps of {} variables",
        mib(size),
        panel.steps(),
        panel.variables()
    );
    println!("values  {:8.0} MiB", mib(panel.values().len() as u64 * 8));
    println!("time    {seconds:8.2} s, {:.0} MiB/s", mib(size) / seconds);
    if let (Some(before), Some(after)) = (before, peak_bytes()) {
        println!("memory  {:8.0} MiB at the peak ({:.0} before)", mib(after), mib(before));
    }
    Ok(())
}

/// A time and twenty numbers of nine digits a row, the way measurements are written.
fn write_table(path: &Path, size: u64) -> std::io::Result<()> {
    let mut to = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let names: Vec<String> = (1..=20).map(|v| format!("sensor{v}")).collect();
    writeln!(to, "time,{}", names.join(","))?;
    let (mut state, mut written, mut row) = (1u64, 0, String::new());
    for step in 0u64.. {
        use std::fmt::Write;
        row.clear();
        // Writing to memory does not fail.
        let _ = write!(row, "{step}");
        for _ in 0..20 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let number = (state >> 11) as f64 / (1u64 << 53) as f64 * 200.0 - 100.0;
            let _ = write!(row, ",{number:.7}");
        }
        row.push('\n');
        to.write_all(row.as_bytes())?;
        written += row.len() as u64;
        if written >= size {
            break;
        }
    }
    to.flush()
}

/// The most memory this process ever had.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
