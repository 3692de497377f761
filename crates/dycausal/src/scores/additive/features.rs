//! The rows as features: functions of every column, times functions of time.
//!
//! A column's group holds s_f(x) ψ_b(t), what a mean that moves would explain taken out of each, and
//! made orthonormal within the group, so that regressions on it are well conditioned whatever the data.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;

use super::splines::Spline;
use crate::design::Columns;
use crate::moments::TimeBasis;
use crate::thresholds::SERIES_FOR_STEP_MEANS;

/// Length, of 1, below which a function is a sum of those before it.
const DISTINCT: f64 = 1e-5;

/// Columns of a block of moments.
const BLOCK: usize = 64;

/// Orthonormal features of every column.
#[derive(Debug)]
pub(crate) struct Features {
    /// Values\[row, feature\], rows as columns have them, each multiplied by the root of its weight.
    pub values: Mat<f64>,
    /// Which features belong to each column.
    pub groups: Vec<Range<usize>>,
    /// The target of each variable, likewise; of mean square 1 before its mean was taken out.
    pub targets: Mat<f64>,
    /// How features are made of splines and time.
    pub made: Vec<Made>,
    /// The functions of each variable.
    pub splines: Vec<Spline>,
}

/// feature_k = Σ_{f,b} s_f(x) ψ_b(t) · back\[(f, b), k\], up to a function of time alone.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// Entries\[function · times + time\]\[feature\].
    pub back: Mat<f64>,
}

impl Features {
    /// The features of columns: so many functions of each, times those of time.
    pub fn of(columns: &Columns, basis: &TimeBasis, functions: usize) -> Self {
        let d = columns.variables();
        let splines: Vec<Spline> =
            (0..d).into_par_iter().map(|v| Spline::of(columns.whole(v), functions)).collect();
        let made: Vec<(Mat<f64>, Made)> = (0..columns.size())
            .into_par_iter()
            .map(|column| group(columns, basis, &splines[column % d], column))
            .collect();
        let rows = columns.steps() * columns.series();
        let mut groups = Vec::with_capacity(made.len());
        let mut end = 0;
        for (values, _) in &made {
            groups.push(end..end + values.ncols());
            end += values.ncols();
        }
        let mut values = Mat::zeros(rows, end);
        for ((own, _), range) in made.iter().zip(&groups) {
            values.as_mut().subcols_mut(range.start, range.len()).copy_from(own);
        }
        let mut targets = Mat::zeros(rows, d);
        for v in 0..d {
            let target = targets.col_as_slice_mut(v);
            target.copy_from_slice(columns.column(v));
            take_mean_out(columns, basis, target);
            weigh(columns, target);
        }
        let made = made.into_iter().map(|(_, made)| made).collect();
        Self { values, groups, targets, made, splines }
    }

    /// Inner products of all features and targets, per row: features first, then targets.
    ///
    /// In blocks of columns, so that their bits do not depend on the number of threads.
    pub fn gram(&self, rows: f64) -> Mat<f64> {
        let (p, d, n) = (self.values.ncols(), self.targets.ncols(), self.values.nrows());
        let mut all = Mat::zeros(n, p + d);
        all.as_mut().subcols_mut(0, p).copy_from(&self.values);
        all.as_mut().subcols_mut(p, d).copy_from(&self.targets);
        let blocks: Vec<Range<usize>> =
            (0..p + d).step_by(BLOCK).map(|start| start..(start + BLOCK).min(p + d)).collect();
        let product = |block: &Range<usize>| {
            let mut out = Mat::zeros(p + d, block.len());
            let right = all.as_ref().subcols(block.start, block.len());
            let left = all.as_ref().transpose();
            matmul(out.as_mut(), Accum::Replace, left, right, 1.0 / rows, Par::Seq);
            out
        };
        let parts: Vec<Mat<f64>> = blocks.par_iter().map(product).collect();
        let mut gram = Mat::zeros(p + d, p + d);
        for (part, block) in parts.iter().zip(&blocks) {
            gram.as_mut().subcols_mut(block.start, block.len()).copy_from(part);
        }
        gram
    }
}

/// Takes out what a function of time alone explains: the mean of each step where there are many series,
/// the functions of the basis where there are few.
pub(super) fn take_mean_out(columns: &Columns, basis: &TimeBasis, values: &mut [f64]) {
    let series = columns.series();
    let weight = |row: usize| columns.weights().map_or(1.0, |w| w[row]);
    if series >= SERIES_FOR_STEP_MEANS {
        for (t, step) in values.chunks_exact_mut(series).enumerate() {
            let (mut sum, mut count) = (0.0, 0.0);
            for (n, x) in step.iter().enumerate() {
                sum += weight(t * series + n) * x;
                count += weight(t * series + n);
            }
            let mean = if count > 0.0 { sum / count } else { 0.0 };
            for x in step {
                *x -= mean;
            }
        }
        return;
    }
    let psi = basis.values();
    for b in 0..basis.size() {
        let entries = values.iter().enumerate();
        let sum: f64 = entries.map(|(row, x)| weight(row) * psi[[row / series, b]] * x).sum();
        let share = sum / columns.rows();
        values.iter_mut().enumerate().for_each(|(row, x)| *x -= share * psi[[row / series, b]]);
    }
}

/// Multiplies each row by the root of its weight.
fn weigh(columns: &Columns, values: &mut [f64]) {
    if let Some(weights) = columns.weights() {
        values.iter_mut().zip(weights).for_each(|(x, w)| *x *= w.sqrt());
    }
}

/// The orthonormal features of one column, and how they are made.
fn group(columns: &Columns, basis: &TimeBasis, spline: &Spline, column: usize) -> (Mat<f64>, Made) {
    let (size, times, series) = (spline.size(), basis.size(), columns.series());
    let x = columns.column(column);
    let mut plain = Mat::zeros(x.len(), size * times);
    let mut at = vec![0.0; size];
    let psi = basis.values();
    for (row, x) in x.iter().enumerate() {
        spline.values(*x, &mut at);
        for (f, value) in at.iter().enumerate() {
            for b in 0..times {
                plain[(row, f * times + b)] = value * psi[[row / series, b]];
            }
        }
    }
    let mut kept = Mat::zeros(x.len(), size * times);
    let mut back = Mat::zeros(size * times, size * times);
    let mut count = 0;
    // Lines of all functions of time first: what is linear stays the first feature.
    for k in 0..size * times {
        let mut next = plain.col_as_slice(k).to_vec();
        take_mean_out(columns, basis, &mut next);
        weigh(columns, &mut next);
        let mut way = vec![0.0; size * times];
        way[k] = 1.0;
        let rows = columns.rows();
        let began = (dot(&next, &next) / rows).sqrt();
        // Twice: once leaves rounding errors.
        for _ in 0..2 {
            for other in 0..count {
                let before: &[f64] = kept.col_as_slice(other);
                let share = dot(&next, before) / rows;
                next.iter_mut().zip(before).for_each(|(x, y)| *x -= share * y);
                way.iter_mut().enumerate().for_each(|(e, w)| *w -= share * back[(e, other)]);
            }
        }
        let length = (dot(&next, &next) / rows).sqrt();
        if length > DISTINCT * began && length.is_finite() && length > 0.0 {
            let column = kept.col_as_slice_mut(count);
            column.iter_mut().zip(&next).for_each(|(o, x)| *o = x / length);
            way.iter().enumerate().for_each(|(e, w)| back[(e, count)] = w / length);
            count += 1;
        }
    }
    let keep = |all: &Mat<f64>| all.as_ref().subcols(0, count).to_owned();
    (keep(&kept), Made { back: keep(&back) })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    crate::linear_algebra::dot(a, b)
}
