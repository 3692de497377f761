//! One column of a panel while it is prepared.

use ndarray::{ArrayViewMut2, Axis};

/// Values\[series, step\] of a column; NaN is missing.
pub(crate) struct Column<'a>(pub ArrayViewMut2<'a, f64>);

impl Column<'_> {
    /// All values that are there.
    pub fn known(&self) -> impl Iterator<Item = f64> + Clone {
        self.0.iter().copied().filter(|x| !x.is_nan())
    }

    /// Changes every value that is there.
    pub fn change(&mut self, new: impl Fn(f64) -> f64) {
        self.0.iter_mut().filter(|x| !x.is_nan()).for_each(|x| *x = new(*x));
    }

    /// Each series by itself.
    pub fn each_series(&mut self, mut change: impl FnMut(&mut [f64])) {
        for mut series in self.0.axis_iter_mut(Axis(0)) {
            let mut values = series.to_vec();
            change(&mut values);
            series.iter_mut().zip(values).for_each(|(x, new)| *x = new);
        }
    }

    /// Values that are there, in increasing order.
    pub fn sorted(&self) -> Vec<f64> {
        let mut known: Vec<f64> = self.known().collect();
        known.sort_by(f64::total_cmp);
        known
    }

    /// The mean of what is there.
    pub fn mean(&self) -> f64 {
        let (count, sum) = self.known().fold((0.0, 0.0), |(count, sum), x| (count + 1.0, sum + x));
        if count > 0.0 { sum / count } else { f64::NAN }
    }
}

/// The middle of sorted values.
pub(super) fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => sorted[count / 2],
        count => f64::midpoint(sorted[count / 2 - 1], sorted[count / 2]),
    }
}
