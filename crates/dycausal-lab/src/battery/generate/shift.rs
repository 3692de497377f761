//! Columns whose level does not stay.

use rand::RngExt;

use super::super::condition::Stream;
use super::autoregression::autoregression;

/// AR(½) with one or two jumps of the mean, of 2 to 4 in either direction, between 10 and 90 % of the
/// time.
pub(in super::super) fn jumps(stream: &mut Stream, steps: usize) -> Vec<f64> {
    let mut values = autoregression(stream, steps, &[0.5]);
    for _ in 0..stream.random_range(1..=2) {
        let at = stream.random_range(steps / 10..steps * 9 / 10);
        let size = signed(stream, 2.0, 4.0);
        values.iter_mut().skip(at).for_each(|x| *x += size);
    }
    values
}

/// AR(½) + a p(u), u from 0 to 1, |a| from U\[3, 6\], p(u) = u or 4 (u − ½)².
pub(in super::super) fn trend(stream: &mut Stream, steps: usize, quadratic: bool) -> Vec<f64> {
    let rise = signed(stream, 3.0, 6.0);
    let shape = |u: f64| if quadratic { 4.0 * (u - 0.5).powi(2) } else { u };
    let noise = autoregression(stream, steps, &[0.5]).into_iter().enumerate();
    noise.map(|(t, x)| x + rise * shape(t as f64 / steps as f64)).collect()
}

fn signed(stream: &mut Stream, low: f64, high: f64) -> f64 {
    let sign = if stream.random_bool(0.5) { 1.0 } else { -1.0 };
    sign * stream.random_range(low..high)
}
