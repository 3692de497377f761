//! Tables in markdown.

use std::fmt::Write;

/// The first lines of a table: names of columns of words, then of numbers.
pub(crate) fn head(words: &[&str], numbers: &[&str]) -> String {
    let names = [words, numbers].concat().join(" | ");
    let (left, right) = ("---|".repeat(words.len()), "---:|".repeat(numbers.len()));
    format!("| {names} |\n|{left}{right}\n")
}

/// One line of a table.
pub(crate) fn line(text: &mut String, cells: &[&str]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// Seconds in as many digits as matter.
pub(crate) fn short(seconds: f64) -> String {
    if seconds >= 10.0 {
        format!("{seconds:.0}")
    } else if seconds >= 0.1 {
        format!("{seconds:.1}")
    } else {
        format!("{seconds:.3}")
    }
}
