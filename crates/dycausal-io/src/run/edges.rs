//! Edges as a tidy table: one row per edge and step at which it is there.

use std::io::Write;
use std::path::Path;

use dycausal::DynamicGraph;
use dycausal::graph::{Edge, Tests};

use crate::error::{Error, Result};

/// Which columns have something to show.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Columns {
    pub band: bool,
    pub p: bool,
    pub q: bool,
    pub undirected: bool,
}

/// One row of the table.
pub(super) struct Row<'a> {
    pub edge: &'a Edge,
    pub step: usize,
    pub weight: f64,
}

impl Columns {
    pub(super) fn of(graph: &DynamicGraph) -> Self {
        let any = |has: fn(&Edge) -> bool| graph.edges().iter().any(has);
        Self {
            band: any(|edge| edge.band.is_some()),
            p: any(|edge| p(edge).is_some()),
            q: any(|edge| q(edge).is_some()),
            undirected: any(|edge| edge.undirected),
        }
    }
}

/// The rows, by lag, cause, effect and step.
pub(super) fn rows(graph: &DynamicGraph) -> impl Iterator<Item = Row<'_>> {
    graph.edges().iter().flat_map(move |edge| {
        edge.presence.steps().map(move |step| Row {
            edge,
            step,
            weight: edge.trajectory.value(graph.basis(), step),
        })
    })
}

impl Row<'_> {
    /// Bounds of the weight, where there are any.
    pub(super) fn bounds(&self) -> (Option<f64>, Option<f64>) {
        let band = self.edge.band.as_ref();
        let finite = |bound: f64| bound.is_finite().then_some(bound);
        (
            band.and_then(|band| finite(band.low[self.step])),
            band.and_then(|band| finite(band.high[self.step])),
        )
    }
}

/// p-value of "there is no such edge".
pub(super) fn p(edge: &Edge) -> Option<f64> {
    test(edge, |tests| tests.absent)
}

/// The same, adjusted for the number of edges tested.
pub(super) fn q(edge: &Edge) -> Option<f64> {
    test(edge, |tests| tests.absent_adjusted)
}

fn test(edge: &Edge, which: fn(&Tests) -> Option<f64>) -> Option<f64> {
    edge.tests.as_ref().and_then(which).filter(|p| p.is_finite())
}

/// Writes `edges.csv`.
pub(super) fn write_csv(path: &Path, graph: &DynamicGraph) -> Result<()> {
    let failed = |reason: csv::Error| Error::unwritable(path, &reason.into());
    let mut table =
        csv::WriterBuilder::new().buffer_capacity(1 << 18).from_path(path).map_err(failed)?;
    let columns = Columns::of(graph);
    table.write_record(header(columns)).map_err(failed)?;
    let labels: Vec<String> = (0..graph.steps()).map(|t| graph.times().label(t)).collect();
    let mut number = Vec::new();
    for row in rows(graph) {
        let edge = row.edge;
        let mut write = |cell: &[u8]| table.write_field(cell).map_err(failed);
        write(graph.names()[edge.from].as_bytes())?;
        write(graph.names()[edge.to].as_bytes())?;
        write(show(&mut number, format_args!("{}", edge.lag)))?;
        write(labels[row.step].as_bytes())?;
        write(show_number(&mut number, Some(row.weight)))?;
        if columns.band {
            let (low, high) = row.bounds();
            write(show_number(&mut number, low))?;
            write(show_number(&mut number, high))?;
        }
        for (shown, value) in [(columns.p, p(edge)), (columns.q, q(edge))] {
            if shown {
                write(show_number(&mut number, value))?;
            }
        }
        if columns.undirected {
            write(if edge.undirected { b"true" } else { b"false" })?;
        }
        table.write_record(None::<&[u8]>).map_err(failed)?;
    }
    table.flush().map_err(|reason| Error::unwritable(path, &reason))
}

/// The columns' names.
pub(super) fn header(columns: Columns) -> Vec<&'static str> {
    let mut names = vec!["source", "target", "lag", "time", "weight"];
    let more = [
        ("low", columns.band),
        ("high", columns.band),
        ("p", columns.p),
        ("q", columns.q),
        ("undirected", columns.undirected),
    ];
    names.extend(more.into_iter().filter(|(_, shown)| *shown).map(|(name, _)| name));
    names
}

fn show<'a>(buffer: &'a mut Vec<u8>, text: std::fmt::Arguments<'_>) -> &'a [u8] {
    buffer.clear();
    // Writing to memory does not fail.
    let _ = buffer.write_fmt(text);
    buffer
}

/// The shortest digits that read back as the same number; empty for none.
fn show_number(buffer: &mut Vec<u8>, value: Option<f64>) -> &[u8] {
    match value {
        None => &[],
        Some(x) if x != 0.0 && !(1e-5..1e16).contains(&x.abs()) => {
            show(buffer, format_args!("{x:e}"))
        }
        Some(x) => show(buffer, format_args!("{x}")),
    }
}
