//! Tables by columns on their way to a panel: what Parquet and Arrow share.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{DataType, Schema, TimeUnit};
use dycausal::Panel;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::error::{Error, Place, Result};
use crate::read::ReadOptions;
use crate::table::{Roles, Rows};

/// Reads a table, whatever its bytes are.
///
/// The readers of these formats panic on some damaged files, and only they see the damage.
pub(super) fn guarded<T>(
    broken: impl Fn(String) -> Error,
    read: impl FnOnce() -> Result<T>,
) -> Result<T> {
    // Nothing outlives a panic but the error, so nothing half-changed is ever seen.
    let answer = catch_unwind(AssertUnwindSafe(read));
    answer.unwrap_or_else(|_| Err(broken("damaged bytes".into())))
}

/// A table as it is read, batch by batch.
pub(super) struct Columnar {
    file: String,
    names: Vec<String>,
    roles: Roles,
    rows: Rows,
    read: u64,
}

impl Columnar {
    /// A table with these columns, of which nothing is read yet.
    pub(super) fn new(
        file: &str,
        schema: &Schema,
        options: &ReadOptions,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        if options.array.is_some() {
            return Err(Error::NotApplicable {
                file: file.into(),
                option: "array",
                format: "tables",
            });
        }
        let mut names: Vec<String> =
            schema.fields().iter().map(|field| field.name().clone()).collect();
        let roles = Roles::assign(file, &mut names, options, notes)?;
        for column in &roles.variables {
            let found = schema.field(*column).data_type();
            if !(found.is_numeric() || found.is_null()) {
                return Err(Error::ColumnType {
                    file: file.into(),
                    column: names[*column].clone(),
                    found: in_words(found),
                });
            }
        }
        let kept = roles.variables.iter().map(|column| names[*column].clone());
        let time = roles.time.map(|column| names[column].as_str());
        let rows = Rows::new(file, kept.collect(), time, roles.id.is_some());
        Ok(Self { file: file.into(), names, roles, rows, read: 0 })
    }

    /// The columns that are needed at all.
    pub(super) fn needed(&self) -> Vec<usize> {
        let roles = &self.roles;
        let mut needed: Vec<usize> =
            roles.variables.iter().copied().chain(roles.time).chain(roles.id).collect();
        needed.sort_unstable();
        needed
    }

    /// Takes the next rows; columns are found by name.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        if let Some(column) = self.roles.id {
            for (row, id) in self.texts(batch, column)?.into_iter().enumerate() {
                let place = self.place(row);
                let id =
                    id.ok_or_else(|| self.cell(place, column, "null", "the name of a series"))?;
                self.rows.push_series(place, &id);
            }
        }
        if let Some(column) = self.roles.time {
            for (row, time) in self.texts(batch, column)?.into_iter().enumerate() {
                let place = self.place(row);
                let time = time.ok_or_else(|| self.cell(place, column, "null", "a time"))?;
                self.rows.push_time(place, &time)?;
            }
        }
        self.push_values(batch)?;
        self.read += batch.num_rows() as u64;
        Ok(())
    }

    /// The panel of all rows.
    pub(super) fn into_panel(self) -> Result<Panel> {
        self.rows.into_panel()
    }

    fn push_values(&mut self, batch: &RecordBatch) -> Result<()> {
        let width = self.roles.variables.len();
        let start = self.rows.values().len();
        self.rows.values().resize(start + batch.num_rows() * width, f64::NAN);
        for (slot, column) in self.roles.variables.clone().into_iter().enumerate() {
            let array = self.column(batch, column, &DataType::Float64)?;
            for (row, value) in array.as_primitive::<Float64Type>().iter().enumerate() {
                let value = value.unwrap_or(f64::NAN);
                if value.is_infinite() {
                    let expected = "a finite number, or null where it is missing";
                    return Err(self.cell(self.place(row), column, &value.to_string(), expected));
                }
                self.rows.values()[start + row * width + slot] = value;
            }
        }
        Ok(())
    }

    /// A column of times or series as text, dates as ISO dates.
    fn texts(&self, batch: &RecordBatch, column: usize) -> Result<Vec<Option<String>>> {
        let found = batch.column_by_name(&self.names[column]).map(Array::data_type);
        if let Some(DataType::Timestamp(..) | DataType::Date32 | DataType::Date64) = found {
            return self.dates(batch, column);
        }
        let array = self.column(batch, column, &DataType::Utf8)?;
        let texts = array.as_string::<i32>().iter();
        Ok(texts.map(|text| text.map(str::to_owned)).collect())
    }

    fn dates(&self, batch: &RecordBatch, column: usize) -> Result<Vec<Option<String>>> {
        let found = batch.column_by_name(&self.names[column]).map(Array::data_type);
        let (per_second, zoned) = match found {
            Some(DataType::Timestamp(unit, zone)) => (ticks(*unit), zone.is_some()),
            _ => (1000, false),
        };
        // Days become milliseconds on the way; the cast to numbers is then the same for all.
        let array = match found {
            Some(DataType::Date32) => self.column(batch, column, &DataType::Date64)?,
            _ => self.column(batch, column, found.unwrap_or(&DataType::Null))?,
        };
        let numbers = self.cast(&array, column, &DataType::Int64)?;
        let numbers = numbers.as_primitive::<Int64Type>();
        let whole_days = !zoned && numbers.iter().flatten().all(|t| t % (86_400 * per_second) == 0);
        let text = |ticks: i64| {
            let nanoseconds = i128::from(ticks) * i128::from(1_000_000_000 / per_second);
            let moment = Timestamp::from_nanosecond(nanoseconds).ok()?;
            let local = moment.to_zoned(TimeZone::UTC).datetime();
            Some(match (zoned, whole_days) {
                (true, _) => moment.to_string(),
                (false, true) => local.date().to_string(),
                (false, false) => local.to_string(),
            })
        };
        Ok(numbers.iter().map(|ticks| ticks.and_then(text)).collect())
    }

    fn column(&self, batch: &RecordBatch, column: usize, to: &DataType) -> Result<ArrayRef> {
        let array =
            batch.column_by_name(&self.names[column]).or_else(|| batch.columns().get(column));
        match array {
            Some(array) => self.cast(array, column, to),
            None => Err(Error::malformed(
                &self.file,
                "table",
                "a batch without a column",
                "all columns",
            )),
        }
    }

    fn cast(&self, array: &ArrayRef, column: usize, to: &DataType) -> Result<ArrayRef> {
        cast(array, to).map_err(|_| Error::ColumnType {
            file: self.file.clone(),
            column: self.names[column].clone(),
            found: in_words(array.data_type()),
        })
    }

    fn place(&self, row: usize) -> Place {
        Place::Row(self.read + row as u64 + 1)
    }

    fn cell(&self, place: Place, column: usize, found: &str, expected: &str) -> Error {
        Error::Cell {
            file: self.file.clone(),
            place,
            column: self.names[column].clone(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

fn ticks(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

fn in_words(found: &DataType) -> String {
    match found {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text".into(),
        DataType::Dictionary(..) => "categories".into(),
        DataType::Boolean => "true and false".into(),
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => "dates".into(),
        other => format!("{other}"),
    }
}
