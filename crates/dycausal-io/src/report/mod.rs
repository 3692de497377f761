//! One HTML file in which a graph can be seen to move: no network, no other file.
//!
//! The page is written in TypeScript (`report/` at the root of the repository), built into
//! `page.html` beside this file, and filled with the data of one run here.

mod base64;
pub(crate) mod changes;
mod checks;
mod curves;
mod frames;
mod payload;
mod series;

use std::path::Path;

use dycausal::{DynamicGraph, Panel};

use crate::error::{Error, Result};
use crate::run::RunRecord;
use crate::write_file::write_file;

/// The page as it is built from `report/`.
const PAGE: &str = include_str!("page.html");
/// Where the data go.
const PLACE: &str = "DYCAUSAL-REPORT-DATA";

/// What a report is made of; a graph and how it was found are enough.
///
/// ```
/// # use dycausal::{Basis, DynamicGraph, Panel, TimeIndex};
/// # use dycausal_io::{Report, RunRecord};
/// # use ndarray::Array3;
/// let panel = Panel::unnamed(Array3::zeros((2, 9, 3)))?;
/// let (names, times) = (panel.names().to_vec(), panel.times().clone());
/// let graph = DynamicGraph::new(names, times, 1, Basis::constant(9)?, vec![])?;
/// let record = RunRecord::of(&panel, &graph, "data.csv");
/// let html = Report::new(&graph, &record).with_panel(&panel)?.html()?;
/// assert!(html.starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Report<'a> {
    graph: &'a DynamicGraph,
    record: &'a RunRecord,
    panel: Option<&'a Panel>,
    truth: Option<&'a DynamicGraph>,
    notes: Vec<String>,
}

impl<'a> Report<'a> {
    /// A report of a graph, and of how it was found.
    pub fn new(graph: &'a DynamicGraph, record: &'a RunRecord) -> Self {
        Self { graph, record, panel: None, truth: None, notes: Vec::new() }
    }

    /// Shows the data too, and checks what the graph leaves unexplained where the run has not.
    ///
    /// # Errors
    /// If the data have other variables or steps than the graph.
    pub fn with_panel(mut self, panel: &'a Panel) -> Result<Self> {
        self.check_fits("the data", panel.names(), panel.steps())?;
        self.panel = Some(panel);
        Ok(self)
    }

    /// Shows the true graph beside the one that was found.
    ///
    /// # Errors
    /// If it has other variables or steps.
    pub fn with_truth(mut self, truth: &'a DynamicGraph) -> Result<Self> {
        self.check_fits("the true weights", truth.names(), truth.steps())?;
        self.truth = Some(truth);
        Ok(self)
    }

    /// Says something among the warnings, such as why a part is missing.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The whole page.
    ///
    /// # Errors
    /// If the data cannot be compressed.
    pub fn html(&self) -> Result<String> {
        let failed = |reason| Error::unwritable(Path::new("report"), &reason);
        let data = payload::packed(self).map_err(failed)?;
        // The data cannot hold the mark themselves: it has a hyphen, which base64 has not.
        Ok(PAGE.replacen(PLACE, &data, 1))
    }

    /// Writes the page to a file, whole or not at all; a file that is there is replaced.
    ///
    /// # Errors
    /// As [`Report::html`], or if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_file(path, self.html()?.as_bytes())
    }

    fn check_fits(&self, what: &'static str, names: &[String], steps: usize) -> Result<()> {
        if names != self.graph.names() {
            let odd = names.iter().zip(self.graph.names()).find(|(found, wanted)| found != wanted);
            let (found, expected) = match odd {
                Some((found, wanted)) => (format!("variable `{found}`"), format!("`{wanted}`")),
                None => (format!("{} variables", names.len()), self.graph.variables().to_string()),
            };
            return Err(Error::OtherShape { what, found, expected });
        }
        if steps != self.graph.steps() {
            let (found, expected) = (format!("{steps} steps"), self.graph.steps().to_string());
            return Err(Error::OtherShape { what, found, expected });
        }
        Ok(())
    }
}

/// Six digits are more than a picture shows, and take a third of the room.
fn short(number: f64) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    #[allow(clippy::cast_possible_truncation)]
    let places = 5 - number.abs().log10().floor() as i32;
    let scale = 10f64.powi(places.clamp(-300, 300));
    let rounded = (number * scale).round() / scale;
    if rounded.is_finite() { rounded } else { number }
}
