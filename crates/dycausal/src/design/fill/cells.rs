//! The cells of all rows, and which of them are missing.

use super::super::rows::UsableRows;
use super::Imputation;
use crate::thresholds::SERIES_FOR_STEP_MEANS;

/// Values that this takes.
const VALUES_FOR_SCALE: f64 = 15.0;

/// Cells\[series\]\[step\]\[variable\], variables in an order that depends on their values alone, so
/// that the same is filled in whatever order they come.
#[derive(Debug)]
pub(super) struct Cells {
    series: usize,
    pub steps: usize,
    pub variables: usize,
    /// The number of each variable in the values it came from.
    order: Vec<usize>,
    /// Observed, or filled, in units of `scale`; 0 until then.
    values: Vec<f64>,
    /// Root mean squares\[step\]\[variable\], where there are series enough to know them.
    scale: Vec<f64>,
    absent: Vec<bool>,
    /// The variance that is left of each cell: 0 where it was observed.
    left: Vec<f64>,
    /// Of each row.
    pub usable: Vec<bool>,
}

impl Cells {
    /// From values\[variable\]\[step\]\[series\].
    pub fn of(values: &[f64], series: usize, steps: usize, usable: &UsableRows) -> Self {
        let length = series * steps;
        let variables = values.len() / length;
        let column = |v: usize| &values[v * length..(v + 1) * length];
        let size = |v: usize| column(v).iter().filter(|x| !x.is_nan()).map(|x| x.abs()).sum();
        let sizes: Vec<f64> = (0..variables).map(size).collect();
        let mut order: Vec<usize> = (0..variables).collect();
        order.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
        let mut cells = vec![0.0; values.len()];
        let mut absent = vec![false; values.len()];
        for (place, v) in order.iter().enumerate() {
            for (at, x) in column(*v).iter().enumerate() {
                let to = (at % series * steps + at / series) * variables + place;
                absent[to] = x.is_nan();
                cells[to] = if x.is_nan() { 0.0 } else { *x };
            }
        }
        let scale = scale(&cells, &absent, series, steps);
        for (row, cells) in cells.chunks_exact_mut(variables).enumerate() {
            let scale = &scale[row % steps * variables..];
            cells.iter_mut().zip(scale).for_each(|(x, s)| *x /= s);
        }
        let usable = (0..length).map(|row| usable.contains(row / steps, row % steps, 0)).collect();
        Self {
            left: vec![0.0; cells.len()],
            series,
            steps,
            variables,
            order,
            values: cells,
            scale,
            absent,
            usable,
        }
    }

    /// Rows that can be filled.
    pub fn usable_rows(&self) -> usize {
        self.usable.iter().filter(|usable| **usable).count()
    }

    /// How many series.
    pub fn series(&self) -> usize {
        self.series
    }

    /// Which cells of a row are missing.
    pub fn absent(&self, row: usize) -> &[bool] {
        &self.absent[row * self.variables..(row + 1) * self.variables]
    }

    /// How many cells of a row are missing.
    pub fn missing(&self, row: usize) -> usize {
        self.absent(row).iter().filter(|absent| **absent).count()
    }

    /// The cells of a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.variables..(row + 1) * self.variables]
    }

    /// The observed cells of a row, 0 in place of the others.
    pub fn observed(&self, row: usize) -> impl Iterator<Item = f64> {
        self.row(row).iter().zip(self.absent(row)).map(|(x, absent)| if *absent { 0.0 } else { *x })
    }

    /// The variances that are left of the cells of a row.
    pub fn left(&self, row: usize) -> &[f64] {
        &self.left[row * self.variables..(row + 1) * self.variables]
    }

    /// Takes what was found for the missing cells of each row.
    pub fn take(&mut self, found: &[Vec<Imputation>]) {
        for (row, found) in found.iter().enumerate().filter(|(_, found)| !found.is_empty()) {
            let range = row * self.variables..(row + 1) * self.variables;
            for (at, found) in range.filter(|at| self.absent[*at]).zip(found) {
                self.values[at] = found.mean;
                self.left[at] = found.left;
            }
        }
    }

    /// Writes what was filled to the values it came from; nothing else is touched. Returns the variance
    /// that is left of each.
    pub fn write(&self, values: &mut [f64]) -> Vec<f64> {
        let length = self.series * self.steps;
        let mut left = vec![0.0; values.len()];
        for (place, v) in self.order.iter().enumerate() {
            let column = &mut values[v * length..(v + 1) * length];
            for (at, x) in column.iter_mut().enumerate().filter(|(_, x)| x.is_nan()) {
                let row = at % self.series * self.steps + at / self.series;
                if self.usable[row] {
                    let scale = self.scale[at / self.series * self.variables + place];
                    *x = scale * self.values[row * self.variables + place];
                    left[v * length + at] = scale * scale * self.left[row * self.variables + place];
                }
            }
        }
        left
    }
}

/// The root mean square of each variable over the series of a step and its neighbours; 1 where there are
/// too few of them.
fn scale(cells: &[f64], absent: &[bool], series: usize, steps: usize) -> Vec<f64> {
    let variables = cells.len() / (series * steps);
    let mut out = vec![1.0; steps * variables];
    if series < SERIES_FOR_STEP_MEANS {
        return out;
    }
    let mut sums = vec![(0.0, 0.0); steps * variables];
    for (at, (x, absent)) in cells.iter().zip(absent).enumerate().filter(|(_, (_, a))| !**a) {
        let sum = &mut sums[at % (steps * variables)];
        *sum = (sum.0 + x * x, sum.1 + f64::from(u8::from(!absent)));
    }
    for (at, scale) in out.iter_mut().enumerate() {
        let (t, v) = (at / variables, at % variables);
        let near = t.saturating_sub(1)..(t + 2).min(steps);
        let sum =
            near.map(|t| sums[t * variables + v]).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        if sum.1 >= VALUES_FOR_SCALE && sum.0 > 0.0 {
            *scale = (sum.0 / sum.1).sqrt();
        }
    }
    out
}
