//! Writing NPY files of doubles.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use ndarray::{ArrayView, Dimension};

use crate::error::{Error, Result};

/// The bytes before the values, in C order; their number is a multiple of 64.
pub(crate) fn header_bytes(descr: &str, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let tuple = match lengths.as_slice() {
        [alone] => format!("({alone},)"),
        several => format!("({})", several.join(", ")),
    };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple}, }}");
    // Ten bytes stand before the text and a line feed after it.
    let padded = (text.len() + 11).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', padded - 11 - text.len()));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    // An array of so many axes that this overflows cannot be built.
    bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}

/// Writes an NPY file piece by piece, for arrays that need not be in memory whole.
pub(crate) struct NpyWriter {
    path: PathBuf,
    to: BufWriter<File>,
    left: usize,
}

impl NpyWriter {
    /// Begins a file of doubles of this shape, in C order.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, shape: &[usize]) -> Result<Self> {
        let failed = |reason: io::Error| Error::unwritable(path, &reason);
        let mut to = BufWriter::with_capacity(1 << 18, File::create(path).map_err(failed)?);
        to.write_all(&header_bytes("<f8", shape)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), to, left: shape.iter().product() })
    }

    /// Writes the next values.
    ///
    /// # Errors
    /// If the file cannot be written, or the shape has no room for so many.
    pub fn write(&mut self, values: impl IntoIterator<Item = f64>) -> Result<()> {
        for value in values {
            self.left = self.left.checked_sub(1).ok_or_else(|| self.wrong("more"))?;
            let written = self.to.write_all(&value.to_le_bytes());
            written.map_err(|reason| Error::unwritable(&self.path, &reason))?;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the file cannot be written, or values are lacking.
    pub fn finish(mut self) -> Result<()> {
        if self.left > 0 {
            return Err(self.wrong("fewer"));
        }
        let flushed = self.to.flush();
        flushed.map_err(|reason| Error::unwritable(&self.path, &reason))
    }

    fn wrong(&self, what: &str) -> Error {
        Error::Unwritable {
            path: self.path.display().to_string(),
            reason: format!("{what} values than its shape has"),
            input: false,
        }
    }
}

/// Writes an array of doubles as an NPY file, in C order.
///
/// # Errors
/// If the file cannot be written.
// A view is as cheap to pass as a reference, and callers have one at hand.
#[allow(clippy::needless_pass_by_value)]
pub fn write_npy<D: Dimension>(path: &Path, array: ArrayView<'_, f64, D>) -> Result<()> {
    let mut writer = NpyWriter::create(path, array.shape())?;
    writer.write(array.iter().copied())?;
    writer.finish()
}
