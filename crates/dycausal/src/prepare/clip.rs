//! Outliers held back: no further from the median than k standard deviations, these told by the median
//! absolute deviation times 1.4826 (which is the standard deviation of a Gaussian).

use super::column::{Column, median};

/// From median deviation to standard deviation.
const GAUSSIAN: f64 = 1.4826;

/// Holds values back; gives the bounds, and how many were beyond them.
pub(super) fn clip(column: &mut Column<'_>, sd: f64) -> ([f64; 2], usize) {
    let [low, high] = bounds(column, sd);
    let beyond = column.known().filter(|x| *x < low || *x > high).count();
    column.change(|x| x.clamp(low, high));
    ([low, high], beyond)
}

/// The bounds; where half of all values are the same, none.
pub(crate) fn bounds(column: &Column<'_>, sd: f64) -> [f64; 2] {
    let sorted = column.sorted();
    let middle = median(&sorted);
    let mut away: Vec<f64> = sorted.iter().map(|x| (x - middle).abs()).collect();
    away.sort_by(f64::total_cmp);
    let reach = sd * GAUSSIAN * median(&away);
    if reach > 0.0 { [middle - reach, middle + reach] } else { [f64::MIN, f64::MAX] }
}
