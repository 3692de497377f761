//! What the user sees: results on standard output, complaints and warnings on standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Prints a result. A reader that went away (`| head`) is no failure.
pub fn show(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::system(format!("cannot write to standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// How many characters fit on a line, where the result is shown on a terminal.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into())
}

/// Prints a result as JSON, one document.
pub fn show_json<T: Serialize>(value: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Failure::system(format!("cannot write the result as JSON: {e}")))?;
    show(&(text + "\n"))
}

/// Says why the command ends. Nothing can be done if even that fails.
pub fn complain(failure: &Failure) {
    let _ = writeln!(io::stderr().lock(), "error: {failure}");
}

/// Says what was taken for granted and is no cause for worry.
pub fn note(notes: impl IntoIterator<Item = impl Display>) {
    for note in notes {
        let _ = writeln!(io::stderr().lock(), "note: {note}");
    }
}

/// Says what the user should know.
pub fn warn(warnings: impl IntoIterator<Item = impl Display>) {
    for warning in warnings {
        let _ = writeln!(io::stderr().lock(), "warning: {warning}");
    }
}
