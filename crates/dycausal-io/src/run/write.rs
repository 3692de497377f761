//! Writing a run, and reading it back.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::str::FromStr;
use std::thread;

use dycausal::DynamicGraph;
use dycausal::graph::table::Layout;
use serde::Serialize;

use super::folder::write_folder;
use super::json::{read_json, write_graph, write_json};
use super::record::RunRecord;
use super::{dot, edges, graphml, parquet, ranking, tigramite, trajectories, weights};
use crate::error::{Error, Result};

/// Whether to write `weights.npy`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dense {
    /// Up to 2,000 steps and 16 MiB.
    #[default]
    Auto,
    /// However large it is.
    Always,
    /// Not at all.
    Never,
}

/// The size up to which an array of weights is written unasked …
pub(super) const DENSE_LIMIT: u128 = 16 << 20;
/// … and the number of steps.
pub(super) const DENSE_STEPS: usize = 2000;

/// Formats that are written on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extra {
    /// `edges.parquet`: the rows of `edges.csv`.
    Parquet,
    /// `graph.dot` for Graphviz: each edge once, with its strongest weight.
    Dot,
    /// `graph.graphml` for Gephi, igraph, networkx, …: each edge once.
    GraphMl,
    /// `tigramite.npz`: `graph` and `val_matrix` as tigramite lays them out.
    Tigramite,
    /// `trajectories.csv`: the rows of `trajectories.parquet`.
    TrajectoriesCsv,
}

impl Extra {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Parquet, Self::Dot, Self::GraphMl, Self::Tigramite, Self::TrajectoriesCsv];

    /// The name of the file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Parquet => "edges.parquet",
            Self::Dot => "graph.dot",
            Self::GraphMl => "graph.graphml",
            Self::Tigramite => "tigramite.npz",
            Self::TrajectoriesCsv => "trajectories.csv",
        }
    }

    /// The name to give on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Dot => "dot",
            Self::GraphMl => "graphml",
            Self::Tigramite => "tigramite",
            Self::TrajectoriesCsv => "trajectories-csv",
        }
    }
}

impl FromStr for Extra {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = |extra: &Self| extra.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(named).ok_or_else(|| Error::UnknownFormat {
            file: "also".into(),
            extension: text.into(),
            setting: Some("also"),
            known: Self::ALL.map(|extra| extra.name().to_owned()).to_vec(),
        })
    }
}

/// How to write a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Replace a run that is there.
    pub force: bool,
    /// Whether to write `weights.npy`.
    pub dense: Dense,
    /// What else to write.
    pub extra: Vec<Extra>,
    /// Write trajectories at every step, not at 500 at most, and keep every number that a method has for
    /// each step.
    pub every_step: bool,
    /// The page to write as `report.html`, where there is one (see [`crate::Report::html`]).
    pub report: Option<String>,
    /// Further files, by name.
    pub beside: Vec<(String, String)>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The files, in the order they were written.
    pub files: Vec<String>,
    /// Why `weights.npy` was left out, where it was.
    pub dense_left_out: Option<String>,
}

/// Writes the folder of a run, whole or not at all.
///
/// # Errors
/// As [`write_folder`].
pub fn write_run(
    folder: &Path,
    graph: &DynamicGraph,
    record: &RunRecord,
    options: &WriteOptions,
) -> Result<Written> {
    write_folder(folder, options.force, |fresh| write_files(fresh, graph, record, options))
}

fn write_files(
    folder: &Path,
    graph: &DynamicGraph,
    record: &RunRecord,
    options: &WriteOptions,
) -> Result<Written> {
    let mut files = Vec::new();
    let mut place = |name: &str| {
        files.push(name.to_owned());
        folder.join(name)
    };
    write_json(&place("run.json"), record)?;
    let [kept, table, trajectories] =
        ["graph.json", "edges.csv", "trajectories.parquet"].map(&mut place);
    let ranked = graph.ranking().map(|found| (place(ranking::FILE), found));
    let dense_left_out = left_out(graph, options.dense);
    let dense = dense_left_out.is_none().then(|| place("weights.npy"));
    // Packing what moves takes as long as everything else.
    thread::scope(|scope| {
        let others = scope.spawn(|| {
            write_kept(&kept, graph, options)?;
            edges::write_csv(&table, graph, Layout::Edges)?;
            ranked.map_or(Ok(()), |(path, found)| ranking::write(&path, graph, found))?;
            dense.map_or(Ok(()), |path| weights::write(&path, graph))
        });
        let moving = trajectories::layout(options.every_step);
        let written = write_table(&trajectories, graph, moving);
        written.and(others.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    for extra in &options.extra {
        write_extra(&place(extra.file()), *extra, graph, options)?;
    }
    let page = options.report.iter().map(|page| ("report.html", page));
    let further = options.beside.iter().map(|(name, text)| (name.as_str(), text));
    for (name, text) in page.chain(further) {
        let path = place(name);
        fs::write(&path, text).map_err(|reason| Error::unwritable(&path, &reason))?;
    }
    Ok(Written { files, dense_left_out })
}

/// Writes the graph, without a number per step unless that is asked for.
fn write_kept(path: &Path, graph: &DynamicGraph, options: &WriteOptions) -> Result<()> {
    // A copy of many edges takes as much memory as they do.
    if options.every_step || graph.is_compact(trajectories::MOST_STEPS) {
        return write_graph(path, graph);
    }
    write_graph(path, &graph.compact(trajectories::MOST_STEPS)?)
}

/// Writes a table of edges with types.
pub(super) fn write_table(path: &Path, graph: &DynamicGraph, layout: Layout) -> Result<()> {
    let failed = |reason: io::Error| Error::unwritable(path, &reason);
    let mut to = BufWriter::new(File::create(path).map_err(failed)?);
    parquet::write(&mut to, graph, layout).map_err(io::Error::other).map_err(failed)?;
    to.flush().map_err(failed)
}

fn write_extra(
    path: &Path,
    extra: Extra,
    graph: &DynamicGraph,
    options: &WriteOptions,
) -> Result<()> {
    match extra {
        Extra::Parquet => return write_table(path, graph, Layout::Edges),
        Extra::TrajectoriesCsv => {
            return edges::write_csv(path, graph, trajectories::layout(options.every_step));
        }
        Extra::Dot | Extra::GraphMl | Extra::Tigramite => {}
    }
    let failed = |reason: io::Error| Error::unwritable(path, &reason);
    let mut to = BufWriter::new(File::create(path).map_err(failed)?);
    match extra {
        Extra::GraphMl => graphml::write(&mut to, graph),
        Extra::Tigramite => tigramite::write(&mut to, graph).map_err(io::Error::from),
        _ => dot::write(&mut to, graph),
    }
    .map_err(failed)?;
    to.flush().map_err(failed)
}

fn left_out(graph: &DynamicGraph, dense: Dense) -> Option<String> {
    let bytes = graph.dense_bytes();
    match dense {
        Dense::Never => Some("it was not asked for".into()),
        Dense::Auto if graph.steps() > DENSE_STEPS => {
            Some(format!("it would have {} steps, more than {DENSE_STEPS}", graph.steps()))
        }
        Dense::Auto if bytes > DENSE_LIMIT => Some(format!(
            "it would take {} MiB, more than {} MiB",
            bytes.div_ceil(1 << 20),
            DENSE_LIMIT >> 20
        )),
        Dense::Auto | Dense::Always => None,
    }
}

/// Reads the folder of a run.
///
/// # Errors
/// If the folder or a file in it is missing or broken.
pub fn read_run(folder: &Path) -> Result<(RunRecord, DynamicGraph)> {
    let record = read_json(folder, "run.json")?;
    let graph: DynamicGraph = read_json(folder, "graph.json")?;
    let graph = match ranking::read(folder, &graph)? {
        Some(found) => graph.with_ranking(found).map_err(|reason| Error::NotARun {
            folder: folder.display().to_string(),
            reason: format!("{}: {reason}", ranking::FILE),
        })?,
        None => graph,
    };
    Ok((record, graph))
}
