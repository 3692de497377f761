//! Numbers and missing cells in text.

/// The number in a cell: NaN where it is missing, `None` where it is neither.
///
/// Infinite where the text says so or is beyond the largest double.
pub(super) fn number(cell: &[u8]) -> Option<f64> {
    match fast_float2::parse::<f64, _>(cell) {
        Ok(number) if number.is_finite() => Some(number),
        _ => unusual(cell.trim_ascii()),
    }
}

fn unusual(cell: &[u8]) -> Option<f64> {
    if is_missing(cell) {
        return Some(f64::NAN);
    }
    fast_float2::parse(cell).ok()
}

/// Whether a cell says that there is no value: empty, or one of the usual words in any case.
pub(super) fn is_missing(cell: &[u8]) -> bool {
    const WORDS: [&[u8]; 7] = [b"", b"na", b"nan", b"n/a", b"#n/a", b"null", b"none"];
    // A lone point is how SAS and Stata write it.
    cell == b"." || WORDS.iter().any(|word| word.eq_ignore_ascii_case(cell))
}

/// The number in a cell with this decimal mark, thousands grouped with the other one or not at all.
pub(super) fn grouped(cell: &[u8], mark: u8) -> Option<f64> {
    let text = std::str::from_utf8(cell.trim_ascii()).ok()?;
    let (mark, group) = (char::from(mark), if mark == b',' { '.' } else { ',' });
    let (whole, fraction) = text.split_once(mark).unwrap_or((text, ""));
    if fraction.contains([mark, group]) {
        return None;
    }
    let mut groups = whole.split(group);
    let digits = groups.next()?.trim_start_matches(['+', '-']).len();
    let threes = whole.split(group).skip(1).all(|group| group.len() == 3);
    if whole.contains(group) && !(threes && (1..=3).contains(&digits)) {
        return None;
    }
    let plain = format!("{}.{fraction}", whole.replace(group, ""));
    fast_float2::parse::<f64, _>(plain.trim_end_matches('.')).ok().filter(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_missing_cells_and_text_are_told_apart() {
        for (cell, expected) in [("1.5", 1.5), (" -2e3 ", -2000.0), ("+7", 7.0), (".5", 0.5)] {
            assert_eq!(number(cell.as_bytes()), Some(expected), "{cell}");
        }
        for cell in ["", "  ", "NA", "n/a", "NaN", "nan", "-nan", "null", "None", ".", "#N/A"] {
            assert!(number(cell.as_bytes()).is_some_and(f64::is_nan), "{cell}");
        }
        for cell in ["inf", "-Infinity", "1e999"] {
            assert!(number(cell.as_bytes()).is_some_and(f64::is_infinite), "{cell}");
        }
        for cell in ["x", "1,5", "1 2", "0x10", "1.5kg", "-"] {
            assert_eq!(number(cell.as_bytes()), None, "{cell}");
        }
        assert_eq!(grouped(b"-1,5", b','), Some(-1.5));
        assert_eq!(grouped(b" 12.345,5e1 ", b','), Some(123_455.0));
        for cell in ["1,234,567", "1.23,5", "1234.567,5", ",", "", "1,5.5", "NA", "inf"] {
            assert_eq!(grouped(cell.as_bytes(), b','), None, "{cell}");
        }
    }
}
