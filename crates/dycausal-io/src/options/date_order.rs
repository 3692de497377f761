//! Whether the day or the month stands first.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Which part of `03/04/2021` is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    /// The first: 3 April.
    DayFirst,
    /// The second: 4 March.
    MonthFirst,
}

impl fmt::Display for DateOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DayFirst => "day-first",
            Self::MonthFirst => "month-first",
        })
    }
}

impl FromStr for DateOrder {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        [Self::DayFirst, Self::MonthFirst]
            .into_iter()
            .find(|order| order.to_string() == text)
            .ok_or_else(|| {
                dycausal::Error::parameter("dates", text, "day-first or month-first").into()
            })
    }
}
