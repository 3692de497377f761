//! Cells that are taken away.

use ndarray::Array3;
use rand::RngExt;

use super::super::condition::Stream;

/// Takes a share of the cells away, each by itself.
pub(in super::super) fn hide(stream: &mut Stream, values: &mut Array3<f64>, share: f64) {
    for x in values.iter_mut().filter(|_| stream.random::<f64>() < share) {
        *x = f64::NAN;
    }
}

/// Switches every variable off for so many steps on end, in a share of the series: a sensor that
/// fails.
pub(in super::super) fn off(
    stream: &mut Stream,
    values: &mut Array3<f64>,
    steps: usize,
    share: f64,
) {
    let (series, all, variables) = values.dim();
    for (n, v) in (0..series).flat_map(|n| (0..variables).map(move |v| (n, v))) {
        let (fails, first) = (stream.random::<f64>() < share, stream.random_range(0..=all - steps));
        for t in (first..first + steps).filter(|_| fails) {
            values[[n, t, v]] = f64::NAN;
        }
    }
}
