//! The numbers of the sliding window at each knot.

use ndarray::s;

use super::layout::Layout;
use crate::panel::Panel;

/// Values\[knot\]\[series, step, variable\] of the windows, counted from each variable's mean.
pub(super) fn windows(layout: &Layout, panel: &Panel) -> Vec<Vec<f64>> {
    let summaries = panel.summaries();
    let values = panel.values();
    let window = |step: &usize| {
        let start = layout.window_start(*step);
        let rows = values.slice(s![.., start..start + layout.window, ..]);
        let centred = rows.indexed_iter().map(|((_, _, v), x)| x - summaries[v].mean);
        centred.collect()
    };
    layout.knots.iter().map(window).collect()
}
