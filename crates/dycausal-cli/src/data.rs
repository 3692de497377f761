//! Reads the data that the arguments name.

use dycausal_io::{ReadOptions, Reading, Source, read};

use crate::arguments::ReadArguments;
use crate::failure::Failure;

/// The panel, and what to call where it came from.
pub fn read_data(data: &str, options: &ReadOptions) -> Result<(Reading, String), Failure> {
    let source = Source::from(data);
    Ok((read(&source, options)?, source.to_string()))
}

/// How the arguments say that data are to be read.
pub fn options(arguments: &ReadArguments) -> ReadOptions {
    ReadOptions {
        format: arguments.format,
        time: arguments.time.clone(),
        id: arguments.id.clone(),
        array: arguments.array.clone(),
        columns: arguments.columns.clone(),
        drop: arguments.drop.clone(),
    }
}
