//! Rows: what changes from one step to the next, and the states around it.

use ndarray::{Array2, Array3, s};

use super::settings::Library;
use super::terms::Halves;
use crate::design::UsableRows;
use crate::panel::Panel;

/// Four steps in a row of one series.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// The series.
    pub series: usize,
    /// The step at which the change begins; the window begins one before.
    pub step: usize,
}

/// The data in units of their own.
#[derive(Debug)]
pub(super) struct Rows {
    /// States\[series, step, variable\].
    pub states: Array3<f64>,
    /// The same, smoothed by local cubics.
    pub smoothed: Array3<f64>,
    /// What values were divided by.
    pub scale: Vec<f64>,
    /// Where all four steps are there.
    pub windows: Vec<Window>,
    /// Time between two steps.
    pub interval: f64,
    /// Quartiles of each variable.
    pub halves: Halves,
}

impl Rows {
    /// The rows of a panel; angles keep their units.
    pub fn of(panel: &Panel, library: Library, interval: f64) -> Self {
        let mut scale: Vec<f64> = panel.summaries().iter().map(|summary| summary.sd).collect();
        if library == Library::Sines {
            scale.fill(1.0);
        }
        let mut states = panel.values().to_owned();
        for ((_, _, v), x) in states.indexed_iter_mut() {
            *x /= scale[v];
        }
        let windows = windows(panel);
        let halves = (0..scale.len()).map(|v| quartiles(&states, v)).collect();
        let smoothed = smoothed(&states);
        Self { states, smoothed, scale, windows, interval, halves }
    }

    /// (x(t + 1) − x(t)) / interval of a variable, counted from its mean.
    pub fn changes(&self, variable: usize) -> Vec<f64> {
        let change = |w: &Window| {
            let at = |step: usize| self.states[[w.series, step, variable]];
            (at(w.step + 1) - at(w.step)) / self.interval
        };
        let mut out: Vec<f64> = self.windows.iter().map(change).collect();
        centre(&mut out);
        out
    }

    /// States\[row, variable\] at which changes begin.
    pub fn beginnings(&self) -> Array2<f64> {
        let variables = self.scale.len();
        Array2::from_shape_fn((self.windows.len(), variables), |(row, v)| {
            let w = self.windows[row];
            self.states[[w.series, w.step, v]]
        })
    }
}

/// Takes the mean out, and gives it.
pub(super) fn centre(values: &mut [f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    for x in values.iter_mut() {
        *x -= mean;
    }
    mean
}

/// Where four steps in a row are there: from one before a change begins to one after it ends.
fn windows(panel: &Panel) -> Vec<Window> {
    let rows = UsableRows::complete(panel);
    let steps = panel.steps().saturating_sub(2);
    let all =
        (0..panel.series()).flat_map(|n| (1..steps).map(move |t| Window { series: n, step: t }));
    all.filter(|w| rows.contains(w.series, w.step + 2, 3)).collect()
}

fn quartiles(states: &Array3<f64>, variable: usize) -> [f64; 3] {
    let column = states.slice(s![.., .., variable]);
    let mut values: Vec<f64> = column.iter().copied().filter(|x| x.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let at = |quarter: usize| {
        let value = values.get(quarter * (values.len().saturating_sub(1)) / 4);
        value.copied().unwrap_or(1.0)
    };
    // A variable that is mostly below 0 saturates at its spread.
    [1, 2, 3].map(|quarter| if at(quarter) > 1e-3 { at(quarter) } else { 0.5 * quarter as f64 })
}

/// The value at the middle of a cubic through five steps; as it is near ends and gaps.
fn smoothed(states: &Array3<f64>) -> Array3<f64> {
    const WEIGHTS: [f64; 5] = [-3.0 / 35.0, 12.0 / 35.0, 17.0 / 35.0, 12.0 / 35.0, -3.0 / 35.0];
    let steps = states.dim().1;
    Array3::from_shape_fn(states.dim(), |(n, t, v)| {
        if t < 2 || t + 2 >= steps {
            return states[[n, t, v]];
        }
        let around = WEIGHTS.iter().enumerate().map(|(k, w)| w * states[[n, t + k - 2, v]]);
        let value = around.sum::<f64>();
        if value.is_finite() { value } else { states[[n, t, v]] }
    })
}
