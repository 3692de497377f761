//! Text tables: comma, semicolon or tab separated, wide or long.
//!
//! A file is read once from front to end, straight into the panel's values: memory is that of the
//! values, whatever the size of the file.
//!
//! Missing cells are empty, or `NA`, `N/A`, `#N/A`, `NaN`, `null`, `None` in any case, or a lone
//! point. Numbers have a decimal point, or a decimal comma where cells are not separated by commas.

mod cell;
mod decimal;
mod dialect;
mod lines;

use std::io::{BufRead, Read};

use dycausal::Panel;

pub(super) use self::decimal::Numbers;
pub(super) use self::dialect::invented_names;
use self::lines::Lines;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::remedy::Expected;
use crate::source::Source;
use crate::table::{Roles, Rows};

/// Reads a table whose separator is the commonest of `,`, `;` and tab in its first line.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    read_text(source.stream(options.limit)?, &source.to_string(), None, options)
}

/// Reads a table separated by tabs.
pub(crate) fn read_tsv(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    read_text(source.stream(options.limit)?, &source.to_string(), Some(b'\t'), options)
}

fn read_text(
    mut text: Box<dyn BufRead>,
    file: &str,
    separator: Option<u8>,
    options: &ReadOptions,
) -> Result<(Panel, Vec<Note>)> {
    for (option, given) in [("array", &options.array), ("sheet", &options.sheet)] {
        if given.is_some() {
            return Err(Error::NotApplicable { file: file.into(), option, format: "text" });
        }
    }
    let first = text.fill_buf().map_err(|e| Error::unreadable(file, e))?;
    dialect::check_text(file, first)?;
    let separator = separator.unwrap_or_else(|| dialect::separator(first));
    let mut notes = Vec::new();
    if separator == b';' {
        notes.push("cells are separated by semicolons".into());
    }
    let mut lines = Lines::new(file, separator, text);
    let mut numbers = Numbers::new(options.decimal, separator);
    let rows = read_rows(&mut lines, &mut numbers, options, &mut notes)?;
    if numbers.found_commas() {
        notes.push("numbers have decimal commas".into());
    }
    Ok((rows.into_panel(&mut notes)?, notes))
}

fn read_rows<R: Read>(
    lines: &mut Lines<'_, R>,
    numbers: &mut Numbers,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Rows> {
    let file = lines.file;
    if !lines.next()? {
        return Err(Error::EmptyFile { file: file.into() });
    }
    let first = lines.texts()?;
    let invented = invented_names(&first, numbers.commas());
    let headless = invented.is_some();
    if headless {
        notes.push(
            "the first row holds numbers, so there is no header; variables are called x1, x2, …"
                .into(),
        );
    }
    let mut names = invented.unwrap_or(first);
    let roles = Roles::assign(file, &mut names, options, notes)?;
    let mut rows = roles.rows(file, &names, options)?;
    if headless {
        push_row(lines, numbers, &roles, &names, &mut rows)?;
    }
    while lines.next()? {
        push_row(lines, numbers, &roles, &names, &mut rows)?;
    }
    Ok(rows)
}

/// Takes the row's values, time, series and variable.
fn push_row<R: Read>(
    lines: &Lines<'_, R>,
    numbers: &mut Numbers,
    roles: &Roles,
    names: &[String],
    rows: &mut Rows,
) -> Result<()> {
    let name = |column: usize, expected: &str| {
        let name = lines.text(column)?;
        if cell::is_missing(name.as_bytes()) {
            return Err(refused(lines, &names[column], name, expected));
        }
        Ok(name)
    };
    if let Some(column) = roles.id {
        rows.push_series(name(column, "the name of a series")?);
    }
    if let Some(column) = roles.variable {
        rows.push_variable(name(column, "the name of a variable")?);
    }
    if let Some(column) = roles.time {
        rows.push_time(lines.place(), &numbers.time(lines.text(column)?))?;
    }
    for column in &roles.variables {
        match numbers.read(lines.cell(*column), lines.place()) {
            Some(number) if !number.is_infinite() => rows.values().push(number),
            number => {
                let text = lines.text(*column)?;
                let expected = numbers.expected(text, number.is_some());
                return Err(refused(lines, &names[*column], text, expected));
            }
        }
    }
    Ok(())
}

fn refused<R: Read>(
    lines: &Lines<'_, R>,
    column: &str,
    found: &str,
    expected: impl Into<Expected>,
) -> Error {
    const SHOWN: usize = 60;
    let cut = found.chars().count() > SHOWN;
    let shown: String = found.chars().take(SHOWN).collect();
    let expected = Box::new(expected.into());
    Error::Cell {
        file: lines.file.into(),
        place: lines.place(),
        column: column.into(),
        found: if cut { shown + "…" } else { shown },
        expected,
    }
}
