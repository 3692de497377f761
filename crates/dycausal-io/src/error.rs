//! What can go wrong with files, as data: which file, line, column, what was found and expected.

use std::fmt;
use std::io::ErrorKind;

use serde::Serialize;
use thiserror::Error;

use crate::endless::Endless;
use crate::remedy::{Expected, Remedy};

/// Result of anything in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Where in a file something stands, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Place {
    /// A line of a text file; the header is a line too.
    Line(u64),
    /// A row of data of a binary table.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// The time of a row, as it is written, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// Line or row.
    pub place: Place,
    /// The time as written.
    pub text: String,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.text, self.place)
    }
}

/// Why a file could not be read or written. Each message says what to do about it, and [`Error::remedies`] with
/// which settings.
#[derive(Debug, Clone, PartialEq, Error, Serialize)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file.
    #[error("{file}: there is no such file{}", hint(nearest.as_deref()))]
    NoSuchFile {
        /// The file.
        file: String,
        /// The file beside it with the closest name.
        nearest: Option<String>,
    },
    /// A pattern fits no file.
    #[error("`{pattern}`: {reason}; give the names of files, or a pattern such as 'subject-*.csv'")]
    NoFileFits {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file has other variables than the first.
    #[error(
        "{file} has {} column `{column}`, which {first} has{}; keep the columns that all files have", if *here { "a" } else { "no" }, if *here { " not" } else { "" }
    )]
    OtherColumns {
        /// The file.
        file: String,
        /// The first file.
        first: String,
        /// The variable that only one of them has.
        column: String,
        /// Whether it is this file that has it.
        here: bool,
    },
    /// A file has times of another kind than the first.
    #[error(
        "{file} and {first} have times of different kinds (dates, numbers or none); name the column of times in both, or count rows"
    )]
    OtherTimes {
        /// The file.
        file: String,
        /// The first file.
        first: String,
    },
    /// A folder was given where a file is needed.
    #[error("{file} is a folder; give the data file in it")]
    Directory {
        /// The folder.
        file: String,
    },
    /// The file has no bytes.
    #[error("{file} is empty; expected a header row and one row per time")]
    EmptyFile {
        /// The file.
        file: String,
    },
    /// What is no file has no end in sight.
    #[error(
        "{file}: it is no file and has more than {limit} bytes; allow for more, or save it to a file"
    )]
    Endless {
        /// What is read.
        file: String,
        /// How many bytes were allowed.
        limit: u64,
    },
    /// The system does not let us read.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The extension does not tell the format.
    #[error("{file}: unknown format{}; expected one of: {}", ending(extension), known.join(", "))]
    UnknownFormat {
        /// The file.
        file: String,
        /// Its extension, or the name of the format asked for.
        extension: String,
        /// The setting that takes a format; none where the name of the file says it.
        setting: Option<&'static str>,
        /// The names of all formats.
        known: Vec<String>,
    },
    /// The content is not what the format says.
    #[error("{file} is not a sound {format} file: found {found}; expected {expected}")]
    Malformed {
        /// The file.
        file: String,
        /// The format.
        format: &'static str,
        /// What is there.
        found: String,
        /// What should be there, or what to do.
        #[serde(flatten)]
        expected: Box<Expected>,
    },
    /// A setting does not go with the format.
    #[error("{file}: `{option}` does not apply to {format}; leave it out")]
    NotApplicable {
        /// The file.
        file: String,
        /// The setting.
        option: &'static str,
        /// The format.
        format: &'static str,
    },
    /// A setting was given without another that it needs.
    #[error(
        "{file}: `variable`, `value` and `time` go together (one row per value); give `{option}` too"
    )]
    OptionsTogether {
        /// The file.
        file: String,
        /// The setting that is not there.
        option: &'static str,
    },
    /// A cell does not hold what its column holds.
    #[error("{file}, {place}, column `{column}`: found `{found}`; expected {expected}")]
    Cell {
        /// The file.
        file: String,
        /// Line or row.
        place: Place,
        /// The column's name.
        column: String,
        /// The text of the cell.
        found: String,
        /// What was expected, or what to do.
        #[serde(flatten)]
        expected: Box<Expected>,
    },
    /// A row is longer or shorter than the header.
    #[error(
        "{file}, line {line}: found {found} cell(s); expected {expected}, as in the first row; put text that holds the separator in quotes"
    )]
    Ragged {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// How many cells it has.
        found: usize,
        /// How many the header has.
        expected: usize,
    },
    /// Bytes that are not UTF-8.
    #[error("{file}, line {line}: text that is not UTF-8; save the file as UTF-8")]
    Encoding {
        /// The file.
        file: String,
        /// The line.
        line: u64,
    },
    /// Two columns have one name.
    #[error(
        "{file}: columns {first} and {second} are both called `{name}`; give each column its own name"
    )]
    DuplicateColumn {
        /// The file.
        file: String,
        /// The name.
        name: String,
        /// Where it stands first, from 1.
        first: usize,
        /// Where it stands again, from 1.
        second: usize,
    },
    /// A column that was asked for is not there.
    #[error("{file} has no column `{name}`{}; it has: {}", hint(nearest.as_deref()), list(known))]
    NoSuchColumn {
        /// The file.
        file: String,
        /// The name that was given.
        name: String,
        /// The closest name there is.
        nearest: Option<String>,
        /// All columns.
        known: Vec<String>,
    },
    /// A column holds neither numbers nor times.
    #[error(
        "{file}: column `{column}` holds {found}, not numbers; leave it out, or name it as what tells series apart or as the time"
    )]
    ColumnType {
        /// The file.
        file: String,
        /// The column's name.
        column: String,
        /// What it holds.
        found: String,
    },
    /// No column is left to be a variable.
    #[error("{file} has no variable: every column is left out, a time or an id")]
    NoVariable {
        /// The file.
        file: String,
    },
    /// There are too few rows.
    #[error("{file} has {found} row(s) of data; expected at least 2, one per time")]
    TooFewRows {
        /// The file.
        file: String,
        /// How many rows there are.
        found: usize,
    },
    /// Times stand still or go back.
    #[error(
        "{file}, column `{column}`: time {later} does not come after {earlier}; sort the rows by time and leave out repeated ones, name the column that tells series apart if there are several, or count rows if the column is no time"
    )]
    TimeOrder {
        /// The file.
        file: String,
        /// The column's name.
        column: String,
        /// The time of the row before.
        earlier: Box<Moment>,
        /// The time that does not come after it.
        later: Box<Moment>,
    },
    /// Two rows are of one series and one time.
    #[error(
        "{file}: series `{id}` has two rows for time `{time}` ({first} and {second}); keep one of them"
    )]
    DuplicateRow {
        /// The file.
        file: String,
        /// The series.
        id: String,
        /// The time.
        time: String,
        /// The earlier row's place.
        first: Place,
        /// The later row's place.
        second: Place,
    },
    /// Two rows give one value, in a table with one row per value.
    #[error(
        "{file}: variable `{variable}`{} has two values for time `{time}` ({first} and {second}); keep one of them", of_series(id.as_deref())
    )]
    DuplicateValue {
        /// The file.
        file: String,
        /// The series, where there are several.
        id: Option<Box<str>>,
        /// The time.
        time: Box<str>,
        /// The variable.
        variable: Box<str>,
        /// The earlier row's place.
        first: Place,
        /// The later row's place.
        second: Place,
    },
    /// Times do not stand on even steps.
    #[error(
        "{file}, column `{column}`: times are not even: most are {typical} apart, but {later} comes {gap} after {earlier}; bring them to even steps, {every} (or :last, :sum), or count rows instead"
    )]
    Uneven {
        /// The file.
        file: String,
        /// The column's name.
        column: Box<str>,
        /// How far times are apart in the middle.
        typical: Box<str>,
        /// How far these two are.
        gap: Box<str>,
        /// The time before.
        earlier: Box<Moment>,
        /// The time that does not stand on a step.
        later: Box<Moment>,
        /// Steps that hold the times.
        every: Box<str>,
    },
    /// The holes in time are so long that the panel would be nearly empty.
    #[error(
        "{file}, column `{column}`: {times} times make {steps} steps of {step}, because {hole} of them are not there between `{from}` and `{to}`; look whether these times are right, take wider steps, leave one side out, or count rows instead"
    )]
    TooManyHoles {
        /// The file.
        file: Box<str>,
        /// The column's name.
        column: Box<str>,
        /// How many different times there are.
        times: usize,
        /// How many steps they would make.
        steps: usize,
        /// How far steps are apart.
        step: Box<str>,
        /// The time before the longest hole.
        from: Box<str>,
        /// The time after it.
        to: Box<str>,
        /// How many steps the longest hole has.
        hole: usize,
    },
    /// The series have so few times in common that the panel would be nearly empty.
    #[error(
        "{file}: {series} series have {times} different times and only {rows} rows, so nearly every cell would be missing; round the times to a common grid, or name no time to take the rows of each series in order"
    )]
    FewCommonTimes {
        /// The file.
        file: String,
        /// How many series.
        series: usize,
        /// How many times.
        times: usize,
        /// How many rows.
        rows: usize,
    },
    /// An array has the wrong type or shape.
    #[error("{file}: found an array of {found}; expected {expected}")]
    Array {
        /// The file.
        file: String,
        /// Its type or shape.
        found: String,
        /// What was expected, or what to do.
        expected: String,
    },
    /// The file holds several arrays, or not the one asked for.
    #[error("{file}: {problem}; name one of: {}", list(arrays))]
    WhichArray {
        /// The file.
        file: String,
        /// Why the choice is open.
        problem: String,
        /// All arrays that could be meant, with their shapes.
        arrays: Vec<String>,
    },
    /// The spreadsheet has no sheet of this name or number.
    #[error("{file}: {problem}; name one of them, by name or number: {}", list(sheets))]
    WhichSheet {
        /// The file.
        file: String,
        /// Why the choice is open.
        problem: String,
        /// All sheets, in order.
        sheets: Vec<String>,
    },
    /// The data were read, and the library refuses them.
    #[error("{file}: {reason}")]
    Data {
        /// The file.
        file: String,
        /// Why.
        #[source]
        reason: Box<dycausal::Error>,
    },
    /// The library refuses, and no file is at fault.
    #[error(transparent)]
    Library(Box<dycausal::Error>),
    /// The output folder is already there.
    #[error("{folder} already exists and is kept; have it replaced, or give another folder")]
    Exists {
        /// The folder.
        folder: String,
    },
    /// The output folder holds something that was not written here.
    #[error(
        "{folder} is not replaced in any case: it holds `{stranger}`, which was not written by dycausal; give another folder"
    )]
    NotOurs {
        /// The folder.
        folder: String,
        /// What does not belong to a run.
        stranger: String,
    },
    /// The system does not let us write.
    #[error("{path} cannot be written: {reason}")]
    Unwritable {
        /// The file or folder.
        path: String,
        /// What the system says.
        reason: String,
        /// Whether another path would help (as against a full disk).
        input: bool,
    },
    /// The folder is not that of a run.
    #[error("{folder} is not a run folder: {reason}; give the folder that a fit wrote")]
    NotARun {
        /// The folder.
        folder: String,
        /// What is missing or broken.
        reason: String,
    },
    /// What is to be shown together does not belong together.
    #[error("{what} do not belong to the graph: found {found}; expected {expected}")]
    OtherShape {
        /// The data or the true weights.
        what: &'static str,
        /// What they have.
        found: String,
        /// What the graph has.
        expected: String,
    },
}

impl Error {
    /// Whether what was given is at fault (rather than the system).
    pub fn is_input(&self) -> bool {
        match self {
            Self::Unwritable { input, .. } => *input,
            Self::Data { reason, .. } | Self::Library(reason) => reason.is_input(),
            _ => true,
        }
    }

    /// The settings that help, where there are any.
    pub fn remedies(&self) -> Vec<Remedy> {
        let of = |settings: &[&'static str]| settings.iter().copied().map(Remedy::of).collect();
        match self {
            Self::OtherColumns { .. } => of(&["columns"]),
            Self::OtherTimes { .. } => vec![Remedy::of("time"), Remedy::count_rows()],
            Self::UnknownFormat { setting, .. } => {
                setting.iter().copied().map(Remedy::of).collect()
            }
            Self::Malformed { expected, .. } | Self::Cell { expected, .. } => {
                expected.remedies.clone()
            }
            Self::NotApplicable { option, .. } | Self::OptionsTogether { option, .. } => {
                of(&[option])
            }
            Self::Endless { .. } => of(&["limit"]),
            Self::ColumnType { .. } => of(&["drop", "id", "time"]),
            Self::TimeOrder { .. } => vec![Remedy::of("id"), Remedy::count_rows()],
            Self::Uneven { every, .. } => {
                vec![Remedy::with("every", every.as_ref()), Remedy::count_rows()]
            }
            Self::TooManyHoles { .. } => vec![Remedy::of("every"), Remedy::count_rows()],
            Self::FewCommonTimes { .. } => of(&["time"]),
            Self::WhichArray { .. } => of(&["array"]),
            Self::WhichSheet { .. } => of(&["sheet"]),
            Self::Exists { .. } => of(&["force"]),
            Self::Data { reason, .. } | Self::Library(reason) => {
                reason.remedy().map(Remedy::of_library).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn unreadable(file: impl fmt::Display, reason: std::io::Error) -> Self {
        let file = file.to_string();
        let endless = reason.get_ref().and_then(|reason| reason.downcast_ref::<Endless>());
        match endless {
            Some(Endless { limit }) => Self::Endless { file, limit: *limit },
            None => Self::Unreadable { file, reason: reason.to_string() },
        }
    }

    pub(crate) fn malformed(
        file: impl fmt::Display,
        format: &'static str,
        found: impl Into<String>,
        expected: impl Into<Expected>,
    ) -> Self {
        let expected = Box::new(expected.into());
        let (file, found) = (file.to_string(), found.into());
        Self::Malformed { file, format, found, expected }
    }

    pub(crate) fn array(
        file: impl fmt::Display,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Array { file: file.to_string(), found: found.into(), expected: expected.into() }
    }

    pub(crate) fn data(file: impl fmt::Display, reason: dycausal::Error) -> Self {
        Self::Data { file: file.to_string(), reason: Box::new(reason) }
    }

    /// A path that cannot be written.
    pub fn unwritable(path: &std::path::Path, reason: &std::io::Error) -> Self {
        let input = matches!(
            reason.kind(),
            ErrorKind::PermissionDenied
                | ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::AlreadyExists
                | ErrorKind::ReadOnlyFilesystem
                | ErrorKind::InvalidFilename
                | ErrorKind::InvalidInput
        );
        Self::Unwritable { path: path.display().to_string(), reason: reason.to_string(), input }
    }
}

impl From<dycausal::Error> for Error {
    fn from(reason: dycausal::Error) -> Self {
        Self::Library(Box::new(reason))
    }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

fn of_series(id: Option<&str>) -> String {
    id.map_or_else(String::new, |id| format!(" of series `{id}`"))
}

fn ending(extension: &str) -> String {
    if extension.is_empty() { String::new() } else { format!(" `{extension}`") }
}

/// The names, cut after a screenful.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>();
    let rest = names.len() - shown.len();
    let more = match rest {
        0 => String::new(),
        _ => format!(", … ({rest} more)"),
    };
    shown.join(", ") + &more
}
