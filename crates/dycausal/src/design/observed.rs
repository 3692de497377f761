//! Which cells were observed, where others were filled.

use std::ops::Range;

/// Observed\[variable\]\[step\]\[series\].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Observed {
    series: usize,
    steps: usize,
    cells: Vec<bool>,
    /// The variance that is left of each cell: 0 where it was observed.
    left: Vec<f64>,
}

impl Observed {
    /// Of values\[variable\]\[step\]\[series\], NaN where a cell is missing.
    pub fn of(values: &[f64], series: usize, steps: usize) -> Self {
        let cells: Vec<bool> = values.iter().map(|x| !x.is_nan()).collect();
        Self { series, steps, left: vec![0.0; cells.len()], cells }
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
