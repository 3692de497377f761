//! What is asked for of a file that is read.

mod date_order;
mod decimal;

use dycausal::calendar::Every;
use serde::{Deserialize, Serialize};

pub use date_order::DateOrder;
pub use decimal::Decimal;

use crate::format::Format;

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
