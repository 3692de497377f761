//! Text tables: comma, semicolon or tab separated, wide or long.
//!
//! A file is read once from front to end, straight into the panel's values: memory is that of the
//! values, whatever the size of the file.
//!
//! Missing cells are empty, or `NA`, `N/A`, `#N/A`, `NaN`, `null`, `None` in any case, or a lone
//! point. Numbers have a decimal point.

mod cell;
mod dialect;
mod lines;

use std::io::{BufRead, Read};

use dycausal::Panel;

use self::lines::Lines;
use crate::error::{Error, Result};
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
    let mut lines = Lines::new(file, separator, text);
    let rows = read_rows(&mut lines, options, &mut notes)?;
    Ok((rows.into_panel()?, notes))
}

fn read_rows<R: Read>(
    lines: &mut Lines<'_, R>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Rows> {
    let file = lines.file;
    if !lines.next()? {
        return Err(Error::EmptyFile { file: file.into() });
    }
    let first = lines.texts()?;
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
        push_row(lines, &roles, &names, &mut rows)?;
    }
    while lines.next()? {
        push_row(lines, &roles, &names, &mut rows)?;
    }
    Ok(rows)
}

/// Takes the row's values, time and series.
fn push_row<R: Read>(
    lines: &Lines<'_, R>,
    roles: &Roles,
    names: &[String],
    rows: &mut Rows,
) -> Result<()> {
    if let Some(column) = roles.id {
        let id = lines.text(column)?;
        if cell::is_missing(id.as_bytes()) {
            return Err(refused(lines, &names[column], id, "the name of a series"));
        }
        rows.push_series(lines.place(), id);
    }
    if let Some(column) = roles.time {
        rows.push_time(lines.place(), lines.text(column)?)?;
    }
    let values = rows.values();
    for column in &roles.variables {
        match cell::number(lines.cell(*column)) {
            Some(number) if !number.is_infinite() => values.push(number),
            number => {
                let text = lines.text(*column)?;
                let expected = expected(text, number.is_some());
                return Err(refused(lines, &names[*column], text, expected));
            }
        }
    }
    Ok(())
}

fn expected(text: &str, infinite: bool) -> &'static str {
    if infinite {
        "a finite number, or an empty cell where it is missing"
    } else if cell::has_decimal_comma(text) {
        "a number with a decimal point: replace decimal commas, e.g. sed 's/,/./g' FILE | dycausal … -"
    } else {
        "a number, or an empty cell where it is missing; leave a column of text out with --drop"
    }
}

fn refused<R: Read>(lines: &Lines<'_, R>, column: &str, found: &str, expected: &str) -> Error {
    const SHOWN: usize = 60;
    let cut = found.chars().count() > SHOWN;
    let shown: String = found.chars().take(SHOWN).collect();
    Error::Cell {
        file: lines.file.into(),
        place: lines.place(),
        column: column.into(),
        found: if cut { shown + "…" } else { shown },
        expected: expected.into(),
    }
}
