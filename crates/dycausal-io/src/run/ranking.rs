//! `ranking.parquet`: a row per possible edge, listed or not, with its statistic.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, RecordBatch, StringArray, UInt32Array,
};
use dycausal::DynamicGraph;
use dycausal::graph::Ranking;
use ndarray::Array3;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::Result as Written;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use crate::error::{Error, Result};

/// The file.
pub(super) const FILE: &str = "ranking.parquet";
/// The entry of the file that says what the statistics are.
const STATISTIC: &str = "statistic";
/// How many rows are in memory at once.
const AT_ONCE: usize = 1 << 16;

type RankedPlace = ((usize, usize, usize), f64);

/// Writes the ranking of a graph.
pub(super) fn write(path: &Path, graph: &DynamicGraph, ranking: &Ranking) -> Result<()> {
    let failed = |reason: std::io::Error| Error::unwritable(path, &reason);
    let mut to = BufWriter::new(File::create(path).map_err(failed)?);
    table(&mut to, graph, ranking).map_err(std::io::Error::other).map_err(failed)?;
    to.flush().map_err(failed)
}

fn table(to: impl Write + Send, graph: &DynamicGraph, ranking: &Ranking) -> Written<()> {
    let told = KeyValue::new(STATISTIC.to_owned(), ranking.statistic().to_owned());
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(vec![told]))
        .build();
    let mut writer = ArrowWriter::try_new(to, batch(graph, &[])?.schema(), Some(properties))?;
    let places: Vec<RankedPlace> = ranking.places().collect();
    for rows in places.chunks(AT_ONCE) {
        writer.write(&batch(graph, rows)?)?;
    }
    writer.close()?;
    Ok(())
}

fn batch(graph: &DynamicGraph, rows: &[RankedPlace]) -> Written<RecordBatch> {
    let named = |of: fn(&RankedPlace) -> usize| {
        let names = rows.iter().map(|row| graph.names()[of(row)].as_str());
        Arc::new(StringArray::from_iter_values(names)) as ArrayRef
    };
    let lags = rows.iter().map(|row| u32::try_from(row.0.0).unwrap_or(u32::MAX));
    #[allow(clippy::cast_possible_truncation)] // as small as it is kept
    let statistics = rows.iter().map(|row| row.1 as f32);
    let listed = rows.iter().map(|((lag, from, to), _)| graph.edge(*lag, *from, *to).is_some());
    let columns: [(&str, ArrayRef); 5] = [
        ("source", named(|row| row.0.1)),
        ("target", named(|row| row.0.2)),
        ("lag", Arc::new(UInt32Array::from_iter_values(lags))),
        ("statistic", Arc::new(Float32Array::from_iter_values(statistics))),
        ("listed", Arc::new(BooleanArray::from(listed.collect::<Vec<bool>>()))),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// The ranking in the folder of a run; `None` where there is none.
pub(super) fn read(folder: &Path, graph: &DynamicGraph) -> Result<Option<Ranking>> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    let refused = |reason: String| Error::NotARun {
        folder: folder.display().to_string(),
        reason: format!("{FILE}: {reason}"),
    };
    // The reader panics on some damaged files; nothing but the error outlives that.
    let read = catch_unwind(AssertUnwindSafe(|| places(&path, graph)));
    read.unwrap_or_else(|_| Err("damaged bytes".into())).map(Some).map_err(refused)
}

fn places(path: &Path, graph: &DynamicGraph) -> std::result::Result<Ranking, String> {
    let file = File::open(path).map_err(|reason| reason.to_string())?;
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|reason| reason.to_string())?;
    let told = builder.metadata().file_metadata().key_value_metadata();
    let told = told.into_iter().flatten().find(|entry| entry.key == STATISTIC);
    let statistic = told.and_then(|entry| entry.value.clone()).unwrap_or_default();
    let number: HashMap<&str, usize> =
        graph.names().iter().enumerate().map(|(v, name)| (name.as_str(), v)).collect();
    let d = graph.variables();
    let mut values = Array3::from_elem((graph.lag() + 1, d, d), f64::NAN);
    for batch in builder.build().map_err(|reason| reason.to_string())? {
        fill(&mut values, &batch.map_err(|reason| reason.to_string())?, &number)?;
    }
    Ranking::new(statistic, values).map_err(|reason| reason.to_string())
}

/// Puts the rows of a batch in their places.
fn fill(
    values: &mut Array3<f64>,
    batch: &RecordBatch,
    number: &HashMap<&str, usize>,
) -> std::result::Result<(), String> {
    let column = |name: &str| batch.column_by_name(name).ok_or(format!("no column `{name}`"));
    let wrong = |name: &str| format!("column `{name}` is of another type than was written");
    let names = |name: &str| column(name)?.as_string_opt::<i32>().ok_or_else(|| wrong(name));
    let (sources, targets) = (names("source")?, names("target")?);
    let lags = column("lag")?.as_primitive_opt::<UInt32Type>().ok_or_else(|| wrong("lag"))?;
    let statistics =
        column("statistic")?.as_primitive_opt::<Float32Type>().ok_or_else(|| wrong("statistic"))?;
    let variable = |name: &str| {
        number.get(name).copied().ok_or_else(|| format!("variable `{name}` is not in graph.json"))
    };
    for row in 0..batch.num_rows() {
        if [sources as &dyn Array, targets, lags, statistics].iter().any(|c| c.is_null(row)) {
            return Err(format!("row {} has an empty cell", row + 1));
        }
        let (from, to) = (variable(sources.value(row))?, variable(targets.value(row))?);
        let lag = lags.value(row);
        let place = values.get_mut((lag as usize, from, to));
        *place.ok_or_else(|| format!("lag {lag} is longer than that of graph.json"))? =
            f64::from(statistics.value(row));
    }
    Ok(())
}
