//! What a variable is counted from: the mean of each step where there are many series, a smooth
//! curve where there are few; and its standard deviation around that.

use crate::basis::{Basis, Shape};
use crate::error::Result;

/// Series needed for the mean of each step to be taken out as it is; with fewer it is smoothed.
const SERIES_FOR_STEP_MEANS: f64 = 20.0;
/// Polynomials that a smoothed mean follows, at most.
const SMOOTH_MEAN_SIZE: usize = 6;
/// Steps per polynomial of a smoothed mean, at least.
const STEPS_PER_POLYNOMIAL: usize = 8;

/// What the mean follows where there are too few series to take it out step by step.
pub(super) fn smooth_mean(series: f64, steps: usize) -> Result<Option<Basis>> {
    if series >= SERIES_FOR_STEP_MEANS {
        return Ok(None);
    }
    let size = (steps / STEPS_PER_POLYNOMIAL).clamp(1, SMOOTH_MEAN_SIZE);
    Basis::new(Shape::Legendre { size }, steps, 0).map(Some)
}

/// Takes the mean of each step out and divides by the standard deviation, which is returned.
pub(super) fn prepare(column: &mut [f64], series: usize, smooth: Option<&Basis>) -> f64 {
    // First the overall mean and scale, so that huge or tiny units cost no precision.
    let present = |c: &[f64]| c.iter().filter(|x| !x.is_nan()).count().max(1) as f64;
    let count = present(column);
    let sum = |c: &[f64]| c.iter().filter(|x| !x.is_nan()).sum::<f64>();
    let mean = sum(column) / count;
    for x in &mut *column {
        *x -= mean;
    }
    let largest = column.iter().filter(|x| !x.is_nan()).fold(0.0f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    for x in &mut *column {
        *x /= largest;
    }
    let means: Vec<(f64, f64)> = column
        .chunks_exact(series)
        .map(|step| (sum(step), step.iter().filter(|x| !x.is_nan()).count() as f64))
        .collect();
    let fitted = smooth.map_or_else(
        || means.iter().map(|(s, n)| s / n.max(1.0)).collect(),
        |basis| smoothed(&means, basis),
    );
    for (step, mean) in column.chunks_exact_mut(series).zip(fitted) {
        for x in step {
            *x -= mean;
        }
    }
    let squares: f64 = column.iter().filter(|x| !x.is_nan()).map(|x| x * x).sum();
    let sd = (squares / count).sqrt();
    if sd < 1e-9 {
        return 0.0;
    }
    for x in &mut *column {
        *x /= sd;
    }
    sd * largest
}

/// The mean of each step on a basis, by least squares weighted with the counts.
pub(super) fn smoothed(means: &[(f64, f64)], basis: &Basis) -> Vec<f64> {
    use faer::linalg::solvers::{Llt, Solve};
    let size = basis.size();
    let phi = basis.values();
    let gram = faer::Mat::from_fn(size, size, |b, c| {
        let sum: f64 = (0..means.len()).map(|t| means[t].1 * phi[[t, b]] * phi[[t, c]]).sum();
        // Steps without a value leave the ends free; a little ridge holds them.
        sum + if b == c { 1e-9 } else { 0.0 }
    });
    let right = faer::Mat::from_fn(size, 1, |b, _| {
        (0..means.len()).map(|t| means[t].0 * phi[[t, b]]).sum()
    });
    let Ok(factor) = Llt::new(gram.as_ref(), faer::Side::Lower) else {
        return vec![0.0; means.len()];
    };
    let coefficients = factor.solve(&right);
    (0..means.len()).map(|t| (0..size).map(|b| phi[[t, b]] * coefficients[(b, 0)]).sum()).collect()
}
