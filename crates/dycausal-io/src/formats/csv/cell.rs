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

/// Whether a cell would be a number, if a comma were its decimal point.
pub(super) fn has_decimal_comma(cell: &str) -> bool {
    cell.matches(',').count() == 1
        && fast_float2::parse::<f64, _>(cell.trim().replace(',', ".")).is_ok()
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
        assert!(has_decimal_comma("-1,5"));
        assert!(!has_decimal_comma("1,234,567"));
    }
}
