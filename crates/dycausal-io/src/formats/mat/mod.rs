//! MATLAB files of version 5 to 7: one numeric matrix of two or three dimensions is the panel.

mod element;
mod matrix;

use std::io::Read;

use dycausal::Panel;

use self::element::{Elements, inflate};
use self::matrix::Matrix;
use super::array::{check_shape, choose, into_panel, refuse_table_options, stack};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::source::Source;

const HEADER: usize = 128;

/// Reads one matrix of a MAT file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    refuse_table_options(&file, "MAT", options)?;
    let (mut from, _) = source.file(options.limit)?;
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).map_err(|e| Error::unreadable(&file, e))?;
    let big = check_header(&file, &bytes)?;
    let broken = |found: &str| broken(&file, found);
    let mut found = Vec::new();
    for element in Elements::new(&bytes[HEADER..], big) {
        let element = element.ok_or_else(|| broken("an element that is cut"))?;
        // The start is enough to know what a compressed matrix is.
        let start =
            inflate(&element, big, Some(1 << 16)).ok_or_else(|| broken("damaged compression"))?;
        if let Some(matrix) = start.as_deref().and_then(|start| Matrix::describe(start, big)) {
            found.push((matrix, element));
        }
    }
    let names: Vec<String> = found.iter().map(|(matrix, _)| matrix.name.clone()).collect();
    let shown: Vec<String> = found.iter().map(|(matrix, _)| matrix.to_string()).collect();
    let (matrix, element) = &found[choose(&file, &names, &shown, options.array.as_deref())?];
    check_shape(&file, &matrix.shape)?;
    let content = inflate(element, big, None).flatten();
    let values = content.and_then(|content| matrix.values(&content, big));
    let values = values.ok_or_else(|| broken("fewer values than the matrix has"))?;
    let values = stack(&file, &matrix.shape, true, values)?;
    Ok((into_panel(&file, values, None, options)?, Vec::new()))
}

/// Whether numbers have their highest byte first.
fn check_header(file: &str, bytes: &[u8]) -> Result<bool> {
    if bytes.starts_with(b"MATLAB 7.3") || bytes.starts_with(b"\x89HDF\r\n") {
        let expected = "version 7 or lower; save it in MATLAB with save(FILE, '-v7')";
        return Err(Error::malformed(file, "MAT", "version 7.3 (HDF5)", expected));
    }
    match bytes.get(124..HEADER) {
        Some([_, 0x01, b'I', b'M']) => Ok(false),
        Some([0x01, _, b'M', b'I']) => Ok(true),
        _ => Err(broken(file, "no version 5 header")),
    }
}

fn broken(file: &str, found: &str) -> Error {
    let expected = "version 5 to 7; save it in MATLAB with save(FILE, '-v7')";
    Error::malformed(file, "MAT", found, expected)
}
