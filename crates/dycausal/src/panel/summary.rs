//! Count, range, mean and standard deviation of every variable.

use ndarray::{ArrayView3, Axis, Slice};
use rayon::prelude::*;

use super::Panel;

/// Variables whose values are read together: several lines of the cache, and a part of a row for each thread.
const TOGETHER: usize = 128;

/// What the values of one variable look like over all series and steps, missing cells left out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// How many values there are.
    pub count: usize,
    /// The smallest; infinite without values.
    pub low: f64,
    /// The largest; minus infinity without values.
    pub high: f64,
    /// The mean; 0 without values.
    pub mean: f64,
    /// The standard deviation (divided by the count); 0 without values.
    pub sd: f64,
}

impl Summary {
    const EMPTY: Self =
        Self { count: 0, low: f64::INFINITY, high: f64::NEG_INFINITY, mean: 0.0, sd: 0.0 };

    /// Of values that are looked at twice; missing ones are left out.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let known = values.filter(|x| !x.is_nan());
        let mut summary = Self::EMPTY;
        known.clone().for_each(|x| summary.count_in(x));
        summary.mean /= summary.count.max(1) as f64;
        known.for_each(|x| summary.sd += (x - summary.mean).powi(2));
        summary.finish();
        summary
    }

    fn count_in(&mut self, x: f64) {
        self.count += 1;
        self.low = self.low.min(x);
        self.high = self.high.max(x);
        self.mean += x;
    }

    /// From squared distances to the standard deviation; what rounding leaves of a constant is none.
    fn finish(&mut self) {
        let variance = self.sd / self.count.max(1) as f64;
        self.sd = if self.is_constant() { 0.0 } else { variance.sqrt() };
    }

    /// What values are divided by to have standard deviation 1: 1 where they do not move.
    pub fn unit(&self) -> f64 {
        if self.sd > 0.0 { self.sd } else { 1.0 }
    }

    /// Whether there are values, and all are the same.
    pub fn is_constant(&self) -> bool {
        self.count > 0 && self.low == self.high
    }
}

impl Panel {
    /// A summary of each variable. Rows are read in the order in which they lie in memory.
    pub fn summaries(&self) -> Vec<Summary> {
        let mut all = vec![Summary::EMPTY; self.variables()];
        all.par_chunks_mut(TOGETHER).enumerate().for_each(|(part, some)| {
            let start = part * TOGETHER;
            let own = self.values.slice_axis(Axis(2), Slice::from(start..start + some.len()));
            summarise(own, some);
        });
        all
    }
}

/// Fills in the summaries of some variables.
fn summarise(values: ArrayView3<'_, f64>, some: &mut [Summary]) {
    each_value(values, some, Summary::count_in);
    for summary in &mut *some {
        summary.mean /= summary.count.max(1) as f64;
    }
    // The second pass counts from the mean, so that a large mean costs no precision.
    each_value(values, some, |summary, x| summary.sd += (x - summary.mean).powi(2));
    some.iter_mut().for_each(Summary::finish);
}

fn each_value(
    values: ArrayView3<'_, f64>,
    summaries: &mut [Summary],
    add: impl Fn(&mut Summary, f64),
) {
    for row in values.rows() {
        for (x, summary) in row.iter().zip(&mut *summaries) {
            if !x.is_nan() {
                add(summary, *x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn missing_cells_are_left_out() {
        let nan = f64::NAN;
        let values = array![[[1.0, 2.0, nan], [3.0, 2.0, nan]], [[5.0, 2.0, nan], [nan, 2.0, nan]]];
        let panel = Panel::unnamed(values).unwrap();
        let [first, second, third] = panel.summaries()[..] else { panic!() };
        assert_eq!((first.count, first.low, first.high, first.mean), (3, 1.0, 5.0, 3.0));
        assert!((first.sd - (8.0f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!(second.is_constant() && !first.is_constant() && !third.is_constant());
        assert_eq!(third, Summary::EMPTY);
    }

    #[test]
    fn a_large_mean_costs_no_precision() {
        let panel = Panel::unnamed(array![[[1e9 + 1.0], [1e9 + 2.0], [1e9 + 3.0]]]).unwrap();
        assert!((panel.summaries()[0].sd - (2.0f64 / 3.0).sqrt()).abs() < 1e-9);
    }
}
