//! Missing cells, from the observed cells of the same series at the step itself and its neighbours.
//!
//! With x the cells of steps t − 1, t and t + 1, K the inverse of their covariance, O those that were
//! observed and M the others, x_M = −K_MM⁻¹ K_MO x_O: the conditional mean of a Gaussian, which leaves the
//! variances on the diagonal of K_MM⁻¹. Covariances are taken in bins of time, shrunk towards none at all by
//! what chance explains of them ([`window`]), and estimated again from what was filled and what is left.
//!
//! Rows of which nothing was observed stay as they are, and nothing is taken from beyond them.

mod cells;
mod window;

use rayon::prelude::*;

use self::cells::Cells;
use self::window::{AFTER, BEFORE, FillWindow};
use super::partition::Partition;
use super::rows::UsableRows;
use crate::error::Result;
use crate::linear_algebra::dot;
use crate::thresholds::ROWS_PER_VARIABLE_OF_COVARIANCE;

/// How often covariances are estimated.
const PASSES: usize = 4;
/// Bins of time, at most.
const BINS: usize = 8;
/// Steps that a bin has, at least.
const STEPS_PER_BIN: usize = 4;
/// Rows between two questions whether to go on.
const ROWS_AT_ONCE: usize = 256;

/// Asked now and then whether to go on.
pub(crate) type Proceed<'a> = &'a (dyn Fn() -> Result<()> + Sync);

/// Fills values\[variable\]\[step\]\[series\], which are centred and of variance about 1; NaN is
/// missing, and stays so in rows that are not usable. Returns how much variance is left of each cell: 0
/// where it was observed.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn fill(
    values: &mut [f64],
    series: usize,
    steps: usize,
    usable: &UsableRows,
    proceed: Proceed<'_>,
) -> Result<Vec<f64>> {
    let mut cells = Cells::of(values, series, steps, usable);
    let bins = bins(&cells);
    for pass in 0..PASSES {
        proceed()?;
        let windows = (0..bins.count())
            .into_par_iter()
            .map(|bin| {
                proceed()?;
                Ok(FillWindow::of(&cells, bins.range(bin), pass == 0))
            })
            .collect::<Result<Vec<FillWindow>>>()?;
        let found = (0..series * steps)
            .into_par_iter()
            .with_min_len(64)
            .map_init(ImputationMemory::default, |work, row| {
                if row.is_multiple_of(ROWS_AT_ONCE) {
                    proceed()?;
                }
                let bin = bins.of_step(row % steps);
                Ok(fill_row(&cells, &windows[bin], row, work))
            })
            .collect::<Result<Vec<Vec<Imputation>>>>()?;
        cells.take(&found);
    }
    Ok(cells.write(values))
}

/// As many bins as the rows carry.
fn bins(cells: &Cells) -> Partition {
    let by_rows = cells.usable_rows() / (ROWS_PER_VARIABLE_OF_COVARIANCE * cells.variables);
    Partition::stretches(BINS.min(by_rows).min(cells.steps / STEPS_PER_BIN), cells.steps)
}

/// What a missing cell most likely is, and the variance that is left.
#[derive(Debug, Clone, Copy)]
struct Imputation {
    mean: f64,
    left: f64,
}

/// Memory that is used again.
#[derive(Default)]
struct ImputationMemory {
    /// The window, in standard deviations, 0 where a cell is missing.
    known: Vec<f64>,
    /// Places of missing cells in the window, those of the middle step last.
    missing: Vec<usize>,
    mean: Vec<f64>,
    left: Vec<f64>,
    square: Vec<f64>,
}

/// The missing cells of one row, in the order of its variables; none where none is missing or the
/// row is not usable.
fn fill_row(
    cells: &Cells,
    window: &FillWindow,
    row: usize,
    work: &mut ImputationMemory,
) -> Vec<Imputation> {
    let own = cells.missing(row);
    if own == 0 || !cells.usable[row] {
        return Vec::new();
    }
    let (d, step) = (cells.variables, row % cells.steps);
    let before = step > 0 && cells.usable[row - 1];
    let after = step + 1 < cells.steps && cells.usable[row + 1];
    let middle = usize::from(before);
    let first = row - middle;
    let rows = 1 + usize::from(before) + usize::from(after);
    work.known.clear();
    work.missing.clear();
    for place in (0..rows).filter(|place| *place != middle).chain([middle]) {
        let absent = cells.absent(first + place).iter().enumerate().filter(|(_, absent)| **absent);
        work.missing.extend(absent.map(|(v, _)| place * d + v));
    }
    for place in 0..rows {
        let observed = cells.observed(first + place).zip(&window.deviations);
        work.known.extend(observed.map(|(x, sd)| x / sd));
    }
    let precision = &window.precisions[usize::from(before) * BEFORE + usize::from(after) * AFTER];
    let width = rows * d;
    let line = |m: &usize| &precision[m * width..(m + 1) * width];
    work.mean.clear();
    work.mean.extend(work.missing.iter().map(|m| -dot(line(m), &work.known)));
    work.square.clear();
    for m in &work.missing {
        work.square.extend(work.missing.iter().map(|k| line(m)[*k]));
    }
    solve(&mut work.square, &mut work.mean);
    let others = work.missing.len() - own;
    left(&work.square, others, &mut work.left);
    let found = work.mean[others..].iter().zip(&work.left).zip(&work.missing[others..]);
    found
        .map(|((mean, left), m)| {
            let sd = window.deviations[m % d];
            Imputation { mean: mean * sd, left: left * sd * sd }
        })
        .collect()
}

/// V⁻¹ x in place of x for a positive definite V, whose lower triangle becomes its factor.
fn solve(v: &mut [f64], x: &mut [f64]) {
    let size = x.len();
    for row in 0..size {
        let (above, current) = v.split_at_mut(row * size);
        for col in 0..row {
            let other = &above[col * size..=col * size + col];
            current[col] = (current[col] - dot(&current[..col], &other[..col])) / other[col];
        }
        let left = current[row] - dot(&current[..row], &current[..row]);
        // Precisions have eigenvalues well above 0; rounding alone could take them there.
        current[row] = left.max(f64::MIN_POSITIVE).sqrt();
        x[row] = (x[row] - dot(&current[..row], &x[..row])) / current[row];
    }
    for row in (0..size).rev() {
        x[row] /= v[row * size + row];
        let known = x[row];
        for col in 0..row {
            x[col] -= v[row * size + col] * known;
        }
    }
}

/// The diagonal of V⁻¹ from place `first` on, by the factor of V: |L⁻¹ e|² for each.
fn left(factor: &[f64], first: usize, out: &mut Vec<f64>) {
    let size = factor.len().isqrt();
    out.clear();
    let mut column = Vec::with_capacity(size - first);
    for place in first..size {
        column.clear();
        for row in place..size {
            let line = &factor[row * size + place..=row * size + row];
            let start = if row == place { 1.0 } else { 0.0 };
            let (pivot, others) = (line[row - place], &line[..row - place]);
            column.push((start - dot(others, &column)) / pivot);
        }
        out.push(dot(&column, &column));
    }
}

#[cfg(test)]
mod tests;
