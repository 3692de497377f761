//! The data themselves, as few numbers as a small picture can show.

use dycausal::{Missing, Panel};
use ndarray::{Array3, s};
use serde::Serialize;

use super::curves::Range;
use super::short;

/// The most stretches of time that are told apart.
const MOST_BUCKETS: usize = 240;
/// Of all variables together.
const MOST_CELLS: usize = 24_000;

/// What the payload says of the data; the numbers themselves are bytes behind it.
#[derive(Debug, Serialize)]
pub(super) struct Series {
    #[serde(rename = "series")]
    count: usize,
    steps: usize,
    missing: usize,
    /// How many of the missing cells the fit filled.
    filled: usize,
    /// The first step of each stretch.
    buckets: Vec<usize>,
    variables: Vec<Variable>,
}

#[derive(Debug, Serialize)]
struct Variable {
    low: f64,
    high: f64,
    mean: f64,
    sd: f64,
    missing: usize,
    filled: usize,
}

/// The description, and per variable six rows of bytes: smallest, mean and largest value of all
/// series in each stretch, the mean of the first series, the share that was left out, and the share that
/// was filled.
pub(super) fn series(panel: &Panel, how: Missing) -> (Series, Vec<u8>) {
    let filled = filled(panel, how);
    let buckets = buckets(panel.steps(), panel.variables());
    let mut bytes = Vec::new();
    let mut variables = Vec::new();
    for (number, summary) in panel.summaries().into_iter().enumerate() {
        let empty = summary.count == 0;
        let range = Range {
            low: if empty { 0.0 } else { summary.low },
            high: if empty { 0.0 } else { summary.high },
        };
        write_rows(panel, &filled, number, &buckets, range, &mut bytes);
        variables.push(Variable {
            low: short(range.low),
            high: short(range.high),
            mean: short(summary.mean),
            sd: short(summary.sd),
            missing: panel.series() * panel.steps() - summary.count,
            filled: filled.slice(s![.., .., number]).iter().filter(|cell| **cell).count(),
        });
    }
    let (count, steps, missing) = (panel.series(), panel.steps(), panel.missing());
    let filled = filled.iter().filter(|cell| **cell).count();
    (Series { count, steps, missing, filled, buckets, variables }, bytes)
}

/// Cells that a fit filled: those that are missing in rows of which something was observed.
fn filled(panel: &Panel, how: Missing) -> Array3<bool> {
    let mut cells = panel.values().mapv(f64::is_nan);
    for mut row in cells.rows_mut() {
        if how == Missing::CompleteRows || row.iter().all(|missing| *missing) {
            row.fill(false);
        }
    }
    cells
}

fn buckets(steps: usize, variables: usize) -> Vec<usize> {
    let room = (MOST_CELLS / variables).clamp(30, MOST_BUCKETS).min(steps);
    (0..room).map(|bucket| bucket * steps / room).collect()
}

fn write_rows(
    panel: &Panel,
    filled: &Array3<bool>,
    variable: usize,
    buckets: &[usize],
    range: Range,
    to: &mut Vec<u8>,
) {
    let mut rows: [Vec<u8>; 6] = Default::default();
    for (index, start) in buckets.iter().enumerate() {
        let end = buckets.get(index + 1).copied().unwrap_or(panel.steps());
        let cells = panel.values();
        let all = Stretch::of(cells.slice(s![.., *start..end, variable]).iter());
        let first = Stretch::of(cells.slice(s![0, *start..end, variable]).iter());
        let values = [all.low, all.mean(), all.high, first.mean()];
        for (row, value) in rows.iter_mut().zip(values) {
            row.push(byte(range.share(value, 254.0)));
        }
        let cells = filled.slice(s![.., *start..end, variable]);
        let filled = cells.iter().filter(|cell| **cell).count();
        for (row, count) in rows[4..].iter_mut().zip([all.missing - filled, filled]) {
            row.push(byte(Some((255.0 * count as f64 / cells.len() as f64).ceil())));
        }
    }
    for row in &rows {
        to.extend(row);
    }
}

/// 255 is "none".
fn byte(share: Option<f64>) -> u8 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    share.map_or(u8::MAX, |share| share as u8)
}

/// Values of one variable in one stretch of time.
struct Stretch {
    low: f64,
    high: f64,
    sum: f64,
    count: usize,
    missing: usize,
}

impl Stretch {
    fn of<'a>(values: impl Iterator<Item = &'a f64>) -> Self {
        let empty =
            Self { low: f64::INFINITY, high: f64::NEG_INFINITY, sum: 0.0, count: 0, missing: 0 };
        values.fold(empty, |mut stretch, value| {
            if value.is_nan() {
                stretch.missing += 1;
            } else {
                stretch.low = stretch.low.min(*value);
                stretch.high = stretch.high.max(*value);
                stretch.sum += value;
                stretch.count += 1;
            }
            stretch
        })
    }

    fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.sum / self.count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_filled_is_told_from_what_was_left_out() {
        let mut values = Array3::from_elem((1, 100, 2), 1.0);
        values[[0, 10, 0]] = f64::NAN;
        (0..2).for_each(|v| values[[0, 50, v]] = f64::NAN);
        let panel = Panel::unnamed(values).unwrap();
        let (about, bytes) = series(&panel, Missing::Fill);
        assert_eq!((about.missing, about.filled, about.variables[0].filled), (3, 1, 1));
        let row = |k: usize| &bytes[100 * k..100 * (k + 1)];
        assert!(row(4)[50] == 255 && row(4)[10] == 0 && row(5)[10] == 255 && row(5)[50] == 0);
        let (about, bytes) = series(&panel, Missing::CompleteRows);
        assert!(about.filled == 0 && bytes[400 + 10] == 255 && bytes[500 + 10] == 0);
    }

    #[test]
    fn missing_cells_and_extremes_survive_the_thinning() {
        let mut values = Array3::from_elem((2, 1000, 1), 1.0);
        values[[1, 777, 0]] = 9.0;
        values[[0, 10, 0]] = f64::NAN;
        let panel = Panel::unnamed(values).unwrap();
        let (about, bytes) = series(&panel, Missing::CompleteRows);
        let buckets = about.buckets.len();
        assert_eq!((about.missing, about.variables[0].missing, bytes.len()), (1, 1, 6 * buckets));
        let spike = about.buckets.iter().rposition(|start| *start <= 777).unwrap();
        assert_eq!(bytes[2 * buckets + spike], 254);
        assert!(bytes[4 * buckets..5 * buckets].iter().filter(|share| **share > 0).count() == 1);
    }
}
