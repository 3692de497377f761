//! Long series in pieces of time, in which functions of time are taken to stay as they are.
//!
//! Within one of a thousand pieces a function of time hardly changes. Rows of a piece are then what the
//! series of a step are to a panel: products are added up once per piece, and functions multiplied in
//! afterwards, so that work does not grow with steps times functions.

/// Rows of a step from which on steps are quick to work with as they are.
const MANY_SERIES: usize = 8;
/// Steps up to which each counts on its own.
const SHORT: usize = 8192;
/// Pieces of a longer series, at most.
const PIECES: usize = 1024;

/// The pieces of a series; steps count from the first that has rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pieces {
    steps: usize,
    /// Steps of a piece; the last may have fewer.
    pub each: usize,
}

impl Pieces {
    /// The pieces of so many steps; each step is one where there are few, or many series.
    pub fn of(steps: usize, series: usize) -> Self {
        let long = series < MANY_SERIES && steps > SHORT;
        Self { steps, each: if long { steps.div_ceil(PIECES) } else { 1 } }
    }

    /// How many pieces.
    pub fn count(self) -> usize {
        self.steps.div_ceil(self.each)
    }

    /// The step in the middle of a piece.
    pub fn middle(self, piece: usize) -> usize {
        (piece * self.each + self.each / 2).min(self.steps - 1)
    }

    /// Whether a piece has several steps.
    pub fn are_long(self) -> bool {
        self.each > 1
    }
}
