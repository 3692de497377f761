//! The numbers of the sliding window at each knot.

use dycausal::Panel;
use ndarray::s;

use crate::balance::factors;
use crate::grid::Grid;

/// Values\[knot\]\[series, step, variable\] of the windows, counted from `centres`; with
/// `balance`, in units in which no window is larger than the median one.
pub(crate) fn windows(grid: &Grid, panel: &Panel, centres: &[f64], balance: bool) -> Vec<Vec<f64>> {
    let values = panel.values();
    let window = |step: &usize| {
        let start = grid.window_start(*step);
        let rows = values.slice(s![.., start..start + grid.window, ..]);
        let centred = rows.indexed_iter().map(|((_, _, v), x)| x - centres[v]);
        centred.collect()
    };
    let mut all: Vec<Vec<f64>> = grid.knots.iter().map(window).collect();
    if balance {
        let squares: Vec<f64> = all.iter().map(|w| w.iter().map(|x| x * x).sum()).collect();
        for (window, factor) in all.iter_mut().zip(factors(&squares)) {
            let unit = factor.sqrt();
            for x in window {
                *x *= unit;
            }
        }
    }
    all
}
