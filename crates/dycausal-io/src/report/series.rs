//! The data themselves, as few numbers as a small picture can show.

use dycausal::Panel;
use ndarray::s;
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
}

/// The description, and per variable five rows of bytes: smallest, mean and largest value of all
/// series in each stretch, the mean of the first series, and the share that is missing.
pub(super) fn series(panel: &Panel) -> (Series, Vec<u8>) {
    let buckets = buckets(panel.steps(), panel.variables());
    let mut bytes = Vec::new();
    let mut variables = Vec::new();
    for (number, summary) in panel.summaries().into_iter().enumerate() {
        let empty = summary.count == 0;
        let range = Range {
            low: if empty { 0.0 } else { summary.low },
            high: if empty { 0.0 } else { summary.high },
        };
        write_rows(panel, number, &buckets, range, &mut bytes);
        variables.push(Variable {
            low: short(range.low),
            high: short(range.high),
            mean: short(summary.mean),
            sd: short(summary.sd),
            missing: panel.series() * panel.steps() - summary.count,
        });
    }
    let (count, steps, missing) = (panel.series(), panel.steps(), panel.missing());
    (Series { count, steps, missing, buckets, variables }, bytes)
}

fn buckets(steps: usize, variables: usize) -> Vec<usize> {
    let room = (MOST_CELLS / variables).clamp(30, MOST_BUCKETS).min(steps);
    (0..room).map(|bucket| bucket * steps / room).collect()
}

fn write_rows(panel: &Panel, variable: usize, buckets: &[usize], range: Range, to: &mut Vec<u8>) {
    let mut rows: [Vec<u8>; 5] = Default::default();
    for (index, start) in buckets.iter().enumerate() {
        let end = buckets.get(index + 1).copied().unwrap_or(panel.steps());
        let cells = panel.values();
        let all = Stretch::of(cells.slice(s![.., *start..end, variable]).iter());
        let first = Stretch::of(cells.slice(s![0, *start..end, variable]).iter());
        let values = [all.low, all.mean(), all.high, first.mean()];
        for (row, value) in rows.iter_mut().zip(values) {
            row.push(byte(range.share(value, 254.0)));
        }
        rows[4].push(byte(Some((255.0 * all.missing_share()).ceil())));
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

    fn missing_share(&self) -> f64 {
        self.missing as f64 / (self.missing + self.count).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn missing_cells_and_extremes_survive_the_thinning() {
        let mut values = Array3::from_elem((2, 1000, 1), 1.0);
        values[[1, 777, 0]] = 9.0;
        values[[0, 10, 0]] = f64::NAN;
        let (about, bytes) = series(&Panel::unnamed(values).unwrap());
        let buckets = about.buckets.len();
        assert_eq!((about.missing, about.variables[0].missing, bytes.len()), (1, 1, 5 * buckets));
        let spike = about.buckets.iter().rposition(|start| *start <= 777).unwrap();
        assert_eq!(bytes[2 * buckets + spike], 254);
        assert!(bytes[4 * buckets..].iter().filter(|share| **share > 0).count() == 1);
    }
}
