//! How much less the data know of a weight than they would if noise were the same in all rows.

use super::step_moments::StepMoments;
use crate::inference::covariance::Covariance;
use crate::linear_algebra::{add_scaled, dot, symmetric_inverse};
use crate::regression::Sample;

/// Standard errors that a ratio has to be above 1.
const CLEAR: f64 = 2.0;
/// The largest ratio.
const MOST: f64 = 10.0;

/// Σ (z̃ r)² over σ² Σ z̃² for each regressor, z̃ without what the others explain of it; 1 where that
/// is not clearly more. By series, where the sums of series are what is independent.
pub(super) fn inflations(
    sample: &Sample<'_>,
    moments: &StepMoments,
    weights: &[Vec<f64>],
    noise: f64,
    kind: Covariance,
) -> Vec<f64> {
    let count = sample.regressors.len();
    let none = vec![1.0; count];
    if kind == Covariance::Classical {
        return none;
    }
    let gram: Vec<f64> = (0..count * count).map(|k| moments.total(k / count, k % count)).collect();
    let Some(inverse) = symmetric_inverse(gram, count) else { return none };
    let (series, rows) = (sample.series, sample.target.len());
    let steps = rows / series;
    let each = steps.div_ceil(moments.pieces()).max(1);
    // (G⁻¹)_gg z̃_g = Σ_h (G⁻¹)_gh z_h.
    let mut squares = vec![0.0; count];
    let mut by_series = vec![0.0; count * series];
    let by_columns = each > 1 && kind != Covariance::BySeries;
    if by_columns {
        squares = squares_by_piece(sample, weights, &inverse, each);
    }
    for t in (0..steps).take_while(|_| !by_columns) {
        let precision = sample.precision.map_or(1.0, |p| p[t]);
        for n in 0..series {
            let row = t * series + n;
            let weight = precision * sample.weights.map_or(1.0, |w| w[row]);
            if weight == 0.0 {
                continue;
            }
            let mut residual = sample.target[row];
            for (x, path) in sample.regressors.iter().zip(weights) {
                residual -= path[t / each] * x.values[row];
            }
            for g in 0..count {
                let others = sample.regressors.iter().zip(&inverse[g * count..(g + 1) * count]);
                let own: f64 = others.map(|(x, share)| share * x.values[row]).sum();
                let score = weight * own * residual;
                squares[g] += score * score;
                by_series[g * series + n] += score;
            }
        }
    }
    let spread = match kind {
        Covariance::BySeries => (2.0 / series as f64).sqrt(),
        _ => by_rows(rows),
    };
    let of_one = |g: usize| {
        // Σ z̃² (G⁻¹)²_gg = (G⁻¹)_gg.
        let plain = noise * inverse[g * count + g];
        let found = match kind {
            Covariance::BySeries => {
                let sums = &by_series[g * series..(g + 1) * series];
                let total: f64 = sums.iter().map(|sum| sum * sum).sum();
                total * series as f64 / (series as f64 - 1.0)
            }
            _ => squares[g],
        };
        clear(found / plain, spread)
    };
    (0..count).map(of_one).collect()
}

/// Σ (w z̃ r)² of each regressor, from whole stretches of columns.
fn squares_by_piece(
    sample: &Sample<'_>,
    weights: &[Vec<f64>],
    inverse: &[f64],
    each: usize,
) -> Vec<f64> {
    let count = sample.regressors.len();
    let (length, rows) = (each * sample.series, sample.target.len());
    let mut squares = vec![0.0; count];
    let (mut residual, mut own) = (Vec::new(), Vec::new());
    for (piece, start) in (0..rows).step_by(length).enumerate() {
        let range = start..(start + length).min(rows);
        residual.clear();
        residual.extend_from_slice(&sample.target[range.clone()]);
        for (x, path) in sample.regressors.iter().zip(weights) {
            add_scaled(&mut residual, -path[piece], &x.values[range.clone()]);
        }
        for (row, r) in range.clone().zip(&mut residual) {
            let precision = sample.precision.map_or(1.0, |p| p[row / sample.series]);
            *r *= precision * sample.weights.map_or(1.0, |w| w[row]);
        }
        for (g, sum) in squares.iter_mut().enumerate() {
            own.clear();
            own.resize(range.len(), 0.0);
            for (x, share) in sample.regressors.iter().zip(&inverse[g * count..(g + 1) * count]) {
                add_scaled(&mut own, *share, &x.values[range.clone()]);
            }
            own.iter_mut().zip(&residual).for_each(|(z, r)| *z *= r);
            *sum += dot(&own, &own);
        }
    }
    squares
}

/// The standard error of a ratio over rows.
fn by_rows(rows: usize) -> f64 {
    (8.0 / rows as f64).sqrt()
}

/// A ratio that is clearly above 1, else 1.
fn clear(ratio: f64, spread: f64) -> f64 {
    if ratio > 1.0 + CLEAR * spread { ratio.min(MOST) } else { 1.0 }
}

/// What was found over what was expected, in so many rows, where it is clearly more.
pub(super) fn ratio(found: f64, expected: f64, rows: usize) -> f64 {
    clear(found / expected, by_rows(rows))
}
