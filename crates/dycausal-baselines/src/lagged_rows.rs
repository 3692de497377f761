//! All rows of a panel as one matrix: every variable now and at each lag.

use dycausal::internals::linear_algebra::add_transposed_product;
use dycausal::{Error, Panel, Result, UsableRows};
use ndarray::{Array2, Axis};
use rayon::prelude::*;

/// Rows added up at a time; fixed, so that bits do not depend on threads.
const BLOCK: usize = 1024;

/// Values\[row, lag · variables + variable\] of the rows of all series that have every cell.
pub(crate) struct LaggedRows {
    pub values: Array2<f64>,
    pub variables: usize,
}

impl LaggedRows {
    /// The complete rows of a panel at lags 0 to `lag`.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        let d = panel.variables();
        let values = panel.values();
        let usable = UsableRows::complete(panel);
        let places: Vec<(usize, usize)> = (0..panel.series())
            .flat_map(|n| (lag..panel.steps()).map(move |t| (n, t)))
            .filter(|(n, t)| usable.contains(*n, *t, lag))
            .collect();
        if places.is_empty() {
            return Err(Error::NoCompleteRow { variables: d, lag, missing: panel.missing() });
        }
        let value = |(row, column): (usize, usize)| {
            let (n, t) = places[row];
            values[[n, t - column / d, column % d]]
        };
        let values = Array2::from_shape_fn((places.len(), d * (lag + 1)), value);
        Ok(Self { values, variables: d })
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.values.nrows()
    }

    /// The same rows, counted from the mean of each column.
    pub fn centred(mut self) -> Self {
        let rows = self.len() as f64;
        for mut column in self.values.axis_iter_mut(Axis(1)) {
            let mean = column.sum() / rows;
            column.mapv_inplace(|x| x - mean);
        }
        self
    }

    /// Σ z z' over all rows.
    ///
    /// # Errors
    /// If numbers are too large for sums of their squares.
    pub fn gram(&self) -> Result<Array2<f64>> {
        gram(&self.values)
    }
}

/// Σ z z' over the rows of a matrix.
///
/// # Errors
/// If numbers are too large for sums of their squares.
pub(crate) fn gram(rows: &Array2<f64>) -> Result<Array2<f64>> {
    let size = rows.ncols();
    let parts: Vec<Array2<f64>> = rows
        .axis_chunks_iter(Axis(0), BLOCK)
        .into_par_iter()
        .map(|part| {
            let mut out = Array2::zeros((size, size));
            add_transposed_product(&mut out.view_mut(), &part, &part);
            out
        })
        .collect();
    let mut sum = Array2::zeros((size, size));
    for part in &parts {
        sum += part;
    }
    if sum.iter().any(|x| !x.is_finite()) {
        let what = "values are too large for sums of their squares; rescale the columns";
        return Err(Error::numerical("moments", what));
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn rows_keep_to_their_series_and_gaps_take_those_that_reach_them() {
        let mut values =
            Array3::from_shape_fn((2, 5, 2), |(n, t, v)| (100 * n + 10 * t + v) as f64);
        values[[0, 2, 1]] = f64::NAN;
        values.slice_mut(ndarray::s![1, 4.., ..]).fill(f64::NAN);
        let rows = LaggedRows::of(&Panel::unnamed(values).unwrap(), 1).unwrap();
        let now: Vec<f64> = rows.values.column(0).to_vec();
        assert_eq!(now, [10.0, 40.0, 110.0, 120.0, 130.0]);
        assert_eq!(rows.values.row(2).to_vec(), [110.0, 111.0, 100.0, 101.0]);
        let centred = rows.centred();
        assert!(centred.values.sum_axis(Axis(0)).iter().all(|sum| sum.abs() < 1e-9));
        let gram = centred.gram().unwrap();
        assert!((gram[[0, 1]] - gram[[1, 0]]).abs() < 1e-9);
    }
}
