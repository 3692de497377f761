//! How much each cause matters in a network, by the derivatives of its effects.
//!
//! J_t\[j, i\] = sd(z_j) · √(mean over the rows of the window of t of (∂x̂_i/∂z_j)²): by how much x̂_i
//! moves when z_j moves by its standard deviation. Unlike the norm of the first layer it sees what
//! the second layer makes of the units, and whether they are saturated.

use dycausal::internals::real::Real;
use ndarray::Array3;
use rayon::prelude::*;

use super::perceptron::Rows;
use crate::grid::Grid;

/// J\[step, cause, effect\].
pub(super) fn by_derivative<R: Real>(
    grid: &Grid,
    rows: &Rows<R>,
    heads: &[R],
    knots: &[R],
) -> Array3<f64> {
    let (q, d) = (grid.causes, grid.variables);
    let scale = deviations(rows, q);
    let last = grid.knots[grid.knots.len() - 1];
    let each: Vec<Vec<f64>> = (0..grid.steps)
        .into_par_iter()
        .map(|step| at_step(grid, rows, heads, knots, step.clamp(grid.knots[0], last)))
        .collect();
    Array3::from_shape_fn((grid.steps, q, d), |(t, j, i)| scale[j] * each[t][j * d + i].sqrt())
}

/// Mean square of ∂x̂_i/∂z_j over the rows of a window, \[cause, effect\].
fn at_step<R: Real>(
    grid: &Grid,
    rows: &Rows<R>,
    heads: &[R],
    knots: &[R],
    step: usize,
) -> Vec<f64> {
    let (q, d, width, units) = (grid.causes, grid.variables, grid.width(), grid.units);
    let weights = between(grid, knots, step);
    let start = (grid.window_start(step) - rows.first) * rows.per_step;
    let count = grid.window * rows.per_step;
    let mut sums = vec![0.0; q * d];
    let mut slope = vec![0.0; width];
    for row in start..start + count {
        let causes = &rows.causes[row * q..(row + 1) * q];
        for (w, slope) in slope.iter_mut().enumerate() {
            let inner = causes.iter().enumerate().map(|(j, z)| weights[j * width + w] * z.wide());
            let a = (heads[w].wide() + inner.sum::<f64>()).sigmoid();
            *slope = heads[width + w].wide() * a * (1.0 - a);
        }
        for (edge, sum) in sums.iter_mut().enumerate() {
            let (j, i) = (edge / d, edge % d);
            let own = i * units..(i + 1) * units;
            let derivative: f64 = own.map(|w| slope[w] * weights[j * width + w]).sum();
            *sum += derivative * derivative / count as f64;
        }
    }
    sums
}

/// W_t.
fn between<R: Real>(grid: &Grid, knots: &[R], step: usize) -> Vec<f64> {
    let after = grid.knots.partition_point(|knot| *knot < step);
    let right = after.min(grid.knots.len() - 1);
    let left = if grid.knots[right] > step { right - 1 } else { right };
    let length = (grid.knots[right] - grid.knots[left]).max(1);
    let share = (step - grid.knots[left]) as f64 / length as f64;
    let size = grid.size();
    let at = |knot: usize, i: usize| knots[knot * size + i].wide();
    (0..size).map(|i| (1.0 - share) * at(left, i) + share * at(right, i)).collect()
}

/// Standard deviation of every cause.
fn deviations<R: Real>(rows: &Rows<R>, causes: usize) -> Vec<f64> {
    let count = (rows.causes.len() / causes) as f64;
    let column = |j: usize| rows.causes.iter().skip(j).step_by(causes).map(|z| z.wide());
    let deviation = |j: usize| {
        let mean = column(j).sum::<f64>() / count;
        (column(j).map(|z| (z - mean).powi(2)).sum::<f64>() / count).sqrt()
    };
    (0..causes).map(deviation).collect()
}
