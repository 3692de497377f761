//! What is done about cells that are missing, and how many there are.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::filled::fill_missing;
use super::rows::UsableRows;
use crate::error::Result;
use crate::panel::Panel;
use crate::run::Run;

/// What a method does about cells that are missing.
///
/// Rows of which nothing was observed (ends of series of unequal length, holes in time) are never
/// filled, and no lag reaches across them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Cells are filled from those around them.
    #[default]
    Fill,
    /// Only rows count whose cells are all there, at every lag.
    #[serde(alias = "complete-rows")]
    CompleteRows,
}

impl Missing {
    /// What it is for, in the lists of parameters.
    pub const PURPOSE: &'static str = "what is done about missing cells";
    /// The values it may have, in the lists of parameters.
    pub const RANGE: &'static str = "fill (from the cells around them) or complete_rows";

    /// The word in files and parameters.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::CompleteRows => "complete_rows",
        }
    }

    /// The panel that a method reads which asks for nothing but values.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn usable<'a>(self, panel: &'a Panel, run: &mut Run) -> Result<Cow<'a, Panel>> {
        if self == Self::CompleteRows || panel.missing() == 0 {
            return Ok(Cow::Borrowed(panel));
        }
        run.stage("missing cells", None);
        Ok(Cow::Owned(fill_missing(panel, run)?.panel))
    }
}

/// Cells that are missing, and what was done about them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MissingCells {
    /// What was done.
    pub how: Missing,
    /// Cells that are missing.
    pub missing: usize,
    /// Of these, cells that were filled.
    pub filled: usize,
    /// Rows (a step of a series) that were left out: those of which nothing was observed, or with
    /// complete rows those that miss a cell.
    pub rows_left_out: usize,
}

impl MissingCells {
    /// Counts the cells of a panel; `None` where none is missing.
    pub fn of(panel: &Panel, how: Missing) -> Option<Self> {
        if panel.missing() == 0 {
            return None;
        }
        let rows_left_out = panel.series() * panel.steps() - UsableRows::of(panel, how).count(0);
        let filled = match how {
            Missing::Fill => panel.missing() - rows_left_out * panel.variables(),
            Missing::CompleteRows => 0,
        };
        Some(Self { how, missing: panel.missing(), filled, rows_left_out })
    }

    /// The same in words.
    pub fn words(&self) -> String {
        let Self { missing, filled, rows_left_out, .. } = self;
        let rows = match (self.how, rows_left_out) {
            (_, 0) => String::new(),
            (Missing::Fill, n) => format!("; {n} rows of which nothing was observed were left out"),
            (Missing::CompleteRows, n) => format!("; {n} rows that miss a cell were left out"),
        };
        format!("of {missing} missing cells {filled} were filled from the cells around them{rows}")
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn rows_of_which_nothing_was_observed_are_not_filled() {
        let mut values = Array3::<f64>::ones((2, 6, 3));
        values[[0, 1, 1]] = f64::NAN;
        (0..3).for_each(|v| values[[1, 5, v]] = f64::NAN);
        let panel = Panel::unnamed(values).unwrap();
        let how = Missing::Fill;
        let expected = MissingCells { how, missing: 4, filled: 1, rows_left_out: 1 };
        assert_eq!(MissingCells::of(&panel, how), Some(expected));
        let dropped = MissingCells::of(&panel, Missing::CompleteRows).unwrap();
        assert_eq!((dropped.filled, dropped.rows_left_out), (0, 2));
        assert_eq!(MissingCells::of(&Panel::unnamed(Array3::ones((1, 3, 2))).unwrap(), how), None);
    }

    #[test]
    fn both_spellings_are_read() {
        for text in ["\"complete_rows\"", "\"complete-rows\""] {
            assert_eq!(serde_json::from_str::<Missing>(text).unwrap(), Missing::CompleteRows);
        }
        assert_eq!(serde_json::to_string(&Missing::Fill).unwrap(), "\"fill\"");
    }
}
