//! One data set with its truth.

use dycausal::Panel;
use ndarray::{Array2, ArrayViewMut1, Axis};

use crate::error::Result;

/// Series and which variable causes which.
#[derive(Debug, Clone)]
pub struct Case {
    /// The group, which is the name of its folder.
    pub group: String,
    /// Its name in the group.
    pub name: String,
    /// The series.
    pub panel: Panel,
    /// Truth\[from, to\] of all series together.
    pub truth: Array2<bool>,
    /// Truth of each series, where it differs; else empty.
    pub truths: Vec<Array2<bool>>,
    /// Subsets of the variables that are looked at one by one; none: all variables at once.
    pub subsets: Vec<Vec<usize>>,
}

impl Case {
    /// Truth\[from, to\] of one series.
    pub fn truth_of(&self, series: usize) -> &Array2<bool> {
        self.truths.get(series).unwrap_or(&self.truth)
    }
}

/// The panel with every column at mean 0 and standard deviation 1: within each series, or over all.
/// A column that does not move is centred only.
///
/// # Errors
/// As [`Panel::new`]: a defect.
pub fn standardised(panel: &Panel, each: bool) -> Result<Panel> {
    let mut values = panel.values().to_owned();
    if each {
        for mut series in values.axis_iter_mut(Axis(0)) {
            for column in series.axis_iter_mut(Axis(1)) {
                unit(column);
            }
        }
    } else {
        for (summary, mut column) in panel.summaries().iter().zip(values.axis_iter_mut(Axis(2))) {
            let sd = if summary.sd > 0.0 { summary.sd } else { 1.0 };
            column.mapv_inplace(|x| (x - summary.mean) / sd);
        }
    }
    Ok(Panel::new(values, panel.names().to_vec())?)
}

fn unit(mut column: ArrayViewMut1<'_, f64>) {
    let present: Vec<f64> = column.iter().copied().filter(|x| !x.is_nan()).collect();
    let count = present.len().max(1) as f64;
    let mean = present.iter().sum::<f64>() / count;
    let sd = (present.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    let sd = if sd > 0.0 { sd } else { 1.0 };
    column.mapv_inplace(|x| (x - mean) / sd);
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn columns_are_standardised_within_series_or_over_all() {
        let values =
            Array3::from_shape_fn(
                (2, 3, 2),
                |(n, t, v)| {
                    if v == 1 { 5.0 } else { (10 * n + t) as f64 }
                },
            );
        let panel = Panel::unnamed(values).unwrap();
        let each = standardised(&panel, true).unwrap();
        assert!((each.values()[[1, 2, 0]] - 1.5f64.sqrt()).abs() < 1e-12);
        assert_eq!(each.values()[[0, 0, 1]], 0.0);
        let all = standardised(&panel, false).unwrap();
        assert!(all.values()[[0, 2, 0]] < 0.0 && all.values()[[1, 0, 0]] > 0.0);
    }
}
