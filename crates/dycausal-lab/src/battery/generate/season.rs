//! Columns that share a period and nothing else.

use std::f64::consts::TAU;

use rand::RngExt;

use super::super::condition::Stream;
use super::autoregression::autoregression;
use super::innovations::standard;

/// The autoregression that is added to every season.
const NOISE: [f64; 1] = [0.5];

/// Σ_{k ≤ K} a_k sin(2πkt/P + phase_k) + AR(½), a_k from U\[1, 2\] / k.
pub(in super::super) fn sines(
    stream: &mut Stream,
    steps: usize,
    period: f64,
    harmonics: usize,
) -> Vec<f64> {
    let mut wave = |k: usize| {
        let size = stream.random_range(1.0..2.0) / k as f64;
        (TAU * k as f64 / period, size, stream.random_range(0.0..TAU))
    };
    let waves: Vec<(f64, f64, f64)> = (1..=harmonics).map(&mut wave).collect();
    let at = |t: f64| waves.iter().map(move |(turn, size, phase)| size * (turn * t + phase).sin());
    let noise = autoregression(stream, steps, &NOISE);
    noise.into_iter().enumerate().map(|(t, x)| x + at(t as f64).sum::<f64>()).collect()
}

/// A value of its own for each of P places, from N(0, 1.5²), + AR(½).
pub(in super::super) fn profile(stream: &mut Stream, steps: usize, period: usize) -> Vec<f64> {
    let places: Vec<f64> = (0..period).map(|_| 1.5 * standard(stream)).collect();
    let noise = autoregression(stream, steps, &NOISE);
    noise.into_iter().enumerate().map(|(t, x)| x + places[t % period]).collect()
}

/// A working week and a weekend far below it, the same in every column, + N(0, 1).
pub(in super::super) fn weekend(stream: &mut Stream, steps: usize) -> Vec<f64> {
    const WEEK: [f64; 7] = [0.0, 2.0, 4.0, 6.0, 8.0, -10.0, -10.0];
    (0..steps).map(|t| WEEK[t % 7] + standard(stream)).collect()
}

/// A rush in the morning and one in the evening, the same in every column, + N(0, 1).
pub(in super::super) fn rush(stream: &mut Stream, steps: usize) -> Vec<f64> {
    let peak = |t: usize, at: f64| 4.0 * (-(((t % 24) as f64 - at) / 1.5).powi(2)).exp();
    (0..steps).map(|t| peak(t, 8.0) + peak(t, 17.5) + standard(stream)).collect()
}
