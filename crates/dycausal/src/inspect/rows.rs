//! Rows without a missing cell.

use ndarray::{Array2, s};

use crate::panel::Panel;

/// How many (series, step) have every variable at lags 0..lag.
pub(super) fn complete(panel: &Panel, lag: usize) -> usize {
    let usable = |series: usize| {
        let (mut run, mut count) = (0usize, 0usize);
        for row in panel.one_series(series).outer_iter() {
            run = if row.iter().any(|x| x.is_nan()) { 0 } else { run + 1 };
            count += usize::from(run > lag);
        }
        count
    };
    if panel.missing() == 0 {
        return panel.series() * panel.steps().saturating_sub(lag);
    }
    (0..panel.series()).map(usable).sum()
}

/// At most about `limit` complete rows of lag 0, evenly spread, each variable with mean 0 and sd 1.
///
/// Variables that never change are 0.
pub(super) fn standardised(panel: &Panel, limit: usize) -> Array2<f64> {
    let (series, steps, d) = panel.values().dim();
    let stride = (series * steps).div_ceil(limit).max(1);
    let flat = panel.values();
    let mut chosen = Vec::new();
    for index in (0..series * steps).step_by(stride) {
        let row = flat.slice(s![index / steps, index % steps, ..]);
        if row.iter().all(|x| !x.is_nan()) {
            chosen.extend(row.iter().copied());
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
