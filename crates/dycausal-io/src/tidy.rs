//! A tidy table of words and numbers, with notes, as one small Parquet file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::Result as Packed;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use crate::error::{Error, Result};
use crate::formats::columnar::guarded;
use crate::write_file::write_file;

/// How hard zstd tries: files are written once and kept for long.
const LEVEL: i32 = 19;

/// Digits of a number that is not whole.
const DIGITS: f64 = 4.0;

/// A column of a tidy table; cells may be empty.
#[derive(Debug, Clone, PartialEq)]
pub enum TidyColumn {
    /// Words, of which there are few different ones.
    Words(Vec<Option<String>>),
    /// Numbers, kept to four digits, or to seven where they are whole.
    Numbers(Vec<Option<f64>>),
}

/// A tidy table: one observation per row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TidyTable {
    /// The columns by name, all of the same length.
    pub columns: Vec<(String, TidyColumn)>,
    /// What is to be known of the table as a whole, by name.
    pub notes: Vec<(String, String)>,
}

impl TidyTable {
    /// The words of a column; `None` where there is no such column of words.
    pub fn words(&self, name: &str) -> Option<&[Option<String>]> {
        self.columns.iter().find_map(|(own, column)| match column {
            TidyColumn::Words(words) if own == name => Some(words.as_slice()),
            _ => None,
        })
    }

    /// The numbers of a column; `None` where there is no such column of numbers.
    pub fn numbers(&self, name: &str) -> Option<&[Option<f64>]> {
        self.columns.iter().find_map(|(own, column)| match column {
            TidyColumn::Numbers(numbers) if own == name => Some(numbers.as_slice()),
            _ => None,
        })
    }

    /// A note; `None` where there is none of that name.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(own, _)| own == name).map(|(_, text)| text.as_str())
    }
}

/// Writes a table, zstd-compressed, whole or not at all.
///
/// # Errors
/// If columns differ in length, or the file cannot be written.
pub fn write_tidy(path: &Path, table: &TidyTable) -> Result<()> {
    let failed = |reason| Error::unwritable(path, &std::io::Error::other(reason));
    write_file(path, &packed(table).map_err(failed)?)
}

fn packed(table: &TidyTable) -> Packed<Vec<u8>> {
    let notes = table.notes.iter().map(|(name, text)| KeyValue::new(name.clone(), text.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .set_key_value_metadata(Some(notes.collect()))
        .build();
    let columns = table.columns.iter().map(|(name, column)| (name, array(column), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(bytes)
}

fn array(column: &TidyColumn) -> ArrayRef {
    match column {
        TidyColumn::Words(words) => Arc::new(words.iter().collect::<StringArray>()),
        TidyColumn::Numbers(numbers) => {
            Arc::new(numbers.iter().map(|x| x.map(kept)).collect::<Float32Array>())
        }
    }
}

/// A number as it is kept: digits that nobody prints take most of a file.
#[allow(clippy::cast_possible_truncation)] // as small as it is kept
fn kept(x: f64) -> f32 {
    if x.fract() == 0.0 || !x.is_finite() {
        return x as f32;
    }
    let unit = 10f64.powf(x.abs().log10().floor() + 1.0 - DIGITS);
    ((x / unit).round() * unit) as f32
}

/// Reads a table that [`write_tidy`] wrote.
///
/// # Errors
/// If there is no such file, or it is none of these.
pub fn read_tidy(path: &Path) -> Result<TidyTable> {
    let file = path.display().to_string();
    let broken = |found: String| {
        Error::malformed(&file, "Parquet", found, "a table that `dycausal reproduce` wrote")
    };
    let from = File::open(path).map_err(|reason| Error::unreadable(&file, reason))?;
    guarded(broken, || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(from)
            .map_err(|reason| broken(reason.to_string()))?;
        let known = builder.metadata().file_metadata().key_value_metadata();
        let told = known.into_iter().flatten().filter(|entry| !entry.key.starts_with("ARROW:"));
        let notes =
            told.filter_map(|entry| Some((entry.key.clone(), entry.value.clone()?))).collect();
        let mut table = TidyTable { columns: empty(&builder, &broken)?, notes };
        let batches = builder.build().map_err(|reason| broken(reason.to_string()))?;
        for batch in batches {
            let batch = batch.map_err(|reason| broken(reason.to_string()))?;
            for ((_, column), array) in table.columns.iter_mut().zip(batch.columns()) {
                extend(column, array);
            }
        }
        Ok(table)
    })
}

/// The columns of a file, with nothing in them yet.
fn empty(
    builder: &ParquetRecordBatchReaderBuilder<File>,
    broken: &impl Fn(String) -> Error,
) -> Result<Vec<(String, TidyColumn)>> {
    let columns = builder.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Ok((field.name().clone(), TidyColumn::Words(Vec::new()))),
        DataType::Float32 => Ok((field.name().clone(), TidyColumn::Numbers(Vec::new()))),
        other => Err(broken(format!("a column `{}` of {other}", field.name()))),
    });
    columns.collect()
}

fn extend(column: &mut TidyColumn, array: &ArrayRef) {
    match column {
        TidyColumn::Words(words) => {
            if let Some(array) = array.as_string_opt::<i32>() {
                words.extend(array.iter().map(|word| word.map(str::to_owned)));
            }
        }
        TidyColumn::Numbers(numbers) => {
            if let Some(array) = array.as_primitive_opt::<Float32Type>() {
                numbers.extend(array.iter().map(|number| number.map(f64::from)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_back_with_its_notes_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.parquet");
        let words = |words: &[Option<&str>]| words.iter().map(|w| w.map(str::to_owned)).collect();
        let table = TidyTable {
            columns: vec![
                ("method".into(), TidyColumn::Words(words(&[Some("a, b"), None, Some("")]))),
                ("value".into(), TidyColumn::Numbers(vec![Some(7009.0), Some(99.5), None])),
            ],
            notes: vec![("date".into(), "2026-11-18".into())],
        };
        write_tidy(&path, &table).unwrap();
        let found = read_tidy(&path).unwrap();
        assert_eq!(found, table);
        assert_eq!(found.note("date"), Some("2026-11-18"));
        assert_eq!(found.numbers("value").map(<[_]>::len), Some(3));
        assert!(found.words("value").is_none() && found.note("machine").is_none());
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        assert!(matches!(read_tidy(&path), Err(Error::Malformed { .. })));
        let nowhere = read_tidy(&folder.path().join("nowhere.parquet")).unwrap_err();
        assert!(nowhere.to_string().contains("nowhere.parquet"), "{nowhere}");
    }
}
