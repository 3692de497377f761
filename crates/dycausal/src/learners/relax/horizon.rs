//! Where trajectories come to rest, and how many steps say something.

use ndarray::{Array3, ArrayView3, Axis, s};

/// Last steps that the level of rest is the mean of.
const REST: usize = 6;
/// Share of the largest variance between trajectories that still says something.
const SHARE: f64 = 0.05;
/// Steps after the last one that does.
const AFTER: usize = 3;
/// Trajectories of which the variance between them can be told.
const FEWEST: usize = 3;

/// Values\[series, step, variable\] counted from rest and in standard deviations, where that is, and these.
pub(super) fn from_rest(values: ArrayView3<'_, f64>) -> (Array3<f64>, Vec<f64>, Vec<f64>) {
    let mut out = values.to_owned();
    let mut rest = Vec::with_capacity(values.dim().2);
    let mut scale = Vec::with_capacity(values.dim().2);
    for mut column in out.axis_iter_mut(Axis(2)) {
        let last = column.ncols().saturating_sub(REST);
        let level = column.slice(s![.., last..]).mean().unwrap_or(0.0);
        let mean = column.mean().unwrap_or(0.0);
        let squares = column.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        let sd = (squares / column.len() as f64).sqrt();
        let unit = if sd > 0.0 && sd.is_finite() { sd } else { 1.0 };
        column.mapv_inplace(|x| (x - level) / unit);
        rest.push(level);
        scale.push(unit);
    }
    (out, rest, scale)
}

/// How many steps, from the first on, are used: until the variance between trajectories, beyond that
/// of the last steps, has fallen to a twentieth of its maximum, and three more.
pub(super) fn steps(values: ArrayView3<'_, f64>) -> usize {
    let (series, steps, _) = values.dim();
    if series < FEWEST {
        return steps;
    }
    let between = |step: usize| values.slice(s![.., step, ..]).var_axis(Axis(0), 0.0).sum();
    let variances: Vec<f64> = (0..steps).map(between).collect();
    let rest = &variances[steps.saturating_sub(REST)..];
    let noise = rest.iter().sum::<f64>() / rest.len() as f64;
    let most = variances.iter().copied().fold(0.0, f64::max) - noise;
    let last = variances.iter().rposition(|v| v - noise > SHARE * most);
    match last {
        Some(last) if most > 0.0 => (last + AFTER + 1).min(steps),
        _ => steps,
    }
}
