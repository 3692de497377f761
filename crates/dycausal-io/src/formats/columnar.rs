//! Tables by columns on their way to a panel: what Parquet and Arrow share.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use dycausal::Panel;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::cells;
use crate::error::{Error, Place, Result};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::table::{Roles, Rows};

/// Reads a table, whatever its bytes are.
///
/// The readers of these formats panic on some damaged files, and only they see the damage.
pub(crate) fn guarded<T>(
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
        notes: &mut Vec<Note>,
    ) -> Result<Self> {
        for (option, given) in [
            ("array", options.array.is_some()),
            ("sheet", options.sheet.is_some()),
            ("decimal", options.decimal.is_some()),
        ] {
            if given {
                return Err(Error::NotApplicable { file: file.into(), option, format: "tables" });
            }
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
        let rows = roles.rows(file, &names, options)?;
        Ok(Self { file: file.into(), names, roles, rows, read: 0 })
    }

    /// The columns that are needed at all.
    pub(super) fn needed(&self) -> Vec<usize> {
        let roles = &self.roles;
        let mut needed: Vec<usize> =
            roles.variables.iter().copied().chain(roles.time).chain(roles.id).collect();
        needed.extend(roles.variable);
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Takes the next rows; columns are found by name.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        if let Some(column) = self.roles.id {
            for (row, id) in self.texts(batch, column)?.into_iter().enumerate() {
                let missing = || self.cell(self.place(row), column, "null", "the name of a series");
                let id = id.ok_or_else(missing)?;
                self.rows.push_series(&id);
            }
        }
        if let Some(column) = self.roles.variable {
            for (row, name) in self.texts(batch, column)?.into_iter().enumerate() {
                let missing =
                    || self.cell(self.place(row), column, "null", "the name of a variable");
                let name = name.ok_or_else(missing)?;
                self.rows.push_variable(&name);
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
    pub(super) fn into_panel(self, notes: &mut Vec<Note>) -> Result<Panel> {
        self.rows.into_panel(notes)
    }

    fn push_values(&mut self, batch: &RecordBatch) -> Result<()> {
        let width = self.roles.variables.len();
        let start = self.rows.values().len();
        self.rows.values().resize(start + batch.num_rows() * width, f64::NAN);
        for (slot, column) in self.roles.variables.clone().into_iter().enumerate() {
            let array = self.column(batch, column)?;
            let numbers = cells::numbers(array).ok_or_else(|| self.unreadable(array, column))?;
            for (row, value) in numbers.into_iter().enumerate() {
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
        let array = self.column(batch, column)?;
        let dates = cells::ticks(array).map(|(per_second, ticks)| {
            let zone = match array.data_type() {
                DataType::Timestamp(_, Some(name)) => {
                    Some(TimeZone::get(name).unwrap_or(TimeZone::UTC))
                }
                _ => None,
            };
            dates(per_second, zone.as_ref(), &ticks)
        });
        dates.or_else(|| cells::texts(array)).ok_or_else(|| self.unreadable(array, column))
    }

    fn column<'a>(&self, batch: &'a RecordBatch, column: usize) -> Result<&'a ArrayRef> {
        batch
            .column_by_name(&self.names[column])
            .or_else(|| batch.columns().get(column))
            .ok_or_else(|| {
                Error::malformed(&self.file, "table", "a batch without a column", "all columns")
            })
    }

    fn unreadable(&self, array: &ArrayRef, column: usize) -> Error {
        Error::ColumnType {
            file: self.file.clone(),
            column: self.names[column].clone(),
            found: in_words(array.data_type()),
        }
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
            expected: Box::new(expected.into()),
        }
    }
}

/// Moments as text: dates alone where no moment has a time of day, on the clock of their zone.
fn dates(per_second: i64, zone: Option<&TimeZone>, ticks: &[Option<i64>]) -> Vec<Option<String>> {
    let whole_days =
        zone.is_none() && ticks.iter().flatten().all(|t| t % (86_400 * per_second) == 0);
    let text = |ticks: i64| {
        let nanoseconds = i128::from(ticks) * i128::from(1_000_000_000 / per_second);
        let moment = Timestamp::from_nanosecond(nanoseconds).ok()?;
        let local = TimeZone::UTC.to_datetime(moment);
        Some(match (zone, whole_days) {
            (Some(zone), _) if *zone == TimeZone::UTC => moment.to_string(),
            (Some(zone), _) => moment.display_with_offset(zone.to_offset(moment)).to_string(),
            (None, true) => local.date().to_string(),
            (None, false) => local.to_string(),
        })
    };
    ticks.iter().map(|ticks| ticks.and_then(text)).collect()
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
