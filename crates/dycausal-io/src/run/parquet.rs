//! `edges.parquet`: the rows of `edges.csv`, with types.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use dycausal::{DynamicGraph, TimeIndex};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;

use super::edges::{Columns, Row, p, q, rows};

/// How many rows are in memory at once.
const AT_ONCE: usize = 1 << 16;

/// Writes the table.
pub(super) fn write(to: impl Write + Send, graph: &DynamicGraph) -> Result<()> {
    let columns = Columns::of(graph);
    let mut rows = rows(graph);
    let mut chunk: Vec<Row<'_>> = rows.by_ref().take(AT_ONCE).collect();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut batch = table(graph, columns, &chunk)?;
    let mut writer = ArrowWriter::try_new(to, batch.schema(), Some(properties))?;
    loop {
        writer.write(&batch)?;
        chunk.clear();
        chunk.extend(rows.by_ref().take(AT_ONCE));
        if chunk.is_empty() {
            break;
        }
        batch = table(graph, columns, &chunk)?;
    }
    writer.close()?;
    Ok(())
}

fn table(graph: &DynamicGraph, columns: Columns, rows: &[Row<'_>]) -> Result<RecordBatch> {
    let name = |variable: usize| graph.names()[variable].as_str();
    let mut table: Vec<(&str, ArrayRef, bool)> = vec![
        ("source", texts(rows.iter().map(|row| name(row.edge.from))), false),
        ("target", texts(rows.iter().map(|row| name(row.edge.to))), false),
        ("lag", counts(rows.iter().map(|row| row.edge.lag)), false),
        ("time", times(graph, rows), false),
        ("weight", numbers(rows.iter().map(|row| Some(row.weight))), false),
    ];
    if columns.band {
        table.push(("low", numbers(rows.iter().map(|row| row.bounds().0)), true));
        table.push(("high", numbers(rows.iter().map(|row| row.bounds().1)), true));
    }
    if columns.p {
        table.push(("p", numbers(rows.iter().map(|row| p(row.edge))), true));
    }
    if columns.q {
        table.push(("q", numbers(rows.iter().map(|row| q(row.edge))), true));
    }
    if columns.undirected {
        let mut flags = BooleanBuilder::new();
        for row in rows {
            flags.append_value(row.edge.undirected);
        }
        table.push(("undirected", Arc::new(flags.finish()), false));
    }
    Ok(RecordBatch::try_from_iter_with_nullable(table)?)
}

/// Steps counted from 1, numbers, or dates as written.
fn times(graph: &DynamicGraph, rows: &[Row<'_>]) -> ArrayRef {
    match graph.times() {
        TimeIndex::Steps(_) => counts(rows.iter().map(|row| row.step + 1)),
        TimeIndex::Numbers(times) => numbers(rows.iter().map(|row| Some(times[row.step]))),
        TimeIndex::Dates { text, .. } => texts(rows.iter().map(|row| text[row.step].as_str())),
    }
}

fn texts<'a>(values: impl Iterator<Item = &'a str>) -> ArrayRef {
    let mut column = StringBuilder::new();
    values.for_each(|value| column.append_value(value));
    Arc::new(column.finish())
}

fn counts(values: impl Iterator<Item = usize>) -> ArrayRef {
    let mut column = UInt32Builder::new();
    values.for_each(|value| column.append_value(u32::try_from(value).unwrap_or(u32::MAX)));
    Arc::new(column.finish())
}

fn numbers(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    let mut column = Float64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}
