//! Whether series differ in the scale of their noise, and by how much.
//!
//! With s_in the residual standard deviation of variable i in series n, the spread of l_n = mean_i log s_in is
//! compared with what chance gives, (κ − 1)/(4ν) for residuals of kurtosis κ; where it is beyond five standard
//! errors, the scale of a series is exp(l_n), shrunk by what chance explains.

use crate::design::Columns;

/// Series that scales need.
pub(super) const SERIES_FOR_SCALES: usize = 5;
/// Standard errors that the spread of scales has to exceed chance by.
const SPREAD: f64 = 5.0;
/// Rows that a series needs to have a scale of its own.
const ROWS_FOR_SCALE: f64 = 3.0;

/// How many times the middle mean square of a step the largest has, where series explode.
const EXPLOSION: f64 = 30.0;

/// log s of the residuals of each series, and the variance that chance gives it.
#[derive(Debug)]
pub(super) struct LogScales {
    logs: Vec<f64>,
    chance: f64,
}

impl LogScales {
    /// Of one variable: series take turns in its residuals, of which so many of so many rows are free.
    pub fn of(
        residuals: &[f64],
        weights: Option<&[f64]>,
        series: usize,
        (free, of_rows): (f64, f64),
    ) -> Self {
        let mut squares = vec![0.0; series];
        let mut counts = vec![0.0; series];
        for (row, u) in residuals.iter().enumerate() {
            let w = weights.map_or(1.0, |w| w[row]);
            squares[row % series] += w * u * u;
            counts[row % series] += w;
        }
        let rows: f64 = counts.iter().sum();
        let pooled = squares.iter().sum::<f64>() / rows.max(1.0);
        // A series of which hardly a row can be looked at is taken to be like the others.
        let known = |n: usize| counts[n] >= ROWS_FOR_SCALE;
        let variance = |n: usize| {
            let own = if known(n) { squares[n] / counts[n] } else { pooled };
            own.max(1e-12)
        };
        let fourth: f64 = residuals
            .iter()
            .enumerate()
            .map(|(row, u)| {
                let w = weights.map_or(1.0, |w| w[row]);
                w * (u * u / variance(row % series)).powi(2)
            })
            .sum();
        let typical = if counts.iter().all(|count| *count == counts[0]) {
            rows / series as f64
        } else {
            // The variance of a log goes with one over the rows of its series.
            let inverse = (0..series).filter(|n| known(*n)).map(|n| 1.0 / counts[n]);
            series as f64 / inverse.sum::<f64>().max(f64::MIN_POSITIVE)
        };
        let freedom = typical * free / of_rows;
        let kurtosis = (fourth / rows).max(1.5);
        let logs = (0..series).map(|n| 0.5 * variance(n).ln()).collect();
        Self { logs, chance: (kurtosis - 1.0) / (4.0 * freedom.max(1.0)) }
    }
}

/// The scale of each series by those of all variables, where series differ by more than chance, or `always`.
pub(super) fn series_scales(found: &[LogScales], series: usize, always: bool) -> Option<Vec<f64>> {
    let count = found.len() as f64;
    if found.is_empty() {
        return None;
    }
    let mean = |n: usize| found.iter().map(|one| one.logs[n]).sum::<f64>() / count;
    let logs: Vec<f64> = (0..series).map(mean).collect();
    let centre = logs.iter().sum::<f64>() / series as f64;
    let spread = logs.iter().map(|l| (l - centre).powi(2)).sum::<f64>() / (series as f64 - 1.0);
    let chance = found.iter().map(|one| one.chance).sum::<f64>() / (count * count);
    let excess = (spread / chance - 1.0) * ((series as f64 - 1.0) / 2.0).sqrt();
    if !(always || excess > SPREAD) {
        return None;
    }
    let kept = (1.0 - chance / spread).max(0.0);
    Some(logs.iter().map(|l| (kept * (l - centre)).exp()).collect())
}

/// Whether values grow so much that a few steps are all there is to see: then small errors of weights
/// look like differences between series.
pub(super) fn explodes(columns: &Columns) -> bool {
    let series = columns.series();
    (0..columns.variables()).any(|v| {
        let mut sizes: Vec<f64> = columns
            .whole(v)
            .chunks_exact(series)
            .map(|step| step.iter().map(|x| x * x).sum::<f64>() / series as f64)
            .collect();
        sizes.sort_by(f64::total_cmp);
        sizes[sizes.len() - 1] > EXPLOSION * sizes[sizes.len() / 2]
    })
}
