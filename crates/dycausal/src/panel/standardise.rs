//! Panels without units: (x − mean) / sd.

use ndarray::Axis;

use super::{Panel, Summary};
use crate::error::Result;

impl Panel {
    /// The panel with every variable at mean 0 and standard deviation 1 over all series, and what each was
    /// divided by ([`Summary::unit`]); a variable that does not move only loses its mean.
    ///
    /// ```
    /// use dycausal::Panel;
    /// use ndarray::array;
    ///
    /// let panel = Panel::unnamed(array![[[1.0, 5.0], [3.0, 5.0]]])?;
    /// let (standardised, units) = panel.standardised()?;
    /// assert_eq!(standardised.values(), array![[[-1.0, 0.0], [1.0, 0.0]]]);
    /// assert_eq!(units, [1.0, 1.0]);
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    ///
    /// # Errors
    /// If values are so large that they have no standard deviation.
    pub fn standardised(&self) -> Result<(Self, Vec<f64>)> {
        let summaries = self.summaries();
        let mut values = self.values().to_owned();
        for (summary, mut column) in summaries.iter().zip(values.axis_iter_mut(Axis(2))) {
            column.mapv_inplace(|x| (x - summary.mean) / summary.unit());
        }
        Ok((self.with_values(values)?, summaries.iter().map(Summary::unit).collect()))
    }

    /// The same within each series.
    ///
    /// # Errors
    /// As [`Panel::standardised`].
    pub fn standardised_by_series(&self) -> Result<Self> {
        let mut values = self.values().to_owned();
        for mut series in values.axis_iter_mut(Axis(0)) {
            for mut column in series.axis_iter_mut(Axis(1)) {
                let summary = Summary::of(column.iter().copied());
                column.mapv_inplace(|x| (x - summary.mean) / summary.unit());
            }
        }
        self.with_values(values)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn columns_are_standardised_over_all_series_or_within_each() {
        let value = |(n, t, v)| if v == 1 { 0.1 } else { (10 * n + t) as f64 };
        let panel = Panel::unnamed(Array3::from_shape_fn((2, 3, 2), value)).unwrap();
        let each = panel.standardised_by_series().unwrap();
        assert!((each.values()[[1, 2, 0]] - 1.5f64.sqrt()).abs() < 1e-12);
        assert!(each.values()[[0, 0, 1]].abs() < 1e-15, "a constant has no standard deviation");
        let (all, units) = panel.standardised().unwrap();
        assert!(all.values()[[0, 2, 0]] < 0.0 && all.values()[[1, 0, 0]] > 0.0);
        assert_eq!(units[1], 1.0);
    }
}
