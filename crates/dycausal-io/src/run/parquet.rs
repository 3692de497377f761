//! Tables of edges with types: `edges.parquet`, `trajectories.parquet`.

use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use dycausal::graph::table::{Cell, CellKind, Column, EdgeTable, Layout, Shown};
use dycausal::{DynamicGraph, TimeIndex};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

/// How many rows are in memory at once.
const AT_ONCE: usize = 1 << 16;

/// Writes the table.
pub(super) fn write(to: impl Write + Send, graph: &DynamicGraph, layout: Layout) -> Result<()> {
    let table = EdgeTable::new(graph, layout);
    let mut builders: Vec<Builder> =
        table.columns().iter().map(|column| Builder::new(column.kind, graph.times())).collect();
    // Of no rows yet: it says which columns there are.
    let empty = batch(table.columns(), &mut builders)?;
    let mut writer = ArrowWriter::try_new(to, empty.schema(), Some(properties(table.columns())))?;
    let mut rows = 0;
    table.each(|cells| {
        for (cell, builder) in cells.iter().zip(&mut builders) {
            builder.append(*cell, graph);
        }
        rows += 1;
        if rows % AT_ONCE == 0 {
            writer.write(&batch(table.columns(), &mut builders)?)?;
        }
        Ok::<(), parquet::errors::ParquetError>(())
    })?;
    writer.write(&batch(table.columns(), &mut builders)?)?;
    writer.close()?;
    Ok(())
}

/// Bytes of equal weight stand together: those of numbers that move slowly are then nearly the same.
fn properties(columns: &[&Column]) -> WriterProperties {
    let packed = Compression::ZSTD(ZstdLevel::default());
    let mut properties = WriterProperties::builder().set_compression(packed);
    for column in columns.iter().filter(|column| column.kind == CellKind::Number) {
        let path = ColumnPath::from(column.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    properties.build()
}

/// The rows that are in the builders, which are empty after.
fn batch(columns: &[&Column], builders: &mut [Builder]) -> Result<RecordBatch> {
    let finished = columns
        .iter()
        .zip(builders)
        .map(|(column, builder)| (column.name, builder.finish(), column.shown != Shown::Always));
    Ok(RecordBatch::try_from_iter_with_nullable(finished)?)
}

/// A column that grows.
enum Builder {
    Text(StringBuilder),
    Count(UInt32Builder),
    Number(Float64Builder),
}

impl Builder {
    /// Times are steps counted from 1, numbers, or dates as written.
    fn new(kind: CellKind, times: &TimeIndex) -> Self {
        match (kind, times) {
            (CellKind::Count, _) | (CellKind::Time, TimeIndex::Steps(_)) => {
                Self::Count(UInt32Builder::new())
            }
            (CellKind::Number, _) | (CellKind::Time, TimeIndex::Numbers(_)) => {
                Self::Number(Float64Builder::new())
            }
            (CellKind::Variable | CellKind::Word | CellKind::Text | CellKind::Time, _) => {
                Self::Text(StringBuilder::new())
            }
        }
    }

    fn append(&mut self, cell: Cell<'_>, graph: &DynamicGraph) {
        match self {
            Self::Text(column) => column.append_option(text(cell, graph)),
            Self::Count(column) => column.append_option(count(cell)),
            Self::Number(column) => column.append_option(number(cell, graph.times())),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => Arc::new(column.finish()),
            Self::Count(column) => Arc::new(column.finish()),
            Self::Number(column) => Arc::new(column.finish()),
        }
    }
}

fn text<'a>(cell: Cell<'_>, graph: &'a DynamicGraph) -> Option<Cow<'a, str>> {
    match (cell, graph.times()) {
        (Cell::Variable(variable), _) => graph.names().get(variable).map(Cow::from),
        (Cell::Word(word), _) => Some(word.into()),
        (Cell::Text(text), times) => Some(text.words(times).into()),
        (Cell::Time(step), TimeIndex::Dates { text, .. }) => text.get(step).map(Cow::from),
        _ => None,
    }
}

fn count(cell: Cell<'_>) -> Option<u32> {
    match cell {
        Cell::Count(count) => Some(u32::try_from(count).unwrap_or(u32::MAX)),
        Cell::Time(step) => Some(u32::try_from(step + 1).unwrap_or(u32::MAX)),
        _ => None,
    }
}

fn number(cell: Cell<'_>, times: &TimeIndex) -> Option<f64> {
    match (cell, times) {
        (Cell::Number(number), _) => Some(number),
        (Cell::Time(step), TimeIndex::Numbers(times)) => times.get(step).copied(),
        _ => None,
    }
}
