//! Reading a panel, whatever its format.

use dycausal::Panel;
use dycausal::calendar::Every;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::format::Format;
use crate::formats::csv::Decimal;
use crate::source::Source;
use crate::table::{DateOrder, keep};

/// What to read from a file, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// The format, where the extension does not tell.
    pub format: Option<Format>,
    /// The column of times. Without it, a column called `time`, `date`, `datetime`, `timestamp`,
    /// `t` or `year`, or an unnamed first column, is taken; the empty text says that there is none.
    pub time: Option<String>,
    /// The column that says which series a row belongs to (a long table).
    pub id: Option<String>,
    /// The column that names the variable of each row, where a row holds one value.
    pub variable: Option<String>,
    /// The column of those values.
    pub value: Option<String>,
    /// Even steps to bring irregular times to.
    pub every: Option<Every>,
    /// Whether the day or the month stands first in dates such as `03/04/2021`.
    pub dates: Option<DateOrder>,
    /// What separates the fraction of a number in text, where that is not to be found out.
    pub decimal: Option<Decimal>,
    /// The time zone of dates that name none.
    pub zone: Option<String>,
    /// Which sheet of a spreadsheet, by name or by number from 1.
    pub sheet: Option<String>,
    /// Which array of an `.npz` or `.mat` file.
    pub array: Option<String>,
    /// The variables to keep, in this order; empty for all.
    pub columns: Vec<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// How many bytes are read of a pipe or device at most; 4 GiB or half of what is free if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

impl ReadOptions {
    /// Whether nothing was asked for.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A panel, and what a reader should know of how it was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The data.
    pub panel: Panel,
    /// The format they were in.
    pub format: Format,
    /// What was taken for granted: a missing header, a time column by its name, ….
    pub notes: Vec<String>,
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
    let (mut panel, notes) = format.read(source, options)?;
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
