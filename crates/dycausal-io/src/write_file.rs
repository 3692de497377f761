//! Writing a file whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use crate::aside::Aside;
use crate::error::{Error, Result};

/// Writes a file beside its place and puts it there at the end; one that was there is replaced.
///
/// # Errors
/// If the folder is not there or cannot be written to, or a folder has that name.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    let failed = |reason: io::Error| Error::unwritable(path, &reason);
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // A file within a temporary folder gets the usual permissions; a temporary file is private.
    let aside = Aside::beside(path).map_err(failed)?;
    let fresh = aside.path().join("new");
    fs::write(&fresh, content).map_err(failed)?;
    aside.put(|_| fs::rename(&fresh, path)).map_err(failed)
}
