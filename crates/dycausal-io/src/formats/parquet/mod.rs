//! Apache Parquet: columns of numbers, read batch by batch, and only those that are needed.

mod dictionaries;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use dycausal::Panel;

use super::columnar::{Columnar, guarded};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::source::Source;

/// Reads a Parquet file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    let broken = |reason: String| {
        Error::malformed(&file, "Parquet", reason, "a whole file as its writer left it")
    };
    let (from, _) = source.file(options.limit)?;
    guarded(broken, || {
        if !dictionaries::are_sound(&from).map_err(|e| broken(e.to_string()))? {
            return Err(broken("a dictionary with more values than bytes".into()));
        }
        let builder =
            ParquetRecordBatchReaderBuilder::try_new(from).map_err(|e| broken(e.to_string()))?;
        let mut notes = Vec::new();
        let mut table = Columnar::new(&file, builder.schema(), options, &mut notes)?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), table.needed());
        let batches = builder.with_projection(mask).build().map_err(|e| broken(e.to_string()))?;
        for batch in batches {
            table.push(&batch.map_err(|e| broken(e.to_string()))?)?;
        }
        Ok((table.into_panel(&mut notes)?, notes))
    })
}
