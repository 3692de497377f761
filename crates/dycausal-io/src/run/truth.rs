//! The truth that data were simulated from, written as the graph of a run is.

use std::path::Path;

use dycausal::DynamicGraph;

use super::json::{read_json, write_graph};
use super::write::{DENSE_LIMIT, DENSE_STEPS, write_table};
use super::{edges, trajectories, weights};
use crate::error::Result;
use dycausal::graph::table::Layout;

/// Writes a true graph into a folder: `truth.json` (exactly), `truth.csv` (a row per edge),
/// `truth.parquet` (trajectories at 500 steps or fewer, or at every one), and `truth.npy`
/// (weights\[time, lag, from, to\]) where that is small. Gives the files written.
///
/// # Errors
/// If a file cannot be written.
pub fn write_truth(
    folder: &Path,
    truth: &DynamicGraph,
    every_step: bool,
) -> Result<Vec<&'static str>> {
    let mut files = vec!["truth.json", "truth.csv", "truth.parquet"];
    let kept = if every_step { truth.clone() } else { truth.compact(trajectories::MOST_STEPS)? };
    write_graph(&folder.join(files[0]), &kept)?;
    edges::write_csv(&folder.join(files[1]), truth, Layout::Edges)?;
    write_table(&folder.join(files[2]), truth, trajectories::layout(every_step))?;
    if truth.steps() <= DENSE_STEPS && truth.dense_bytes() <= DENSE_LIMIT {
        files.push("truth.npy");
        weights::write(&folder.join("truth.npy"), truth)?;
    }
    Ok(files)
}

/// Reads the graph of a file such as `graph.json` of a run or `truth.json` of a simulation.
///
/// # Errors
/// If the file is missing or no graph.
pub fn read_graph(path: &Path) -> Result<DynamicGraph> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    read_json(folder, &name)
}
