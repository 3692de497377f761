//! The natural logarithm: ln x. A change of 0.01 is about 1 %.

use super::column::Column;
use crate::error::{Error, Result};
use crate::panel::Panel;

/// Takes logarithms.
///
/// # Errors
/// If a value is not positive; with its place.
pub(super) fn log(column: &mut Column<'_>, panel: &Panel, variable: usize) -> Result<()> {
    let bad = column.0.indexed_iter().find(|(_, x)| **x <= 0.0);
    if let Some(((series, step), value)) = bad {
        return Err(Error::NotPositive {
            variable: panel.names()[variable].clone(),
            series: panel.series_names()[series].clone(),
            step,
            time: panel.times().label(step),
            value: *value,
        });
    }
    column.change(f64::ln);
    Ok(())
}
