//! One NumPy array: \[T, d\], or \[N, T, d\].

use std::io::BufReader;

use dycausal::Panel;

use super::array::{check_shape, into_panel, refuse_table_options, stack};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::npy::{Element, Header, read_values};
use crate::options::ReadOptions;
use crate::source::Source;

/// Reads the array of an NPY file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    refuse_table_options(&file, "NPY", options)?;
    if options.array.is_some() {
        let (option, format) = ("array", "NPY");
        return Err(Error::NotApplicable { file, option, format });
    }
    let (from, size) = source.file(options.limit)?;
    let mut from = BufReader::with_capacity(1 << 18, from);
    let header = Header::read(&file, &mut from)?;
    let element = check_floats(&file, &header)?;
    check_shape(&file, &header.shape)?;
    let count = header.check_size(&file, element, size.saturating_sub(header.bytes))?;
    let values = read_values(&file, &mut from, &header, element, count)?;
    let values = stack(&file, &header.shape, header.fortran, values)?;
    Ok((into_panel(&file, values, None, options)?, Vec::new()))
}

/// Refuses everything but floats: integers are too often codes and counts to be taken unasked.
pub(super) fn check_floats(file: &str, header: &Header) -> Result<Element> {
    match header.element() {
        Some(element @ Element::Float(_)) => Ok(element),
        _ => Err(Error::array(
            file,
            header.element_in_words(),
            "32- or 64-bit floats; save it with .astype(float) if they are measurements",
        )),
    }
}
