//! Reads the data that the arguments name.

use dycausal_io::{ReadOptions, Reading, Source, find_sources, read_several};

use crate::arguments::ReadArguments;
use crate::codes;
use crate::failure::Failure;

/// Data that were read, and where they came from.
pub struct Found {
    /// The panel, and what the user should be warned of.
    pub reading: Reading,
    /// What was taken for granted and is no cause for worry.
    pub taken: Vec<String>,
    /// What to call where they came from.
    pub source: String,
    /// The files, where there are several.
    pub files: Vec<String>,
}

/// Reads the files that words stand for: one, several, or a pattern.
pub fn read_data(words: &[String], options: &ReadOptions) -> Result<Found, Failure> {
    let sources = find_sources(words)?;
    let mut reading = read_several(&sources, options)?;
    // A column that is called as times are is what most tables have.
    let is_usual = |note: &String| note.ends_with("is taken as the time");
    let (taken, mut notes): (Vec<_>, Vec<_>) = reading.notes.into_iter().partition(is_usual);
    notes.extend(codes::warnings(&reading.panel));
    reading.notes = notes;
    let files: Vec<String> = sources.iter().map(Source::to_string).collect();
    match &files[..] {
        [one] => Ok(Found { reading, taken, source: one.clone(), files: Vec::new() }),
        several => {
            let (first, last) = (&several[0], &several[several.len() - 1]);
            let source = format!("{} files, {first} to {last}", several.len());
            Ok(Found { reading, taken, source, files })
        }
    }
}

/// How the arguments say that data are to be read.
pub fn options(arguments: &ReadArguments) -> ReadOptions {
    arguments.table.fill(ReadOptions {
        format: arguments.format,
        time: arguments.time.clone(),
        id: arguments.id.clone(),
        array: arguments.array.clone(),
        columns: arguments.columns.clone(),
        drop: arguments.drop.clone(),
        limit: arguments.limit.map(|size| size.0),
        ..ReadOptions::default()
    })
}
