//! What every part of the engine reads: columns, basis, moments, and what a group costs.

use std::ops::Range;

use super::forward::Stop;
use super::noise;
use super::variance::Curves;
use crate::moments::{Columns, Gram, TimeBasis};

/// Groups that a regression selects, at most.
const MOST_GROUPS: usize = 64;

/// The data of one search.
#[derive(Debug)]
pub(super) struct Problem {
    /// The rows.
    pub columns: Columns,
    /// How weights move.
    pub basis: TimeBasis,
    /// The collapsed moments.
    pub gram: Gram,
    /// Steps over which residuals are added up.
    pub bins: Vec<Range<usize>>,
    /// How the variance of noise may move.
    pub curves: Curves,
    /// Whether the shape of the noise counts.
    pub non_gaussian: bool,
}

impl Problem {
    /// The moments of the columns, and the bins of their noise.
    pub fn new(columns: Columns, basis: TimeBasis, non_gaussian: bool) -> Self {
        let gram = Gram::of(&columns, &basis);
        let bins = noise::bins(&columns);
        let curves = Curves::new(&columns, &bins);
        Self { columns, basis, gram, bins, curves, non_gaussian }
    }

    /// How many variables.
    pub fn variables(&self) -> usize {
        self.columns.variables()
    }

    /// B log n: what a group of columns costs.
    pub fn penalty(&self) -> f64 {
        self.basis.size() as f64 * self.columns.rows().ln()
    }

    /// Stop when a group gains less than `share` of its cost.
    pub fn stop(&self, share: f64) -> Stop {
        // Never more coefficients than a third of the rows: beyond that a fit says nothing.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        let by_rows = (self.columns.rows() / 3.0) as usize / self.basis.size();
        Stop {
            rows: self.columns.rows(),
            penalty: share * self.penalty(),
            most: MOST_GROUPS.min(by_rows.max(1)).min(self.columns.size()),
        }
    }
}
