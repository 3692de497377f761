//! Tables of edges as CSV: `edges.csv`, `trajectories.csv`.

use std::io::Write;
use std::path::Path;

use dycausal::DynamicGraph;
use dycausal::graph::table::{Cell, EdgeTable, Layout};

use crate::error::{Error, Result};

/// Writes the table.
pub(super) fn write_csv(path: &Path, graph: &DynamicGraph, layout: Layout) -> Result<()> {
    let failed = |reason: csv::Error| Error::unwritable(path, &reason.into());
    let mut file =
        csv::WriterBuilder::new().buffer_capacity(1 << 18).from_path(path).map_err(failed)?;
    let table = EdgeTable::new(graph, layout);
    file.write_record(table.columns().iter().map(|column| column.name)).map_err(failed)?;
    let names: Vec<String> = graph.names().iter().map(|name| harmless(name)).collect();
    let mut digits = Vec::new();
    table.each(|cells| {
        for cell in cells {
            let text = match *cell {
                Cell::Variable(variable) => names[variable].as_bytes(),
                Cell::Time(step) => {
                    show(&mut digits, format_args!("{}", graph.times().label(step)))
                }
                Cell::Count(count) => show(&mut digits, format_args!("{count}")),
                Cell::Number(number) => show_number(&mut digits, number),
                Cell::Word(word) => word.as_bytes(),
                Cell::Text(text) => {
                    show(&mut digits, format_args!("{}", text.words(graph.times())))
                }
                Cell::Nothing => &[],
            };
            file.write_field(text).map_err(failed)?;
        }
        file.write_record(None::<&[u8]>).map_err(failed)
    })?;
    file.flush().map_err(|reason| Error::unwritable(path, &reason))
}

/// A name that a spreadsheet does not take for a formula: an apostrophe says that it is text.
fn harmless(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula { format!("'{name}") } else { name.to_owned() }
}

fn show<'a>(buffer: &'a mut Vec<u8>, text: std::fmt::Arguments<'_>) -> &'a [u8] {
    buffer.clear();
    // Writing to memory does not fail.
    let _ = buffer.write_fmt(text);
    buffer
}

/// The shortest digits that read back as the same number.
fn show_number(buffer: &mut Vec<u8>, number: f64) -> &[u8] {
    if number != 0.0 && !(1e-5..1e16).contains(&number.abs()) {
        show(buffer, format_args!("{number:e}"))
    } else {
        show(buffer, format_args!("{number}"))
    }
}
