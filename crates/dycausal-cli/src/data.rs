//! Reads the data that the arguments name.

use dycausal::Panel;
use dycausal_io::{Note, ReadOptions, Source, find_sources, read_several};

use crate::advice;
use crate::arguments::ReadArguments;
use crate::codes;
use crate::failure::Failure;

/// Data that were read, and where they came from.
pub struct Found {
    /// The data.
    pub panel: Panel,
    /// What the user should be warned of.
    pub notes: Vec<String>,
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
    let reading = read_several(&sources, options)?;
    // A column that is called as times are is what most tables have.
    let (usual, others): (Vec<Note>, Vec<Note>) =
        reading.notes.into_iter().partition(Note::is_usual);
    let taken = usual.iter().map(Note::to_string).collect();
    let said = |note: &Note| format!("{note}{}", advice::settings(&note.remedies()));
    let mut notes: Vec<String> = others.iter().map(said).collect();
    notes.extend(codes::warnings(&reading.panel));
    let panel = reading.panel;
    let files: Vec<String> = sources.iter().map(Source::to_string).collect();
    match &files[..] {
        [one] => Ok(Found { panel, notes, taken, source: one.clone(), files: Vec::new() }),
        several => {
            let (first, last) = (&several[0], &several[several.len() - 1]);
            let source = format!("{} files, {first} to {last}", several.len());
            Ok(Found { panel, notes, taken, source, files })
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
