//! Which rows count: those whose cells are all there, at every lag.

use ndarray::{Axis, s};
use rayon::prelude::*;

use crate::panel::Panel;

/// For every series and step, whether all of its variables were observed.
///
/// The one place that says what a complete row is: moments, columns, `inspect` and the residual
/// checks ask here.
#[derive(Debug, Clone)]
pub(crate) struct CompleteRows {
    series: usize,
    steps: usize,
    /// \[step\]\[series\]; `None` where no cell is missing.
    whole: Option<Vec<bool>>,
}

impl CompleteRows {
    /// Looks at every cell of a panel.
    pub fn of(panel: &Panel) -> Self {
        let (series, steps, _) = panel.values().dim();
        let values = panel.values();
        let observed = |row: usize| {
            let cells = values.slice(s![row % series, row / series, ..]);
            !cells.iter().any(|x| x.is_nan())
        };
        let look = || (0..steps * series).into_par_iter().map(observed).collect();
        Self { series, steps, whole: (panel.missing() > 0).then(look) }
    }

    /// Whether a row at this step has every cell at lags 0 to `lag`.
    pub fn contains(&self, series: usize, step: usize, lag: usize) -> bool {
        let all =
            |whole: &Vec<bool>| (0..=lag).all(|back| whole[(step - back) * self.series + series]);
        step >= lag && self.whole.as_ref().is_none_or(all)
    }

    /// How many rows have every cell at lags 0 to `lag`.
    pub fn count(&self, lag: usize) -> usize {
        let steps = lag.min(self.steps)..self.steps;
        let at = |step: usize| (0..self.series).filter(|n| self.contains(*n, step, lag)).count();
        steps.into_par_iter().map(at).sum()
    }

    /// 1 for every row that is complete, 0 for the others, \[step after the lag\]\[series\];
    /// `None` where no cell is missing.
    pub fn weights(&self, lag: usize) -> Option<Vec<f64>> {
        self.whole.as_ref()?;
        let rows = (lag..self.steps).flat_map(|t| (0..self.series).map(move |n| (n, t)));
        Some(rows.map(|(n, t)| f64::from(u8::from(self.contains(n, t, lag)))).collect())
    }
}

/// Copies one variable as \[step\]\[series\].
pub(super) fn read(panel: &Panel, variable: usize, column: &mut [f64]) {
    let series = panel.series();
    let values = panel.values();
    let source = values.index_axis(Axis(2), variable);
    for ((n, t), x) in source.indexed_iter() {
        column[t * series + n] = *x;
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn a_missing_cell_takes_the_rows_that_reach_it() {
        let mut values = Array3::<f64>::ones((2, 6, 2));
        values[[1, 2, 0]] = f64::NAN;
        let rows = CompleteRows::of(&Panel::unnamed(values).unwrap());
        assert_eq!([rows.count(0), rows.count(1), rows.count(2)], [11, 8, 5]);
        assert!(rows.contains(1, 4, 1) && !rows.contains(1, 3, 1) && !rows.contains(0, 0, 1));
        let weights = rows.weights(1).unwrap();
        assert_eq!(weights, [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(rows.count(7), 0);
    }
}
