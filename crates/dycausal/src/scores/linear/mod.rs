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
mod row_terms;
mod rows;
mod screen;
pub(crate) mod shrink;
mod slabs;
pub(crate) mod step_grams;
mod together;
pub(crate) mod variance;

use std::ops::Range;

use self::forward::Stop;
use self::rows::FromRows;
use self::variance::VarianceCurves;
use crate::design::Columns;
use crate::error::Result;
use crate::moments::{Gram, TimeBasis, pairs};
use crate::run::Cancel;

/// Groups that a regression selects, at most.
const MOST_GROUPS: usize = 64;
/// Rows that a coefficient has, at least: with fewer a fit says little, and takes long.
const ROWS_PER_COEFFICIENT: f64 = 16.0;

/// Bytes of the moments of all pairs of columns, above which they are added up from the rows where they are
/// asked for.
const MOST_MOMENTS: f64 = 192e6;

/// Where the moments of columns come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// Those of all pairs are known.
    All(Gram),
    /// They are added up from the rows.
    Rows(Box<FromRows>),
}

impl Source {
    /// Bytes of the moments of all pairs of so many columns.
    pub fn bytes_of_all(columns: f64, basis: usize) -> f64 {
        8.0 * columns * columns * pairs(basis) as f64
    }

    /// Whether moments of so many columns come from the rows.
    pub fn is_rows(columns: f64, basis: usize) -> bool {
        Self::bytes_of_all(columns, basis) > MOST_MOMENTS
    }
}

/// The data of one search: columns, basis, moments, and what a group costs.
#[derive(Debug)]
pub(crate) struct LinearScore {
    /// The rows.
    pub columns: Columns,
    /// How weights move.
    pub basis: TimeBasis,
    /// Where moments come from.
    pub source: Source,
    /// Steps over which residuals are added up.
    pub bins: Vec<Range<usize>>,
    /// How the variance of noise may move.
    pub curves: VarianceCurves,
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
        if Source::is_rows(columns.size() as f64, basis.size()) {
            return Ok(Self::from_rows(columns, basis, non_gaussian, cancel));
        }
        let source = Source::All(Gram::of(&columns, &basis, cancel)?);
        Ok(Self::with(columns, basis, source, non_gaussian, cancel))
    }

    /// The same without moments of all pairs, which take more memory than rows where columns are many.
    pub fn from_rows(
        columns: Columns,
        basis: TimeBasis,
        non_gaussian: bool,
        cancel: &Cancel,
    ) -> Self {
        let source = Source::Rows(Box::new(FromRows::new(&columns, &basis)));
        Self::with(columns, basis, source, non_gaussian, cancel)
    }

    fn with(
        columns: Columns,
        basis: TimeBasis,
        source: Source,
        non_gaussian: bool,
        cancel: &Cancel,
    ) -> Self {
        let bins = noise::bins(&columns);
        let curves = VarianceCurves::new(&columns, &bins);
        let cancel = cancel.clone();
        Self { columns, basis, source, bins, curves, non_gaussian, cancel }
    }

    /// Lets go of what only a search asks for; the columns stay.
    pub fn forget(&mut self) {
        if let Source::Rows(rows) = &mut self.source {
            rows.forget();
        }
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
