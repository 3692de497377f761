//! What kind of text table a file is: its separator, and whether its first row is a header.

use super::cell::{grouped, number};
use crate::error::{Error, Result};
use crate::remedy::{Expected, Remedy};
use crate::table::{Instant, is_date};

/// The separator of a table that begins with these bytes: the commonest one in the first line.
///
/// Numbers with decimal commas have more commas than separators: where a semicolon or a tab parts
/// the line into numbers and dates alone, it is that.
pub(super) fn separator(first: &[u8]) -> u8 {
    let line = first.split(|byte| *byte == b'\n').next().unwrap_or(first);
    for candidate in [b';', b'\t'] {
        let mut cells = line.split(|byte| *byte == candidate);
        if line.contains(&candidate) && line.contains(&b',') && cells.all(is_value) {
            return candidate;
        }
    }
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in line {
        quoted ^= *byte == b'"';
        for (candidate, count) in &mut counts {
            *count += usize::from(!quoted && byte == candidate);
        }
    }
    // The first of equals is kept by comparing strictly.
    counts.into_iter().fold((b',', 0), |best, next| if next.1 > best.1 { next } else { best }).0
}

/// Whether a cell is a number, also with a decimal comma, or a date.
fn is_value(cell: &[u8]) -> bool {
    let date = || std::str::from_utf8(cell).is_ok_and(|text| Instant::parse(text.trim()).is_some());
    number(cell).is_some() || grouped(cell, b',').is_some() || date()
}

/// Refuses what is no text at all.
pub(super) fn check_text(file: &str, first: &[u8]) -> Result<()> {
    let refused =
        |found: &str, expected: Expected| Err(Error::malformed(file, "text", found, expected));
    if first.starts_with(b"PK\x03\x04") {
        return refused(
            "a zip archive or spreadsheet",
            Expected::new(
                "plain text: unpack it, or read it as a spreadsheet",
                ["xlsx", "ods"].map(|format| Remedy::with("format", format)),
            ),
        );
    }
    if first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff") {
        return refused("UTF-16", "UTF-8: save the file as UTF-8".into());
    }
    if first.contains(&b'\r') && !first.contains(&b'\n') {
        return refused(
            "lines that end in carriage returns",
            "line feeds: tr '\\r' '\\n' < FILE > OTHER makes them".into(),
        );
    }
    if first.contains(&0) {
        let expected =
            Expected::new("UTF-8 text, or the name of its format", [Remedy::of("format")]);
        return refused("binary data", expected);
    }
    Ok(())
}

/// Names of the columns, if the first row gives none: because it is data.
///
/// A row is data if its cells are numbers, but for a date in the first. Numbers that count 0, 1, …
/// over at least three columns are names: pandas writes them where columns have none.
pub(in crate::formats) fn invented_names(cells: &[String], commas: bool) -> Option<Vec<String>> {
    let is_number = |cell: &String| {
        let comma = || grouped(cell.as_bytes(), b',').filter(|_| commas);
        number(cell.as_bytes()).or_else(comma).is_some_and(f64::is_finite)
    };
    let (first, rest) = cells.split_first()?;
    let dated = !rest.is_empty() && !is_number(first) && is_date(first.trim());
    if !(is_number(first) || dated) || !rest.iter().all(is_number) {
        return None;
    }
    let counts = cells.iter().enumerate().all(|(i, cell)| *cell == i.to_string());
    if counts && cells.len() >= 3 {
        return None;
    }
    let variables = cells.len() - usize::from(dated);
    let time = dated.then(|| "time".to_owned());
    Some(time.into_iter().chain((1..=variables).map(|v| format!("x{v}"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_the_commonest_outside_quotes() {
        assert_eq!(separator(b"a,b,c\n1;2;3;4"), b',');
        assert_eq!(separator(b"a;b;c"), b';');
        assert_eq!(separator(b"\"a;x;y\",b"), b',');
        assert_eq!(separator(b"a\tb"), b'\t');
        assert_eq!(separator(b"alone"), b',');
        assert_eq!(separator(b"1,5;2,5;3,5\n"), b';');
        assert_eq!(separator(b"2024-01-01\t1,5\t2,5\n"), b'\t');
    }

    fn invented(row: &str) -> Option<Vec<String>> {
        invented_names(&row.split(',').map(String::from).collect::<Vec<_>>(), false)
    }

    #[test]
    fn a_first_row_of_numbers_is_data_unless_it_counts() {
        assert_eq!(invented("1.5,2"), Some(vec!["x1".into(), "x2".into()]));
        assert_eq!(invented("2020-01-01,2"), Some(vec!["time".into(), "x1".into()]));
        assert_eq!(invented("a,2"), None);
        assert_eq!(invented(",0,1"), None);
        assert_eq!(invented("0,1,2"), None);
    }
}
