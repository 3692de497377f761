//! The mark before the fraction of a number.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The mark before the fraction of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decimal {
    /// `1.5`; commas, where there are any, group thousands.
    Point,
    /// `1,5`; points, where there are any, group thousands.
    Comma,
}

impl Decimal {
    /// The byte that it is.
    pub(crate) fn mark(self) -> u8 {
        match self {
            Self::Point => b'.',
            Self::Comma => b',',
        }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Point => "point",
            Self::Comma => "comma",
        })
    }
}

impl FromStr for Decimal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        [Self::Point, Self::Comma]
            .into_iter()
            .find(|decimal| decimal.to_string() == text)
            .ok_or_else(|| dycausal::Error::parameter("decimal", text, "point or comma").into())
    }
}
