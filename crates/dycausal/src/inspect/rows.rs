//! Rows of one step, brought to a common scale.

use ndarray::{Array2, s};

use crate::design::UsableRows;
use crate::panel::Panel;

/// At most about `limit` complete rows of lag 0, evenly spread, each variable with mean 0 and sd 1.
///
/// Variables that never change are 0.
pub(super) fn standardised(panel: &Panel, limit: usize) -> Array2<f64> {
    let (series, steps, d) = panel.values().dim();
    let stride = (series * steps).div_ceil(limit).max(1);
    let flat = panel.values();
    let complete = UsableRows::complete(panel);
    let mut chosen = Vec::new();
    for index in (0..series * steps).step_by(stride) {
        let (n, t) = (index / steps, index % steps);
        if complete.contains(n, t, 0) {
            chosen.extend(flat.slice(s![n, t, ..]).iter().copied());
        }
    }
    let mut rows = Array2::zeros((chosen.len() / d, d));
    rows.iter_mut().zip(&chosen).for_each(|(cell, x)| *cell = *x);
    for mut column in rows.columns_mut() {
        let mean = column.mean().unwrap_or(0.0);
        column -= mean;
        let sd = (column.iter().map(|x| x * x).sum::<f64>() / column.len().max(1) as f64).sqrt();
        // Rounding leaves a constant column with an sd of about its size times 1e-16.
        let level = mean.abs() * 1e-12;
        if sd > level {
            column /= sd;
        } else {
            column.fill(0.0);
        }
    }
    rows
}
