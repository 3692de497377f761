//! What a variable is counted from: the mean of each step where there are many series, a smooth
//! curve where there are few; and its standard deviation around that.

use ndarray::{Array2, ArrayView2};

use crate::basis::{Basis, Shape};
use crate::error::Result;
use crate::thresholds::SERIES_FOR_STEP_MEANS;

/// Polynomials that a smoothed mean follows, at most.
const SMOOTH_MEAN_SIZE: usize = 6;
/// Steps per polynomial of a smoothed mean, at least.
const STEPS_PER_POLYNOMIAL: usize = 8;

/// What the mean follows where there are too few series to take it out step by step.
pub(crate) fn smooth_mean(series: f64, steps: usize) -> Result<Option<Basis>> {
    if series >= SERIES_FOR_STEP_MEANS as f64 {
        return Ok(None);
    }
    let size = (steps / STEPS_PER_POLYNOMIAL).clamp(1, SMOOTH_MEAN_SIZE);
    Basis::new(Shape::Legendre { size }, steps, 0).map(Some)
}

/// How the columns of one variable are made from its values.
#[derive(Debug, Clone, Default)]
pub(super) struct MeanRecipe<'a> {
    /// Functions of time that its mean is made of, \[step, function\]; the mean of each step where
    /// there are none.
    pub functions: Option<Array2<f64>>,
    /// Whether each series is counted from its own mean.
    pub levels: bool,
    /// What each series is divided by.
    pub scales: Option<&'a [f64]>,
}

impl MeanRecipe<'_> {
    /// Takes the mean out of \[step\]\[series\] and divides by the standard deviation, which is
    /// returned.
    pub fn prepare(&self, column: &mut [f64], series: usize) -> f64 {
        // First the overall mean and scale, so that huge or tiny units cost no precision.
        let count = present(column);
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
        self.centre(column, series);
        if let Some(scales) = self.scales {
            for rows in column.chunks_exact_mut(series) {
                rows.iter_mut().zip(scales).for_each(|(x, scale)| *x /= scale);
            }
        }
        if self.scales.is_some() {
            // Series of unequal scale leave a little of the mean.
            self.centre(column, series);
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

    /// Takes the mean of each step out, and the level of each series.
    pub fn centre(&self, column: &mut [f64], series: usize) {
        self.take_out(column, series);
        if !self.levels {
            return;
        }
        for n in 0..series {
            let own = || column.iter().skip(n).step_by(series).copied();
            let known = own().filter(|x| !x.is_nan());
            let mean = known.clone().sum::<f64>() / (known.count().max(1) as f64);
            column.iter_mut().skip(n).step_by(series).for_each(|x| *x -= mean);
        }
        // Series of unequal length leave a little of the mean.
        self.take_out(column, series);
    }

    /// The mean of \[step\]\[series\] at each step.
    pub fn curve(&self, column: &[f64], series: usize) -> Vec<f64> {
        let means: Vec<(f64, f64)> = column
            .chunks_exact(series)
            .map(|step| (sum(step), step.iter().filter(|x| !x.is_nan()).count() as f64))
            .collect();
        self.functions.as_ref().map_or_else(
            || means.iter().map(|(s, n)| s / n.max(1.0)).collect(),
            |functions| smoothed(&means, functions.view()),
        )
    }

    fn take_out(&self, column: &mut [f64], series: usize) {
        let curve = self.curve(column, series);
        for (step, mean) in column.chunks_exact_mut(series).zip(curve) {
            for x in step {
                *x -= mean;
            }
        }
    }
}

/// How many values are there, at least 1.
fn present(values: &[f64]) -> f64 {
    values.iter().filter(|x| !x.is_nan()).count().max(1) as f64
}

fn sum(values: &[f64]) -> f64 {
    values.iter().filter(|x| !x.is_nan()).sum::<f64>()
}

/// The mean of each step on functions\[step, function\], by least squares weighted with the counts.
pub(crate) fn smoothed(means: &[(f64, f64)], functions: ArrayView2<'_, f64>) -> Vec<f64> {
    use faer::linalg::solvers::{Llt, Solve};
    let size = functions.ncols();
    let mut gram = faer::Mat::<f64>::zeros(size, size);
    let mut right = faer::Mat::<f64>::zeros(size, 1);
    for ((sum, count), row) in means.iter().zip(functions.outer_iter()) {
        for (b, f) in row.iter().enumerate() {
            let weighted = count * f;
            right[(b, 0)] += sum * f;
            row.iter().take(b + 1).enumerate().for_each(|(c, g)| gram[(b, c)] += weighted * g);
        }
    }
    for b in 0..size {
        // Steps without a value leave the ends free; a little ridge holds them.
        gram[(b, b)] += 1e-9;
    }
    let Ok(factor) = Llt::new(gram.as_ref(), faer::Side::Lower) else {
        return vec![0.0; means.len()];
    };
    let found = factor.solve(&right);
    let mean = |t: usize| (0..size).map(|b| functions[[t, b]] * found[(b, 0)]).sum();
    (0..means.len()).map(mean).collect()
}
