//! Text tables: comma, semicolon or tab separated, wide or long.
//!
//! A file is read once from front to end, straight into the panel's values: memory is that of the
//! values, whatever the size of the file.
//!
//! Missing cells are empty, or `NA`, `N/A`, `#N/A`, `NaN`, `null`, `None` in any case, or a lone
//! point. Numbers have a decimal point.

mod cell;
mod dialect;

use std::io::BufRead;

use ::csv::{ByteRecord, ReaderBuilder};
use dycausal::Panel;

use crate::error::{Error, Place, Result};
use crate::read::ReadOptions;
use crate::source::Source;
use crate::table::{Roles, Rows};

/// Reads a table whose separator is the commonest of `,`, `;` and tab in its first line.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<String>)> {
    read_text(source.stream()?, &source.to_string(), None, options)
}

/// Reads a table separated by tabs.
pub(crate) fn read_tsv(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<String>)> {
    read_text(source.stream()?, &source.to_string(), Some(b'\t'), options)
}

fn read_text(
    mut text: Box<dyn BufRead>,
    file: &str,
    separator: Option<u8>,
    options: &ReadOptions,
) -> Result<(Panel, Vec<String>)> {
    if options.array.is_some() {
        return Err(Error::NotApplicable { file: file.into(), option: "array", format: "text" });
    }
    let first = text.fill_buf().map_err(|e| Error::unreadable(file, e))?;
    dialect::check_text(file, first)?;
    let separator = separator.unwrap_or_else(|| dialect::separator(first));
    let mut notes = Vec::new();
    if separator == b';' {
        notes.push("cells are separated by semicolons".to_owned());
    }
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .buffer_capacity(1 << 18)
        .from_reader(text);
    let mut lines = Lines { file, reader, record: ByteRecord::new(), line: 0, width: 0 };
    let rows = read_rows(&mut lines, options, &mut notes)?;
    Ok((rows.into_panel()?, notes))
}

fn read_rows<R: std::io::Read>(
    lines: &mut Lines<'_, R>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Rows> {
    let file = lines.file;
    if !lines.next()? {
        return Err(Error::EmptyFile { file: file.into() });
    }
    lines.width = lines.record.len();
    let first = lines.header()?;
    let invented = dialect::invented_names(&first);
    let headless = invented.is_some();
    if headless {
        notes.push(
            "the first row holds numbers, so there is no header; variables are called x1, x2, …"
                .into(),
        );
    }
    let mut names = invented.unwrap_or(first);
    let roles = Roles::assign(file, &mut names, options, notes)?;
    let kept = roles.variables.iter().map(|column| names[*column].clone());
    let time = roles.time.map(|column| names[column].as_str());
    let mut rows = Rows::new(file, kept.collect(), time, roles.id.is_some());
    if headless {
        lines.push_row(&roles, &names, &mut rows)?;
    }
    while lines.next()? {
        lines.push_row(&roles, &names, &mut rows)?;
    }
    Ok(rows)
}

/// The rows of a text file, one at a time, with their line.
struct Lines<'a, R> {
    file: &'a str,
    reader: ::csv::Reader<R>,
    record: ByteRecord,
    line: u64,
    width: usize,
}

impl<R: std::io::Read> Lines<'_, R> {
    /// Goes to the next row; false at the end.
    fn next(&mut self) -> Result<bool> {
        let before = self.line;
        let more = self
            .reader
            .read_byte_record(&mut self.record)
            .map_err(|reason| Error::unreadable(self.file, reason))?;
        self.line = self.record.position().map_or(0, ::csv::Position::line);
        if more && self.width == 1 && self.line > before + 1 {
            // With one column an empty line may be a missing cell, or nothing at all.
            return Err(Error::Cell {
                file: self.file.into(),
                place: Place::Line(before + 1),
                column: "1".into(),
                found: String::new(),
                expected: "a value: write NA where it is missing, or take the empty line out"
                    .into(),
            });
        }
        Ok(more)
    }

    /// The cells of the first row as names.
    fn header(&self) -> Result<Vec<String>> {
        let name = |cell: &[u8]| self.text(cell).map(|text| text.trim().to_owned());
        self.record.iter().map(name).collect()
    }

    fn text<'b>(&self, cell: &'b [u8]) -> Result<&'b str> {
        std::str::from_utf8(cell)
            .map_err(|_| Error::Encoding { file: self.file.into(), line: self.line })
    }

    /// Takes the row's values, time and series.
    fn push_row(&self, roles: &Roles, names: &[String], rows: &mut Rows) -> Result<()> {
        if self.record.len() != self.width {
            return Err(Error::Ragged {
                file: self.file.into(),
                line: self.line,
                found: self.record.len(),
                expected: self.width,
            });
        }
        let place = Place::Line(self.line);
        if let Some(column) = roles.id {
            let id = self.text(&self.record[column])?.trim();
            if cell::is_missing(id.as_bytes()) {
                return Err(self.refused(&names[column], id, "the name of a series"));
            }
            rows.push_series(place, id);
        }
        if let Some(column) = roles.time {
            rows.push_time(place, self.text(&self.record[column])?.trim())?;
        }
        let values = rows.values();
        for column in &roles.variables {
            let found = &self.record[*column];
            match cell::number(found) {
                Some(number) if !number.is_infinite() => values.push(number),
                number => return Err(self.no_number(&names[*column], found, number.is_some())),
            }
        }
        Ok(())
    }

    fn no_number(&self, column: &str, found: &[u8], infinite: bool) -> Error {
        let text = match self.text(found) {
            Ok(text) => text,
            Err(encoding) => return encoding,
        };
        let expected = if infinite {
            "a finite number, or an empty cell where it is missing"
        } else if cell::has_decimal_comma(text) {
            "a number with a decimal point: replace decimal commas, e.g. sed 's/,/./g' FILE | dycausal … -"
        } else {
            "a number, or an empty cell where it is missing; leave a column of text out with --drop"
        };
        self.refused(column, text, expected)
    }

    fn refused(&self, column: &str, found: &str, expected: &str) -> Error {
        const SHOWN: usize = 60;
        let cut = found.chars().count() > SHOWN;
        let shown: String = found.chars().take(SHOWN).collect();
        Error::Cell {
            file: self.file.into(),
            place: Place::Line(self.line),
            column: column.into(),
            found: if cut { shown + "…" } else { shown },
            expected: expected.into(),
        }
    }
}
