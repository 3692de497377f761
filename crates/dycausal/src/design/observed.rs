//! Which cells were observed, where others were filled.

use std::ops::Range;

use super::partition::Partition;

/// Parts of time whose mean squares are compared.
const PARTS: usize = 8;
/// The largest ratio of mean squares of two parts where variances are taken to stay alike.
const EVEN: f64 = 4.0;

/// Observed\[variable\]\[step\]\[series\].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Observed {
    series: usize,
    steps: usize,
    cells: Vec<bool>,
    /// The variance that is left of each cell: 0 where it was observed.
    left: Vec<f64>,
    even: bool,
}

impl Observed {
    /// Of values\[variable\]\[step\]\[series\], NaN where a cell is missing.
    pub fn of(values: &[f64], series: usize, steps: usize) -> Self {
        let cells: Vec<bool> = values.iter().map(|x| !x.is_nan()).collect();
        let even =
            values.chunks_exact(series * steps).all(|column| has_steady_variance(column, series));
        Self { series, steps, left: vec![0.0; cells.len()], cells, even }
    }

    /// Whether every variable is about as large at all times: only then is what filling leaves known step by
    /// step. Bins of time say it on average, which is far too much somewhere in a bin if values explode in it.
    pub fn has_steady_variance(&self) -> bool {
        self.even
    }

    /// The same, with the variance that filling leaves of each cell.
    pub fn with_left(self, left: Vec<f64>) -> Self {
        Self { left, ..self }
    }

    /// A variable `back` steps before each row from step `first` on.
    pub fn lagged(&self, variable: usize, back: usize, first: usize) -> &[bool] {
        &self.cells[self.range(variable, back, first)]
    }

    /// The variance that is left of a variable `back` steps before each row from step `first` on.
    pub fn left(&self, variable: usize, back: usize, first: usize) -> &[f64] {
        &self.left[self.range(variable, back, first)]
    }

    fn range(&self, variable: usize, back: usize, first: usize) -> Range<usize> {
        let start = (variable * self.steps + first - back) * self.series;
        start..start + (self.steps - first) * self.series
    }

    /// All cells.
    pub fn cells(&self) -> &[bool] {
        &self.cells
    }

    /// The same with variables in the order of the numbers that they had `before`.
    pub fn sorted(&self, before: &[usize]) -> Self {
        let cells = before.iter().flat_map(|v| self.lagged(*v, 0, 0)).copied().collect();
        let left = before.iter().flat_map(|v| self.left(*v, 0, 0)).copied().collect();
        Self { cells, left, ..*self }
    }
}

fn has_steady_variance(column: &[f64], series: usize) -> bool {
    let steps = column.len() / series;
    let mean_square = |part: Range<usize>| {
        let known = column[part.start * series..part.end * series].iter().filter(|x| !x.is_nan());
        let (sum, count) = known.fold((0.0, 0.0), |(sum, count), x| (sum + x * x, count + 1.0));
        (count > 0.0).then(|| sum / count)
    };
    let (least, most) = Partition::stretches(PARTS, steps)
        .ranges()
        .filter_map(mean_square)
        .fold((f64::INFINITY, 0.0f64), |(least, most), s| (least.min(s), most.max(s)));
    most <= EVEN * least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_explode_are_not_even() {
        let noise = |k: usize| (k * k * 7919 % 1009) as f64 / 1009.0 - 0.5;
        let steady: Vec<f64> = (0..160).map(noise).collect();
        let mut values: Vec<f64> = steady.clone();
        values[3] = f64::NAN;
        assert!(Observed::of(&values, 2, 80).has_steady_variance());
        let growing: Vec<f64> =
            steady.iter().enumerate().map(|(k, x)| x * (k as f64 / 40.0).exp()).collect();
        assert!(!Observed::of(&growing, 2, 80).has_steady_variance());
    }
}
