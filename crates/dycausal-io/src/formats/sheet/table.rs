//! The cells of a sheet on their way to rows.

use calamine::Data;
use dycausal::Panel;

use super::cell;
use crate::error::{Error, Place, Result};
use crate::formats::csv::{Numbers, invented_names};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::remedy::Expected;
use crate::table::{Roles, Rows};

/// A sheet as it is read, cell by cell, row after row.
pub(super) struct Table<'a> {
    /// File and sheet, as messages name them.
    place: String,
    options: &'a ReadOptions,
    numbers: Numbers,
    /// The row that is being read, from 0.
    row: u32,
    cells: Vec<(u32, Data)>,
    header: Option<Header>,
    /// Times wait until all are read: whether they have a time of day is then known.
    times: Vec<(Place, String)>,
}

/// The header, and where what it names goes.
struct Header {
    first: u32,
    names: Vec<String>,
    roles: Roles,
    rows: Rows,
}

/// Wider sheets are no tables of variables.
const WIDEST: u32 = 20_000;

impl<'a> Table<'a> {
    pub(super) fn new(file: &str, sheet: &str, options: &'a ReadOptions) -> Self {
        Self {
            place: format!("{file}, sheet `{sheet}`"),
            options,
            numbers: Numbers::new(options.decimal, b';'),
            row: 0,
            cells: Vec::new(),
            header: None,
            times: Vec::new(),
        }
    }

    /// Takes a cell; rows come one after the other.
    pub(super) fn push(
        &mut self,
        row: u32,
        column: u32,
        cell: Data,
        notes: &mut Vec<Note>,
    ) -> Result<()> {
        if row != self.row {
            self.end_row(notes)?;
            self.row = row;
        }
        if !cell::is_empty(&cell) {
            self.cells.push((column, cell));
        }
        Ok(())
    }

    /// The panel of all rows.
    pub(super) fn into_panel(mut self, notes: &mut Vec<Note>) -> Result<Panel> {
        self.end_row(notes)?;
        let Some(mut header) = self.header else {
            return Err(Error::EmptyFile { file: self.place });
        };
        let dates = self.times.iter().all(|(_, text)| cell::midnight(text).is_some());
        for (place, text) in &self.times {
            let text = cell::midnight(text).filter(|_| dates).unwrap_or(text);
            header.rows.push_time(*place, text)?;
        }
        header.rows.into_panel(notes)
    }

    fn end_row(&mut self, notes: &mut Vec<Note>) -> Result<()> {
        let cells = std::mem::take(&mut self.cells);
        match (self.header.take(), cells.is_empty()) {
            (header, true) => self.header = header,
            (None, false) => self.header = Some(self.begin(&cells, notes)?),
            (Some(mut header), false) => {
                self.push_row(&mut header, cells)?;
                self.header = Some(header);
            }
        }
        Ok(())
    }

    /// Takes the first row that is not empty: the header, or data where there is none.
    fn begin(&mut self, cells: &[(u32, Data)], notes: &mut Vec<Note>) -> Result<Header> {
        let columns = cells.iter().map(|(column, _)| *column);
        let (first, last) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        if last - first >= WIDEST {
            let found = format!("a header over {} columns", last - first + 1);
            return Err(Error::malformed(&self.place, "sheet", found, "a table of variables"));
        }
        let mut names = vec![String::new(); (last - first) as usize + 1];
        for (column, cell) in cells {
            let text = cell::text(cell);
            let name = cell::midnight(&text).unwrap_or(&text);
            name.clone_into(&mut names[(column - first) as usize]);
        }
        let invented = invented_names(&names, false);
        let headless = invented.is_some();
        if headless {
            notes.push(
                "the first row holds numbers, so there is no header; variables are called x1, x2, …"
                    .into(),
            );
        }
        let mut names = invented.unwrap_or(names);
        let roles = Roles::assign(&self.place, &mut names, self.options, notes)?;
        let rows = roles.rows(&self.place, &names, self.options)?;
        let mut header = Header { first, names, roles, rows };
        if headless {
            self.push_row(&mut header, cells.to_vec())?;
        }
        Ok(header)
    }

    fn push_row(&mut self, header: &mut Header, cells: Vec<(u32, Data)>) -> Result<()> {
        let place = Place::Row(u64::from(self.row) + 1);
        let mut row = vec![Data::Empty; header.names.len()];
        for (column, found) in cells {
            let slot = column.checked_sub(header.first).and_then(|c| row.get_mut(c as usize));
            let Some(slot) = slot else {
                let expected = "nothing: the header has no such column";
                return Err(self.refused(place, &letters(column), &found, expected));
            };
            *slot = found;
        }
        let refused = |column: usize, expected: &str| {
            self.refused(place, &header.names[column], &row[column], expected)
        };
        let name = |column: usize, expected: &str| {
            let missing = cell::is_empty(&row[column]);
            if missing { Err(refused(column, expected)) } else { Ok(cell::text(&row[column])) }
        };
        if let Some(column) = header.roles.id {
            header.rows.push_series(&name(column, "the name of a series")?);
        }
        if let Some(column) = header.roles.variable {
            header.rows.push_variable(&name(column, "the name of a variable")?);
        }
        if let Some(column) = header.roles.time {
            self.times.push((place, name(column, "a time")?));
        }
        for column in header.roles.variables.clone() {
            let value = match (&row[column], cell::not_a_number(&row[column])) {
                (_, Some(expected)) => {
                    return Err(self.refused(place, &header.names[column], &row[column], expected));
                }
                (Data::Int(number), _) => Some(*number as f64),
                (Data::Float(number), _) => Some(*number),
                (Data::Empty | Data::Error(_), _) => Some(f64::NAN),
                (other, _) => self.numbers.read(cell::text(other).as_bytes(), place),
            };
            let Some(value) = value.filter(|value| !value.is_infinite()) else {
                let text = cell::text(&row[column]);
                let expected = self.numbers.expected(&text, value.is_some());
                return Err(self.refused(place, &header.names[column], &row[column], expected));
            };
            header.rows.values().push(value);
        }
        Ok(())
    }

    fn refused(
        &self,
        place: Place,
        column: &str,
        found: &Data,
        expected: impl Into<Expected>,
    ) -> Error {
        let expected = Box::new(expected.into());
        Error::Cell {
            file: self.place.clone(),
            place,
            column: column.into(),
            found: cell::text(found).chars().take(60).collect(),
            expected,
        }
    }
}

/// The letters of a column: A, B, …, Z, AA, ….
fn letters(mut column: u32) -> String {
    let mut name = Vec::new();
    loop {
        name.push(char::from(b'A' + u8::try_from(column % 26).unwrap_or(0)));
        column = match (column / 26).checked_sub(1) {
            Some(rest) => rest,
            None => break name.iter().rev().collect(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn columns_have_the_letters_of_a_spreadsheet() {
        for (column, expected) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(column), expected);
        }
    }
}
