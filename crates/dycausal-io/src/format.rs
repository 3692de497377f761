//! The formats, and how a file tells its own.

use std::fmt;
use std::io::{self, BufRead};
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::source::Source;
use crate::unpack::Packing;

/// A format that a panel can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// Text, cells separated by commas (or semicolons).
    Csv,
    /// Text, cells separated by tabs.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC file, also called Feather version 2.
    Arrow,
    /// One NumPy array.
    Npy,
    /// NumPy arrays in a zip archive.
    Npz,
    /// MATLAB version 5 to 7.
    Mat,
    /// A sheet of an Excel workbook.
    Xlsx,
    /// A sheet of an OpenDocument spreadsheet.
    Ods,
}

/// What a file says of its format. A new one is a file in `formats`, a variant, a row here, and its reader
/// in `formats/mod.rs`.
struct Entry {
    format: Format,
    name: &'static str,
    extensions: &'static [&'static str],
    /// What a file begins with; empty for text, and where another format begins in the same way.
    signature: &'static [u8],
}

#[rustfmt::skip]
const FORMATS: &[Entry] = &[
    Entry { format: Format::Csv, name: "csv", extensions: &["csv"], signature: b"" },
    Entry { format: Format::Tsv, name: "tsv", extensions: &["tsv", "tab"], signature: b"" },
    Entry { format: Format::Parquet, name: "parquet", extensions: &["parquet", "pq"], signature: b"PAR1" },
    Entry { format: Format::Arrow, name: "arrow", extensions: &["arrow", "feather", "ipc"], signature: b"ARROW1" },
    Entry { format: Format::Npy, name: "npy", extensions: &["npy"], signature: b"\x93NUMPY" },
    Entry { format: Format::Npz, name: "npz", extensions: &["npz"], signature: b"PK\x03\x04" },
    Entry { format: Format::Mat, name: "mat", extensions: &["mat"], signature: b"MATLAB " },
    Entry { format: Format::Xlsx, name: "xlsx", extensions: &["xlsx", "xlsm"], signature: b"" },
    Entry { format: Format::Ods, name: "ods", extensions: &["ods"], signature: b"" },
];

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|entry| entry.format)
    }

    /// The name to give on the command line.
    pub fn name(self) -> &'static str {
        self.entry().map_or("", |entry| entry.name)
    }

    /// The format of a source: of a file by its extension, of standard input by its first bytes.
    ///
    /// # Errors
    /// If the extension is unknown, or standard input cannot be read.
    pub fn of(source: &Source) -> Result<Self> {
        match source {
            Source::Path(path) => Self::of_path(path),
            Source::Standard => {
                let mut input = io::stdin().lock();
                let first = input.fill_buf().map_err(|e| Error::unreadable(source, e))?;
                Ok(Self::of_bytes(first))
            }
        }
    }

    fn of_path(path: &Path) -> Result<Self> {
        let mut extension = ending(path);
        if Packing::is_extension(&extension) {
            extension = path.file_stem().map(|stem| ending(Path::new(stem))).unwrap_or_default();
        }
        let known = FORMATS.iter().find(|entry| entry.extensions.contains(&extension.as_str()));
        if let Some(entry) = known {
            return Ok(entry.format);
        }
        // What is not there, or is a folder, is the better answer than a strange extension.
        Source::from(path).stream(None)?;
        Err(unknown(&path.display().to_string(), extension))
    }

    /// The format of these first bytes: text, where they are no signature.
    fn of_bytes(first: &[u8]) -> Self {
        let matching = FORMATS
            .iter()
            .find(|entry| !entry.signature.is_empty() && first.starts_with(entry.signature));
        matching.map_or(Self::Csv, |entry| entry.format)
    }

    fn entry(self) -> Option<&'static Entry> {
        FORMATS.iter().find(|entry| entry.format == self)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = text.to_lowercase();
        FORMATS
            .iter()
            .find(|entry| entry.name == name || entry.extensions.contains(&name.as_str()))
            .map(|entry| entry.format)
            .ok_or_else(|| unknown("format", text.to_owned()))
    }
}

/// The extension in lower case.
fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn unknown(file: &str, extension: String) -> Error {
    Error::UnknownFormat {
        file: file.to_owned(),
        extension,
        setting: Some("format"),
        known: FORMATS.iter().map(|entry| entry.name.to_owned()).collect(),
    }
}
