//! The linear model whose weights move along a basis, and whose noise may.
//!
//! s(i, P) = L + B log n · |parents| − 2 n J, where the parents are chosen among the candidates of
//! i in P and at earlier steps by grow-and-shrink with the same cost, L is n log s² or, where that
//! is less, what a variance that moves gives with its own cost (see [`variance`]), and J how far
//! the residuals are from Gaussian (see [`noise`]). Quickly known is n log s² + B log n · |parents|,
//! which the moments tell. Multiplying a column by a constant adds the same to every s(i, ·).

pub(crate) mod forward;
mod kernels;
mod local_score;
pub(crate) mod noise;
mod part;
mod row_terms;
pub(crate) mod shrink;
pub(crate) mod step_grams;
pub(crate) mod variance;

use std::ops::Range;

use self::forward::Stop;
use self::variance::Curves;
use crate::error::Result;
use crate::method::Cancel;
use crate::moments::{Columns, Gram, TimeBasis};

/// Groups that a regression selects, at most.
const MOST_GROUPS: usize = 64;
/// Rows that a coefficient has, at least: with fewer a fit says little, and takes long.
const ROWS_PER_COEFFICIENT: f64 = 16.0;

/// The data of one search: columns, basis, moments, and what a group costs.
#[derive(Debug)]
pub(crate) struct LinearScore {
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
    /// Whether to go on.
    pub cancel: Cancel,
}

impl LinearScore {
    /// The moments of the columns, and the bins of their noise.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn new(
        columns: Columns,
        basis: TimeBasis,
        non_gaussian: bool,
        cancel: &Cancel,
    ) -> Result<Self> {
        let gram = Gram::of(&columns, &basis, cancel)?;
        let bins = noise::bins(&columns);
        let curves = Curves::new(&columns, &bins);
        let cancel = cancel.clone();
        Ok(Self { columns, basis, gram, bins, curves, non_gaussian, cancel })
    }

    /// B log n: what a group of columns costs.
    pub fn penalty(&self) -> f64 {
        self.basis.size() as f64 * self.columns.rows().ln()
    }

    /// Stop when a group gains less than `share` of its cost; so many groups are required.
    pub fn stop(&self, share: f64, required: usize) -> Stop {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        let by_rows = (self.columns.rows() / ROWS_PER_COEFFICIENT) as usize / self.basis.size();
        Stop {
            rows: self.columns.rows(),
            penalty: share * self.penalty(),
            most: MOST_GROUPS.min(by_rows.max(1)).max(required).min(self.columns.size()),
        }
    }
}
