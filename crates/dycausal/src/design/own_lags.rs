//! How far back each variable remembers itself.

use rayon::prelude::*;

use super::columns::Columns;
use super::score_test::NullRegression;
use crate::thresholds::MOST_ROWS_FOR_OWN_LAGS;

/// Own lags that are looked at, at most.
const MOST: usize = 12;

/// The most own lags that series of this length are asked about: a tenth of it, or a fifth up to 4.
pub(crate) fn most_own_lags(steps: usize) -> usize {
    MOST.min((steps / 10).max(4.min(steps / 5)))
}

/// The order of each variable's autoregression on itself alone by n log s² + p log n.
///
/// Where only moments are known, no lags beyond theirs are.
pub(crate) fn own_orders(columns: &Columns) -> Vec<usize> {
    let orders = |v: usize| {
        if columns.are_of_moments() {
            return columns.lag();
        }
        let cap = most_own_lags(columns.all_steps());
        let rows = |back: usize| {
            let values = columns.lagged(v, back, cap);
            let every = values.len().div_ceil(MOST_ROWS_FOR_OWN_LAGS).max(1);
            values.iter().copied().step_by(every).collect::<Vec<f64>>()
        };
        let mut null = NullRegression::new(rows(0));
        null.fewest(cap, |null, lag| {
            null.include(&rows(lag));
        })
    };
    (0..columns.variables()).into_par_iter().map(orders).collect()
}
