//! Where data come from.

use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::endless;
use crate::error::{Error, Result};
use crate::unpack::{Packing, unpacked};

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Standard input, written `-`.
    Standard,
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        match text {
            "-" => Self::Standard,
            path => Self::Path(path.into()),
        }
    }
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Self {
        Self::Path(path.to_owned())
    }
}

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Infallible> {
        Ok(text.into())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Standard => f.write_str("standard input"),
        }
    }
}

/// How much is read at once.
const BUFFER: usize = 1 << 18;

impl Source {
    /// The bytes from first to last, unpacked, for formats that need no more; of what is no file at
    /// most `limit`.
    pub(crate) fn stream(&self, limit: Option<u64>) -> Result<Box<dyn BufRead>> {
        self.bytes(|| limit.unwrap_or_else(endless::memory))
    }

    fn bytes(&self, limit: impl FnOnce() -> u64) -> Result<Box<dyn BufRead>> {
        let (stream, plain): (Box<dyn BufRead>, bool) = match self {
            Self::Path(path) => {
                let file = open(path)?;
                let plain = file.metadata().is_ok_and(|about| about.is_file());
                (Box::new(BufReader::with_capacity(BUFFER, file)), plain)
            }
            Self::Standard => {
                (Box::new(BufReader::with_capacity(BUFFER, io::stdin().lock())), false)
            }
        };
        let stream = unpacked(stream).map_err(|reason| Error::unreadable(self, reason))?;
        let mut stream = if plain { stream } else { endless::limited(stream, limit()) };
        let first = stream.fill_buf().map_err(|e| Error::unreadable(self, e))?;
        if first.is_empty() {
            return Err(self.empty());
        }
        Ok(stream)
    }

    /// A file that can be read at any place, and its size: what is no such file, or packed, is copied
    /// to one, up to `limit`.
    pub(crate) fn file(&self, limit: Option<u64>) -> Result<(File, u64)> {
        let spooled = || self.bytes(|| limit.unwrap_or_else(endless::disk));
        let failed = |reason: io::Error| Error::unreadable(self, reason);
        let mut file = match self {
            Self::Path(path) => {
                let mut file = open(path)?;
                let mut first = Vec::new();
                let plain = file.metadata().map_err(failed)?.is_file();
                if plain {
                    (&mut file).take(4).read_to_end(&mut first).map_err(failed)?;
                }
                match Packing::of_bytes(&first) {
                    None if plain => file,
                    _ => spool(spooled()?).map_err(failed)?,
                }
            }
            Self::Standard => spool(spooled()?).map_err(failed)?,
        };
        let size = file.seek(SeekFrom::End(0)).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if size == 0 {
            return Err(self.empty());
        }
        Ok((file, size))
    }

    fn empty(&self) -> Error {
        let file = self.to_string();
        Error::EmptyFile { file }
    }
}

fn open(path: &Path) -> Result<File> {
    let file = || path.display().to_string();
    let opened = File::open(path).map_err(|reason| match reason.kind() {
        io::ErrorKind::NotFound => Error::NoSuchFile { file: file(), nearest: nearest_file(path) },
        _ => Error::unreadable(file(), reason),
    })?;
    if opened.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(Error::Directory { file: file() });
    }
    Ok(opened)
}

/// The file in the same folder whose name is closest.
fn nearest_file(path: &Path) -> Option<String> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let names: Vec<String> = folder
        .read_dir()
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    dycausal::internals::nearest(
        &path.file_name()?.to_string_lossy(),
        names.iter().map(String::as_str),
    )
}

fn spool(mut from: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut from, &mut file)?;
    Ok(file)
}
