//! What a refusal cannot know of the command: the word that would help.

use dycausal_io::{Error, Remedy, date_seconds};

/// Where what was a parameter of `ordered` is now.
pub const REORDERED: &str =
    "an order that changes is a method of its own, `--method reordered` (--set changes=N, or auto)";

/// The options of settings that help: " (--drop, --every 1h)".
pub fn settings(remedies: &[Remedy]) -> String {
    Remedy::list(remedies, |Remedy { setting, value }| match value.as_deref() {
        None => format!("--{setting}"),
        Some("") => format!("--{setting} \"\""),
        Some(value) => format!("--{setting} {value}"),
    })
}

/// What to try after data were refused, where that can be told from what was found.
pub fn after_reading(error: &Error) -> Option<String> {
    match error {
        Error::Cell { column, found, .. } => for_text(column, found.trim()),
        Error::TimeOrder { earlier, later, .. } if earlier.text == later.text => {
            Some("--every 1h (or 1d, …) takes the mean of rows that come together".to_owned())
        }
        _ => None,
    }
}

fn for_text(column: &str, found: &str) -> Option<String> {
    if date_seconds(found).is_some() {
        return Some(format!("if it is the time: --time '{column}'"));
    }
    let grouped = |c: char| c.is_ascii_digit() || "+-,.".contains(c);
    if found.contains(',') && found.contains('.') && found.chars().all(grouped) {
        return Some("if the comma separates thousands: --decimal point".to_owned());
    }
    let is_word = found.chars().any(char::is_alphabetic);
    is_word.then(|| format!("if it tells series apart: --id '{column}'"))
}

/// What to try after the library refused data that were read.
pub fn after_learning(error: &dycausal::Error) -> Option<&'static str> {
    match error {
        dycausal::Error::MissingNotSupported { method, .. } if method == "dycausal" => {
            Some("`--set encoder=free` with the linear model takes missing cells")
        }
        dycausal::Error::UnknownParameter { method, name, .. }
            if method == "ordered" && name == "order_changes" =>
        {
            Some(REORDERED)
        }
        dycausal::Error::Still { .. } => Some(
            "where --id or --set season was given, look there first: the level of each series and the season are taken out before",
        ),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_apart_by_what_it_looks_like() {
        assert!(for_text("stamp", "2022-01-01T00:02:43").unwrap().contains("--time 'stamp'"));
        assert!(for_text("a", "1,023.5").unwrap().contains("--decimal point"));
        assert!(for_text("subject", "s0").unwrap().contains("--id 'subject'"));
        assert_eq!(for_text("a", "?"), None);
    }
}
