//! NumPy arrays in a zip archive: one of them is the panel, and `names` may name its variables.

use std::fs::File;
use std::io::BufReader;

use dycausal::Panel;
use zip::ZipArchive;

use super::array::{check_shape, choose, into_panel, refuse_table_options, stack};
use super::npy::check_floats;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::npy::{Element, Header, read_strings, read_values};
use crate::options::ReadOptions;
use crate::source::Source;

type Archive = ZipArchive<BufReader<File>>;

/// The array of variable names, where there is one.
const NAMES: &str = "names";

/// Reads one array of an NPZ file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    refuse_table_options(&file, "NPZ", options)?;
    let (from, _) = source.file(options.limit)?;
    let mut archive = ZipArchive::new(BufReader::new(from)).map_err(|e| broken(&file, &e))?;
    let mut arrays = Vec::new();
    for entry in archive.file_names() {
        let entry = entry.map_err(|e| broken(&file, &e))?;
        arrays.extend(entry.strip_suffix(".npy").filter(|name| *name != NAMES).map(str::to_owned));
    }
    arrays.sort();
    let chosen = choose(&file, &arrays, &arrays, options.array.as_deref())?;
    let (shape, fortran, values) = numbers(&file, &mut archive, &arrays[chosen])?;
    let values = stack(&file, &shape, fortran, values)?;
    let mut notes = Vec::new();
    let names = names(&mut archive).filter(|names| names.len() == values.dim().2);
    if names.is_some() {
        notes.push(format!("variables are called as the array `{NAMES}` says").into());
    }
    Ok((into_panel(&file, values, names, options)?, notes))
}

fn numbers(file: &str, archive: &mut Archive, name: &str) -> Result<(Vec<usize>, bool, Vec<f64>)> {
    let entry = archive.by_name(&format!("{name}.npy"));
    let mut entry = entry.map_err(|reason| broken(file, &reason))?;
    let size = entry.size();
    let header = Header::read(file, &mut entry)?;
    let element = check_floats(file, &header)?;
    check_shape(file, &header.shape)?;
    let count = header.check_size(file, element, size.saturating_sub(header.bytes))?;
    let values = read_values(file, &mut entry, &header, element, count)?;
    Ok((header.shape, header.fortran, values))
}

/// The texts of the array of names, if it is there and holds texts.
fn names(archive: &mut Archive) -> Option<Vec<String>> {
    let mut entry = archive.by_name(&format!("{NAMES}.npy")).ok()?;
    let header = Header::read(NAMES, &mut entry).ok()?;
    match (header.element()?, header.shape.as_slice()) {
        (Element::Text(characters), [count]) => {
            read_strings(&mut entry, &header, characters, *count)
        }
        _ => None,
    }
}

fn broken(file: &str, reason: &zip::result::ZipError) -> Error {
    let expected = "a zip archive as numpy.savez writes it";
    Error::malformed(file, "NPZ", reason.to_string(), expected)
}
