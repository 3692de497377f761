//! The change over so many steps: x_t − x_{t−k}, in each series; missing where either is.

use super::column::Column;

pub(super) fn difference(column: &mut Column<'_>, steps: usize) {
    column.each_series(|values| {
        for t in (steps..values.len()).rev() {
            values[t] -= values[t - steps];
        }
        let lost = steps.min(values.len());
        values[..lost].fill(f64::NAN);
    });
}
