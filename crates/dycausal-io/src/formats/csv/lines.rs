//! The rows of a text file, one at a time, with the line they begin on.

use std::io::{self, Read};

use ::csv::{ByteRecord, Reader, ReaderBuilder, Terminator};

use crate::error::{Error, Place, Result};

/// A text file on its way to rows; blank lines are passed over.
pub(super) struct Lines<'a, R> {
    pub file: &'a str,
    reader: Reader<Tail<R>>,
    record: ByteRecord,
    line: u64,
    width: usize,
    blank: Option<u64>,
}

impl<'a, R: Read> Lines<'a, R> {
    /// The rows of a text, none read yet.
    pub(super) fn new(file: &'a str, separator: u8, text: R) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            // A carriage return before the line feed is trimmed with the spaces round a cell: that
            // way a row ends where its line ends, and its line is known.
            .terminator(Terminator::Any(b'\n'))
            .buffer_capacity(1 << 18)
            .from_reader(Tail { text, last: 0, bytes: 0 });
        Self { file, reader, record: ByteRecord::new(), line: 0, width: 0, blank: None }
    }

    /// Goes to the next row; false at the end. All rows have to be as long as the first.
    pub(super) fn next(&mut self) -> Result<bool> {
        loop {
            let before = self.reader.position().line();
            let read = self.reader.read_byte_record(&mut self.record);
            if !read.map_err(|reason| Error::unreadable(self.file, of_system(reason)))? {
                return Ok(false);
            }
            let first = self.first_line(before);
            if self.record.len() == 1 && self.record[0].trim_ascii().is_empty() {
                self.blank.get_or_insert(first);
                continue;
            }
            if first > before {
                self.blank.get_or_insert(before);
            }
            self.line = first;
            self.check_width()?;
            return Ok(true);
        }
    }

    /// The line a record begins on: after the blank ones passed over, before those within quotes.
    fn first_line(&self, before: u64) -> u64 {
        let after = self.reader.position();
        if after.line() <= before + 1 {
            return before;
        }
        let bytes = self.record.as_slice();
        // Rare enough (a row over several lines) that another dependency would not pay.
        #[allow(clippy::naive_bytecount)]
        let within = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        let tail = self.reader.get_ref();
        let unended = after.byte() == tail.bytes && tail.last != b'\n';
        after.line() - within - u64::from(!unended)
    }

    fn check_width(&mut self) -> Result<()> {
        if self.width == 0 {
            self.width = self.record.len();
            self.blank = None;
        }
        match self.blank {
            // With one column an empty line may be a missing cell, or nothing at all.
            Some(line) if self.width == 1 => Err(Error::Cell {
                file: self.file.into(),
                place: Place::Line(line),
                column: "1".into(),
                found: String::new(),
                expected: Box::new(
                    "a value: write NA where it is missing, or take the empty line out".into(),
                ),
            }),
            _ if self.record.len() != self.width => Err(Error::Ragged {
                file: self.file.into(),
                line: self.line,
                found: self.record.len(),
                expected: self.width,
            }),
            _ => Ok(()),
        }
    }

    /// A cell of the row.
    pub(super) fn cell(&self, column: usize) -> &[u8] {
        &self.record[column]
    }

    /// A cell of the row as text, without the spaces round it.
    pub(super) fn text(&self, column: usize) -> Result<&str> {
        let text = std::str::from_utf8(&self.record[column]);
        text.map(str::trim).map_err(|_| Error::Encoding { file: self.file.into(), line: self.line })
    }

    /// All cells of the row as text.
    pub(super) fn texts(&self) -> Result<Vec<String>> {
        (0..self.width).map(|column| self.text(column).map(str::to_owned)).collect()
    }

    /// Where the row stands.
    pub(super) fn place(&self) -> Place {
        Place::Line(self.line)
    }
}

/// A reader that knows how much it gave, and the last byte of it.
struct Tail<R> {
    text: R,
    last: u8,
    bytes: u64,
}

impl<R: Read> Read for Tail<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer)?;
        if count > 0 {
            self.last = buffer[count - 1];
            self.bytes += count as u64;
        }
        Ok(count)
    }
}

/// What the system said, where it is what went wrong.
fn of_system(reason: csv::Error) -> io::Error {
    if !reason.is_io_error() {
        return io::Error::other(reason);
    }
    match reason.into_kind() {
        csv::ErrorKind::Io(reason) => reason,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str) -> Vec<u64> {
        let mut lines = Lines::new("", b',', text.as_bytes());
        let mut found = Vec::new();
        while lines.next().unwrap() {
            found.push(lines.line);
        }
        found
    }

    #[test]
    fn rows_know_their_line() {
        for ending in ["\n", "\r\n"] {
            for (text, expected) in [
                ("a,b⏎1,2⏎3,4", vec![1, 2, 3]),
                ("a,b⏎1,2⏎3,4⏎", vec![1, 2, 3]),
                ("⏎⏎a,b⏎⏎1,2⏎⏎⏎3,4⏎⏎", vec![3, 5, 8]),
                ("⏎⏎a,b⏎⏎1,2⏎⏎⏎3,4", vec![3, 5, 8]),
                ("a,\"b⏎c\"⏎1,2⏎\"3⏎⏎\",4⏎5,6", vec![1, 3, 4, 7]),
                ("a,b⏎⏎1,\"2⏎\"", vec![1, 3]),
            ] {
                let text = text.replace('⏎', ending);
                assert_eq!(lines_of(&text), expected, "{text:?}");
            }
        }
    }
}
