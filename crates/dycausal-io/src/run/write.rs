//! Writing a run, and reading it back.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;
use std::str::FromStr;

use dycausal::DynamicGraph;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::write_folder;
use super::record::RunRecord;
use super::{dot, edges, graphml, parquet, tigramite, weights};
use crate::error::{Error, Result};

/// Whether to write `weights.npy`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dense {
    /// Up to 512 MiB.
    #[default]
    Auto,
    /// However large it is.
    Always,
    /// Not at all.
    Never,
}

/// The size up to which `weights.npy` is written unasked.
const DENSE_LIMIT: u128 = 512 << 20;

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
}

impl Extra {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Parquet, Self::Dot, Self::GraphMl, Self::Tigramite];

    /// The name of the file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Parquet => "edges.parquet",
            Self::Dot => "graph.dot",
            Self::GraphMl => "graph.graphml",
            Self::Tigramite => "tigramite.npz",
        }
    }

    /// The name to give on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Dot => "dot",
            Self::GraphMl => "graphml",
            Self::Tigramite => "tigramite",
        }
    }
}

impl FromStr for Extra {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = |extra: &Self| extra.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(named).ok_or_else(|| Error::UnknownFormat {
            file: "--also".into(),
            extension: text.into(),
            option: "--also",
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
    write_json(&place("graph.json"), graph)?;
    edges::write_csv(&place("edges.csv"), graph)?;
    let dense_left_out = left_out(graph, options.dense);
    if dense_left_out.is_none() {
        weights::write(&place("weights.npy"), graph)?;
    }
    for extra in &options.extra {
        write_extra(&place(extra.file()), *extra, graph)?;
    }
    let page = options.report.iter().map(|page| ("report.html", page));
    let further = options.beside.iter().map(|(name, text)| (name.as_str(), text));
    for (name, text) in page.chain(further) {
        let path = place(name);
        fs::write(&path, text).map_err(|reason| Error::unwritable(&path, &reason))?;
    }
    Ok(Written { files, dense_left_out })
}

fn write_extra(path: &Path, extra: Extra, graph: &DynamicGraph) -> Result<()> {
    let failed = |reason: io::Error| Error::unwritable(path, &reason);
    let mut to = BufWriter::new(File::create(path).map_err(failed)?);
    match extra {
        Extra::Parquet => parquet::write(&mut to, graph).map_err(io::Error::other),
        Extra::Dot => dot::write(&mut to, graph),
        Extra::GraphMl => graphml::write(&mut to, graph),
        Extra::Tigramite => tigramite::write(&mut to, graph).map_err(io::Error::from),
    }
    .map_err(failed)?;
    to.flush().map_err(failed)
}

fn left_out(graph: &DynamicGraph, dense: Dense) -> Option<String> {
    let bytes = graph.dense_bytes();
    match dense {
        Dense::Always => None,
        Dense::Never => Some("it was not asked for".into()),
        Dense::Auto if bytes <= DENSE_LIMIT => None,
        Dense::Auto => Some(format!(
            "it would take {} MiB, more than {} MiB",
            bytes.div_ceil(1 << 20),
            DENSE_LIMIT >> 20
        )),
    }
}

/// Writes indented JSON; numbers that JSON does not have become null.
///
/// # Errors
/// If the file cannot be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let failed = |reason: io::Error| Error::unwritable(path, &reason);
    let mut to = BufWriter::new(File::create(path).map_err(failed)?);
    serde_json::to_writer_pretty(&mut to, value).map_err(|reason| failed(reason.into()))?;
    to.write_all(b"\n").map_err(failed)?;
    to.flush().map_err(failed)
}

/// Reads the folder of a run.
///
/// # Errors
/// If the folder or a file in it is missing or broken.
pub fn read_run(folder: &Path) -> Result<(RunRecord, DynamicGraph)> {
    let record = read_json(folder, "run.json")?;
    let graph = read_json(folder, "graph.json")?;
    Ok((record, graph))
}

fn read_json<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T> {
    let refused = |reason: String| Error::NotARun {
        folder: folder.display().to_string(),
        reason: format!("{name}: {reason}"),
    };
    let file = File::open(folder.join(name)).map_err(|reason| refused(reason.to_string()))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|reason| refused(reason.to_string()))
}
