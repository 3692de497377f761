//! Mean 0 and standard deviation 1, over all series: (x − mean) / sd.

use super::column::Column;

/// Gives the mean and the standard deviation; a column that does not move only loses its mean.
pub(super) fn standardise(column: &mut Column<'_>) -> [f64; 2] {
    let (mean, sd) = (column.mean(), column.sd());
    let unit = if sd > 0.0 { sd } else { 1.0 };
    column.change(|x| (x - mean) / unit);
    [mean, unit]
}
