//! Without a straight line in time: x_t − b (t − t̄), with b by least squares in each series. Its mean
//! stays.

use super::column::Column;

pub(super) fn detrend(column: &mut Column<'_>) {
    column.each_series(|values| {
        let Some((slope, middle)) = line(values) else { return };
        for (t, x) in values.iter_mut().enumerate() {
            *x -= slope * (t as f64 - middle);
        }
    });
}

/// The slope per step of what is there, and its mean time.
pub(crate) fn line(values: &[f64]) -> Option<(f64, f64)> {
    let known = || values.iter().enumerate().filter(|(_, x)| !x.is_nan());
    let count = known().count() as f64;
    let middle = known().map(|(t, _)| t as f64).sum::<f64>() / count;
    let mean = known().map(|(_, x)| x).sum::<f64>() / count;
    let square: f64 = known().map(|(t, _)| (t as f64 - middle).powi(2)).sum();
    let cross: f64 = known().map(|(t, x)| (t as f64 - middle) * (x - mean)).sum();
    (square > 0.0).then(|| (cross / square, middle))
}
