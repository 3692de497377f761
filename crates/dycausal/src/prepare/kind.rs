//! The preparations there are.

use std::fmt;

use crate::error::{Error, Result, nearest};

/// A preparation of one column; a new one is a variant here and a file beside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// The natural logarithm.
    Log,
    /// The change over so many steps.
    Difference(usize),
    /// Without its straight line in time.
    Detrend,
    /// Without the mean of each place in a cycle of so many steps.
    Deseason(usize),
    /// No further from the median than so many standard deviations, told by the median deviation.
    Clip(f64),
    /// Normal scores of ranks.
    Rank,
    /// Mean 0 and standard deviation 1.
    Standardise,
}

/// Words, and what each may be given in brackets.
const WORDS: [(&str, &str); 7] = [
    ("log", ""),
    ("difference", "(steps)"),
    ("detrend", ""),
    ("deseason", "(steps)"),
    ("clip", "(sd)"),
    ("rank", ""),
    ("standardise", ""),
];

impl Kind {
    /// Reads `log`, `difference`, `difference(12)`, `deseason(7)`, `clip(4)`, …
    ///
    /// # Errors
    /// If the word is not known, or what stands in brackets is none of its numbers.
    pub fn read(text: &str) -> Result<Self> {
        let (word, number) = match text.split_once('(') {
            Some((word, rest)) => match rest.strip_suffix(')') {
                Some(number) => (word.trim(), Some(number.trim())),
                None => return Err(refused(text, "a bracket that is closed")),
            },
            None => (text.trim(), None),
        };
        let steps = |least: usize, usual: Option<usize>| {
            let given = number.map_or(usual, |number| number.parse().ok());
            let expected = format!("{word}(STEPS), with {least} steps or more");
            given.filter(|steps| *steps >= least).ok_or_else(|| refused(text, &expected))
        };
        let plain = |kind: Self| match number {
            Some(_) => Err(refused(text, &format!("`{word}` without a number"))),
            None => Ok(kind),
        };
        match word {
            "log" => plain(Self::Log),
            "difference" => steps(1, Some(1)).map(Self::Difference),
            "detrend" => plain(Self::Detrend),
            "deseason" => steps(2, None).map(Self::Deseason),
            "clip" => {
                let given = number.map_or(Some(4.0), |number| number.parse().ok());
                let wide = given.filter(|sd: &f64| *sd >= 1.0 && sd.is_finite());
                wide.map(Self::Clip).ok_or_else(|| refused(text, "clip(SD), with 1 or more"))
            }
            "rank" => plain(Self::Rank),
            "standardise" | "standardize" => plain(Self::Standardise),
            _ => Err(unknown(word)),
        }
    }

    /// Steps at the beginning that are lost.
    pub fn lost(self) -> usize {
        if let Self::Difference(steps) = self { steps } else { 0 }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log => write!(to, "log"),
            Self::Difference(1) => write!(to, "difference"),
            Self::Difference(steps) => write!(to, "difference({steps})"),
            Self::Detrend => write!(to, "detrend"),
            Self::Deseason(steps) => write!(to, "deseason({steps})"),
            Self::Clip(sd) => write!(to, "clip({sd})"),
            Self::Rank => write!(to, "rank"),
            Self::Standardise => write!(to, "standardise"),
        }
    }
}

pub(super) fn refused(found: &str, expected: &str) -> Error {
    Error::parameter("prepare", found, expected)
}

fn unknown(word: &str) -> Error {
    let near = nearest(word, WORDS.iter().map(|(known, _)| *known));
    let hint = near.map(|near| format!("`{near}` (did you mean it?), or ")).unwrap_or_default();
    let known: Vec<String> = WORDS.iter().map(|(known, more)| format!("{known}{more}")).collect();
    refused(word, &format!("{hint}one of {}", known.join(", ")))
}
