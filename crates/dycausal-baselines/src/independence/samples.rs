//! The rows that tests are made on: every variable at every lag.

use dycausal::Panel;
use rayon::prelude::*;

/// Columns\[lag · variables + variable\]\[row\] for all steps that have the longest lag, series
/// after series; NaN is missing.
pub(super) struct Samples {
    columns: Vec<f64>,
    rows: usize,
}

impl Samples {
    /// The columns of a panel at lags 0 to `longest`, without rows that have nothing at all.
    pub fn of(panel: &Panel, longest: usize) -> Self {
        let d = panel.variables();
        let values = panel.values();
        let places: Vec<(usize, usize)> = (0..panel.series())
            .flat_map(|n| (longest..panel.length(n)).map(move |t| (n, t)))
            .collect();
        let rows = places.len();
        let mut columns = vec![0.0; d * (longest + 1) * rows];
        if rows > 0 {
            columns.par_chunks_mut(rows).enumerate().for_each(|(node, column)| {
                let (back, variable) = (node / d, node % d);
                for (x, (n, t)) in column.iter_mut().zip(&places) {
                    *x = values[[*n, t - back, variable]];
                }
            });
        }
        Self { columns, rows }
    }

    /// Whether a cell is missing.
    pub fn has_gaps(&self) -> bool {
        self.columns.iter().any(|x| x.is_nan())
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// One column.
    pub fn column(&self, node: usize) -> &[f64] {
        &self.columns[node * self.rows..(node + 1) * self.rows]
    }

    /// How many columns.
    pub fn len(&self) -> usize {
        self.columns.len() / self.rows.max(1)
    }

    /// All columns, one after the other.
    pub fn into_columns(self) -> Vec<f64> {
        self.columns
    }
}
