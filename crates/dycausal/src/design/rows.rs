//! Which rows count: those whose cells are all there, or of which any was observed.

use ndarray::s;
use rayon::prelude::*;

use super::missing::Missing;
use crate::panel::Panel;

/// For every series and step, whether it can be worked with.
///
/// The one place that says what a row needs: moments, columns, differential equations, `inspect`, the residual
/// checks and methods of other crates ask here. Where cells are filled a row needs one that was observed,
/// otherwise it needs all.
///
/// ```
/// use dycausal::{Panel, UsableRows};
/// use ndarray::Array3;
///
/// let mut values = Array3::<f64>::ones((1, 5, 2));
/// values[[0, 1, 0]] = f64::NAN;
/// let rows = UsableRows::complete(&Panel::unnamed(values)?);
/// // At lag 1 a row needs the step before it too.
/// assert!(rows.contains(0, 4, 1) && !rows.contains(0, 2, 1));
/// assert_eq!(rows.count(1), 2);
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct UsableRows {
    series: usize,
    steps: usize,
    /// \[step\]\[series\]; `None` where all rows are usable.
    usable: Option<Vec<bool>>,
}

impl UsableRows {
    /// Looks at every cell of a panel.
    pub fn of(panel: &Panel, missing: Missing) -> Self {
        let (series, steps, _) = panel.values().dim();
        let values = panel.values();
        let look = |row: usize| {
            let cells = values.slice(s![row % series, row / series, ..]);
            match missing {
                Missing::Fill => cells.iter().any(|x| !x.is_nan()),
                Missing::CompleteRows => !cells.iter().any(|x| x.is_nan()),
            }
        };
        let all = || (0..steps * series).into_par_iter().map(look).collect::<Vec<bool>>();
        let usable = (panel.missing() > 0).then(all).filter(|rows| rows.contains(&false));
        Self { series, steps, usable }
    }

    /// Rows whose cells are all there.
    pub fn complete(panel: &Panel) -> Self {
        Self::of(panel, Missing::CompleteRows)
    }

    /// Whether a row at this step can be worked with at lags 0 to `lag`.
    pub fn contains(&self, series: usize, step: usize, lag: usize) -> bool {
        let all =
            |usable: &Vec<bool>| (0..=lag).all(|back| usable[(step - back) * self.series + series]);
        step >= lag && self.usable.as_ref().is_none_or(all)
    }

    /// How many rows can be worked with at lags 0 to `lag`.
    pub fn count(&self, lag: usize) -> usize {
        let steps = lag.min(self.steps)..self.steps;
        let at = |step: usize| (0..self.series).filter(|n| self.contains(*n, step, lag)).count();
        steps.into_par_iter().map(at).sum()
    }

    /// 1 for every row that is usable, 0 for the others, \[step after the lag\]\[series\]; `None`
    /// where all are.
    pub fn weights(&self, lag: usize) -> Option<Vec<f64>> {
        self.usable.as_ref()?;
        let rows = (lag..self.steps).flat_map(|t| (0..self.series).map(move |n| (n, t)));
        Some(rows.map(|(n, t)| f64::from(u8::from(self.contains(n, t, lag)))).collect())
    }
}

/// Copies one variable as \[step\]\[series\].
pub(super) fn read(panel: &Panel, variable: usize, column: &mut [f64]) {
    let series = panel.series();
    let values = panel.values();
    let source = values.slice(s![.., ..column.len() / series, variable]);
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
        let panel = Panel::unnamed(values).unwrap();
        let rows = UsableRows::complete(&panel);
        assert_eq!([rows.count(0), rows.count(1), rows.count(2)], [11, 8, 5]);
        assert!(rows.contains(1, 4, 1) && !rows.contains(1, 3, 1) && !rows.contains(0, 0, 1));
        let weights = rows.weights(1).unwrap();
        assert_eq!(weights, [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(rows.count(7), 0);
        let filled = UsableRows::of(&panel, Missing::Fill);
        assert_eq!((filled.count(1), filled.weights(1)), (10, None));
    }

    #[test]
    fn no_lag_reaches_across_a_row_of_which_nothing_was_observed() {
        let mut values = Array3::<f64>::ones((1, 8, 2));
        (0..2).for_each(|v| values[[0, 4, v]] = f64::NAN);
        let rows = UsableRows::of(&Panel::unnamed(values).unwrap(), Missing::Fill);
        let there: Vec<bool> = (0..8).map(|t| rows.contains(0, t, 1)).collect();
        assert_eq!(there, [false, true, true, true, false, false, true, true]);
    }
}
