//! Cells of a sheet as numbers, names and times.

use calamine::{CellErrorType, Data};

use crate::remedy::{Expected, Remedy};

/// A cell as text, for names and messages; dates as ISO dates with a time of day.
pub(super) fn text(cell: &Data) -> String {
    match cell {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::String(text) => text.trim().to_owned(),
        Data::Bool(truth) => truth.to_string(),
        Data::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
            let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
            format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}")
        }
        Data::DateTime(duration) => duration.as_f64().to_string(),
        Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
    }
}

/// Whether a cell has nothing in it.
pub(super) fn is_empty(cell: &Data) -> bool {
    match cell {
        Data::Empty => true,
        Data::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// What a cell that is neither number nor text holds, where a number was expected.
pub(super) fn not_a_number(cell: &Data) -> Option<Expected> {
    match cell {
        Data::Bool(_) => Some("a number: write true and false as 1 and 0".into()),
        Data::DateTime(moment) if !moment.is_datetime() => {
            Some("a number: format the cells as numbers".into())
        }
        Data::DateTime(_) | Data::DateTimeIso(_) | Data::DurationIso(_) => {
            let remedies = ["time", "drop"].map(Remedy::of);
            Some(Expected::new("a number; name the column as the time, or leave it out", remedies))
        }
        Data::Error(CellErrorType::NA) => None,
        Data::Error(_) => {
            Some("a number: mend the formula, or empty the cell where it is missing".into())
        }
        _ => None,
    }
}

/// The date of a time that is midnight.
pub(super) fn midnight(text: &str) -> Option<&str> {
    text.strip_suffix("T00:00:00")
}
