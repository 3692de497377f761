//! Reading a panel, whatever its format.

use dycausal::Panel;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::formats::reader;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::source::Source;
use crate::table::keep;

/// A panel, and what a reader should know of how it was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The data.
    pub panel: Panel,
    /// The format they were in.
    pub format: Format,
    /// What was taken for granted: a missing header, a time column by its name, ….
    pub notes: Vec<Note>,
}

/// Reads a panel and says how.
///
/// # Errors
/// If the file cannot be read, is not what its format says, or holds no panel; the message names
/// the place, what was found, what was expected and what to do.
pub fn read(source: &Source, options: &ReadOptions) -> Result<Reading> {
    let format = match options.format {
        Some(format) => format,
        None => Format::of(source)?,
    };
    let (mut panel, notes) = reader(format)(source, options)?;
    if options.variable.is_some() {
        panel = keep(&source.to_string(), panel, options)?;
    }
    if panel.steps() < 2 {
        return Err(Error::TooFewRows { file: source.to_string(), found: panel.steps() });
    }
    Ok(Reading { panel, format, notes })
}

/// Reads a panel.
///
/// ```
/// use dycausal_io::{ReadOptions, Source, read_panel};
///
/// let path = std::env::temp_dir().join(format!("dycausal-doc-{}.csv", std::process::id()));
/// std::fs::write(&path, "date,rain,river\n2024-01,3,NA\n2024-02,1,2.5\n")?;
/// let panel = read_panel(&Source::Path(path.clone()), &ReadOptions::default())?;
/// assert_eq!(panel.names(), ["rain", "river"]);
/// assert_eq!(panel.missing(), 1);
/// assert_eq!(panel.times().label(1), "2024-02");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_panel(source: &Source, options: &ReadOptions) -> Result<Panel> {
    read(source, options).map(|reading| reading.panel)
}
