//! Still pictures of a graph, without a browser: SVG, or PNG.

mod arrow;
mod font;
mod graph;
mod matrix;
mod raster;
pub(crate) mod scene;
mod svg;
mod trajectories;
mod units;

use std::path::Path;
use std::str::FromStr;

use dycausal::DynamicGraph;

use crate::error::{Error, Result};
use crate::write_file::write_file;
use font::Font;
use scene::Scene;
use units::Units;

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PictureKind {
    /// Variables and edges at some times.
    Graph,
    /// The weights that change most, over all times, with their bands.
    Trajectories,
    /// Cause × effect heat maps at some times.
    Matrix,
}

impl PictureKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Graph, Self::Trajectories, Self::Matrix];

    /// The name to give on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Trajectories => "trajectories",
            Self::Matrix => "matrix",
        }
    }
}

impl FromStr for PictureKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = |kind: &Self| kind.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(named).ok_or_else(|| Error::UnknownFormat {
            file: "kind".into(),
            extension: text.into(),
            setting: Some("kind"),
            known: Self::ALL.map(|kind| kind.name().to_owned()).to_vec(),
        })
    }
}

/// A still picture of a graph.
///
/// ```
/// # use dycausal::graph::Trajectory;
/// # use dycausal::{Basis, DynamicGraph, Edge, TimeIndex};
/// # use dycausal_io::{Picture, PictureKind};
/// let names = vec!["rain".to_owned(), "river".to_owned()];
/// let rises = Edge::new(0, 1, 1, Trajectory::Steps(vec![0.1, 0.5, 0.9]), 3);
/// let graph = DynamicGraph::new(names, TimeIndex::Steps(3), 1, Basis::constant(3)?, vec![rises])?;
/// let svg = Picture::new(&graph, PictureKind::Graph).svg();
/// assert!(svg.contains("river"));
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Picture<'a> {
    graph: &'a DynamicGraph,
    kind: PictureKind,
    truth: Option<&'a DynamicGraph>,
    steps: Vec<usize>,
    edges: usize,
    data_units: bool,
}

impl<'a> Picture<'a> {
    /// A picture of a graph: at the first, middle and last step, or of twelve trajectories.
    pub fn new(graph: &'a DynamicGraph, kind: PictureKind) -> Self {
        let last = graph.steps().saturating_sub(1);
        let mut steps = vec![0, last / 2, last];
        steps.dedup();
        Self { graph, kind, truth: None, steps, edges: 12, data_units: false }
    }

    /// Shows the true weights too, in matrices and trajectories.
    ///
    /// # Errors
    /// If the truth has other variables or steps.
    pub fn with_truth(mut self, truth: &'a DynamicGraph) -> Result<Self> {
        if truth.names() != self.graph.names() || truth.steps() != self.graph.steps() {
            let shape =
                |g: &DynamicGraph| format!("{} variables, {} steps", g.variables(), g.steps());
            return Err(Error::OtherShape {
                what: "the true weights",
                found: shape(truth),
                expected: format!("{} of the same names", shape(self.graph)),
            });
        }
        self.truth = Some(truth);
        Ok(self)
    }

    /// Shows these steps, from 0; those that are not there are left out.
    pub fn with_steps(mut self, steps: Vec<usize>) -> Self {
        let there = self.graph.steps();
        self.steps = steps.into_iter().filter(|step| *step < there).collect();
        self
    }

    /// Shows at most so many trajectories.
    pub fn with_edges(mut self, edges: usize) -> Self {
        self.edges = edges;
        self
    }

    /// Draws weights in the units of the data, and not in standard deviations.
    pub fn in_data_units(mut self, data_units: bool) -> Self {
        self.data_units = data_units;
        self
    }

    /// The picture as SVG.
    pub fn svg(&self) -> String {
        self.scene(&Font::new()).svg()
    }

    /// The picture as PNG, two pixels for each of the SVG.
    ///
    /// # Errors
    /// If it is too large for memory.
    pub fn png(&self) -> Result<Vec<u8>> {
        let font = Font::new();
        let failed = |reason| Error::unwritable(Path::new("picture"), &reason);
        raster::png(&self.scene(&font), &font).map_err(failed)
    }

    /// Writes SVG or PNG, as the file's name says, whole or not at all.
    ///
    /// # Errors
    /// If the name ends otherwise, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        match extension(path).as_str() {
            "svg" => write_file(path, self.svg().as_bytes()),
            "png" => write_file(path, &self.png()?),
            _ => Err(Self::unknown(path)),
        }
    }

    /// Refuses a file whose name says neither SVG nor PNG.
    ///
    /// # Errors
    /// If the name ends otherwise.
    pub fn check_name(path: &Path) -> Result<()> {
        if matches!(extension(path).as_str(), "svg" | "png") {
            Ok(())
        } else {
            Err(Self::unknown(path))
        }
    }

    fn unknown(path: &Path) -> Error {
        Error::UnknownFormat {
            file: path.display().to_string(),
            extension: extension(path),
            setting: None,
            known: vec!["svg".into(), "png".into()],
        }
    }

    fn scene(&self, font: &Font) -> Scene {
        let units = Units::of(self.graph, self.data_units);
        match self.kind {
            PictureKind::Graph => graph::scene(self.graph, &self.steps, units, font),
            PictureKind::Trajectories => {
                trajectories::scene(self.graph, self.truth, self.edges, units, font)
            }
            PictureKind::Matrix => matrix::scene(self.graph, self.truth, &self.steps, units, font),
        }
    }
}

fn extension(path: &Path) -> String {
    path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default()
}
