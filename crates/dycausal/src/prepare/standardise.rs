//! Mean 0 and standard deviation 1, over all series: (x − mean) / sd.

use super::column::Column;
use crate::panel::Summary;

/// Gives the mean and the standard deviation; a column that does not move only loses its mean.
pub(super) fn standardise(column: &mut Column<'_>) -> [f64; 2] {
    let summary = Summary::of(column.known());
    let (mean, unit) = (summary.mean, summary.unit());
    column.change(|x| (x - mean) / unit);
    [mean, unit]
}
