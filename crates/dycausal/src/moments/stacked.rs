//! Columns made of moments alone: the smallest data set that has them.

use rayon::prelude::*;

use super::Moments;
use crate::basis::Basis;
use crate::design::{Columns, check_scale, smooth_mean, smoothed};
use crate::error::Result;
use crate::run::PanelShape;

impl Columns {
    /// The smallest columns with these moments: as many rows at each step as there are columns.
    ///
    /// With S_t = L L' the moments of a step around its mean, row k holds L\[·, k\], in such a
    /// unit and with such a weight that Σ w z z' = S_t and Σ w is the true number of rows. So
    /// whatever is computed from second moments comes out as from the data themselves; what their
    /// shape tells is lost.
    ///
    /// # Errors
    /// If a variable does not move around its mean.
    pub fn of_moments(moments: &Moments, names: &[String]) -> Result<Self> {
        let (variables, lag, steps) = (moments.variables(), moments.lag(), moments.steps());
        let (size, used) = (variables * (lag + 1), steps - lag);
        let series = moments.total_rows() / used as f64;
        let smooth = smooth_mean(series, used)?;
        let means = moment_means(moments, smooth.as_ref());
        let around = |t: usize| around_mean(moments, t + lag, &means[t * size..(t + 1) * size]);
        let mut factors: Vec<Vec<f64>> = (0..used).into_par_iter().map(around).collect();
        let rows = moments.total_rows();
        let variance = |v: usize| factors.iter().map(|s| s[v * size + v]).sum::<f64>() / rows;
        let scale: Vec<f64> = (0..variables).map(|v| variance(v).sqrt()).collect();
        check_scale(&scale, names)?;
        factors.par_iter_mut().for_each(|square| semidefinite_factor(square, size));
        let mut values = vec![0.0; size * used * size];
        values.par_chunks_mut(used * size).enumerate().for_each(|(j, column)| {
            for (t, row) in column.chunks_exact_mut(size).enumerate() {
                let unit = (size as f64 / moments.rows(t + lag).max(1.0)).sqrt();
                let source = &factors[t][j * size..(j + 1) * size];
                row.iter_mut().zip(source).for_each(|(x, l)| *x = l * unit / scale[j % variables]);
            }
        });
        let weight = |t: usize| moments.rows(t + lag) / size as f64;
        let weights = (0..used).flat_map(|t| std::iter::repeat_n(weight(t), size)).collect();
        let intercepts = vec![smooth.map_or(used, |basis| basis.size()); variables];
        let shape = PanelShape { series: size, steps, variables };
        Ok(Self::stacked(shape, lag, values, (weights, rows), scale, intercepts))
    }
}

/// The mean of every column at every step that has rows: as it is, or smoothed.
fn moment_means(moments: &Moments, smooth: Option<&Basis>) -> Vec<f64> {
    let size = moments.variables() * (moments.lag() + 1);
    let used = moments.steps() - moments.lag();
    let mut out = vec![0.0; used * size];
    for column in 0..size {
        let sums: Vec<(f64, f64)> = (moments.lag()..moments.steps())
            .map(|t| (moments.at(t)[[column, size]], moments.rows(t)))
            .collect();
        let fitted = smooth.map_or_else(
            || sums.iter().map(|(s, n)| s / n.max(1.0)).collect(),
            |basis| smoothed(&sums, basis.values()),
        );
        fitted.into_iter().enumerate().for_each(|(t, mean)| out[t * size + column] = mean);
    }
    out
}

/// Σ (z − m)(z − m)' = S − s m' − m s' + n m m' of one step, row by row.
fn around_mean(moments: &Moments, step: usize, mean: &[f64]) -> Vec<f64> {
    let (gram, size, rows) = (moments.at(step), mean.len(), moments.rows(step));
    let entry = |(j, k): (usize, usize)| {
        gram[[j, k]] - gram[[j, size]] * mean[k] - mean[j] * gram[[size, k]]
            + rows * mean[j] * mean[k]
    };
    (0..size).flat_map(|j| (0..size).map(move |k| (j, k))).map(entry).collect()
}

/// Overwrites S with L, S = L L'; a column that others explain gets a pivot of 0.
fn semidefinite_factor(square: &mut [f64], size: usize) {
    for row in 0..size {
        let whole = square[row * size + row];
        for col in 0..=row {
            let dot: f64 = (0..col).map(|e| square[row * size + e] * square[col * size + e]).sum();
            let left = square[row * size + col] - dot;
            let pivot = square[col * size + col];
            square[row * size + col] = match (row == col, left > 1e-13 * whole) {
                (true, true) => left.sqrt(),
                (false, _) if pivot > 0.0 => left / pivot,
                _ => 0.0,
            };
        }
        square[row * size + row + 1..(row + 1) * size].fill(0.0);
    }
}
