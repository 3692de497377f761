//! The noise of a regression: its variance in each part of time, and how far it is from Gaussian.
//!
//! With u = residual / sd of its bin, the distance from Gaussian is
//! J = (E|u| − √(2/π))² / (2 − 6/π) + (E\[u|u|\] − 2√(2/π) E\[u\])² / (6 − 16/π):
//! how heavy the tails are, and how lopsided.

use std::f64::consts::PI;
use std::ops::Range;

use super::shrink::Fit;
use crate::moments::{Columns, LANES, TimeBasis, vectorised};

/// Bins of time in which the noise has its own variance, at most.
const BINS: usize = 5;
/// Rows that a bin has at least.
const ROWS_PER_BIN: f64 = 40.0;

/// Sums over the residuals of one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sums {
    /// Rows.
    pub rows: f64,
    /// Σ r.
    pub first: f64,
    /// Σ r².
    pub square: f64,
    /// Σ |r|.
    pub absolute: f64,
    /// Σ r |r|.
    pub signed: f64,
}

/// Steps with rows, cut into bins with about as many rows each.
pub(super) fn bins(columns: &Columns) -> Vec<Range<usize>> {
    let steps = columns.steps();
    let fitting = (columns.rows() / ROWS_PER_BIN) as usize;
    let count = BINS.min(steps).min(fitting).max(1);
    let mut edges = vec![0];
    let mut seen = 0.0;
    for step in 0..steps {
        seen += columns.rows_at(step);
        let full = columns.rows() * edges.len() as f64 / count as f64;
        if seen >= full * (1.0 - 1e-12) && edges.len() < count && step + 1 < steps {
            edges.push(step + 1);
        }
    }
    edges.push(steps);
    edges.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Memory that is used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Residuals {
    values: Vec<f64>,
    path: Vec<f64>,
}

impl Residuals {
    /// The sums over the residuals of a fit in one bin; its columns are counted in `columns`.
    pub fn sums(
        &mut self,
        columns: &Columns,
        basis: &TimeBasis,
        target: usize,
        fit: &Fit,
        names: impl Fn(usize) -> usize,
        bin: Range<usize>,
    ) -> Sums {
        self.compute(columns, basis, target, fit, names, bin.clone());
        let series = columns.series();
        let weights = columns.weights().map(|w| &w[bin.start * series..bin.end * series]);
        let values = &self.values;
        vectorised(
            #[inline(always)]
            || add_up(values, weights),
        )
    }

    /// The residuals of a fit in one bin, step by step.
    fn compute(
        &mut self,
        columns: &Columns,
        basis: &TimeBasis,
        target: usize,
        fit: &Fit,
        names: impl Fn(usize) -> usize,
        bin: Range<usize>,
    ) {
        let (series, size) = (columns.series(), basis.size());
        let rows = bin.start * series..bin.end * series;
        self.values.clear();
        self.values.extend_from_slice(&columns.column(target)[rows.clone()]);
        for (group, regressor) in fit.selected.iter().enumerate() {
            let coefficients = &fit.coefficients[group * size..(group + 1) * size];
            let x = &columns.column(names(*regressor))[rows.clone()];
            self.path.clear();
            self.path.extend(bin.clone().map(|t| {
                let psi = basis.values();
                (0..size).map(|b| psi[[t, b]] * coefficients[b]).sum::<f64>()
            }));
            let (values, path) = (&mut self.values, &self.path);
            vectorised(
                #[inline(always)]
                || subtract(values, path, x, series),
            );
        }
    }
}

/// r ← r − w(t) x.
#[inline(always)]
fn subtract(values: &mut [f64], path: &[f64], x: &[f64], series: usize) {
    if series == 1 {
        for ((r, w), x) in values.iter_mut().zip(path).zip(x) {
            *r -= w * x;
        }
        return;
    }
    let steps = values.chunks_exact_mut(series).zip(x.chunks_exact(series));
    for ((r, x), w) in steps.zip(path) {
        for (r, x) in r.iter_mut().zip(x) {
            *r -= w * x;
        }
    }
}

/// The sums, in eight interleaved parts so that they vectorise, added in a fixed order.
#[inline(always)]
fn add_up(values: &[f64], weights: Option<&[f64]>) -> Sums {
    let mut parts = [[0.0; LANES]; 5];
    let (chunks, rest) = values.as_chunks::<LANES>();
    if let Some(weights) = weights {
        let (by_eight, last) = weights.as_chunks::<LANES>();
        for (r, w) in chunks.iter().zip(by_eight) {
            add_chunk(&mut parts, r, w);
        }
        let (mut r, mut w) = ([0.0; LANES], [0.0; LANES]);
        r[..rest.len()].copy_from_slice(rest);
        w[..last.len()].copy_from_slice(last);
        add_chunk(&mut parts, &r, &w);
    } else {
        for r in chunks {
            add_chunk(&mut parts, r, &[1.0; LANES]);
        }
        let (mut r, mut w) = ([0.0; LANES], [0.0; LANES]);
        r[..rest.len()].copy_from_slice(rest);
        w[..rest.len()].fill(1.0);
        add_chunk(&mut parts, &r, &w);
    }
    let [rows, first, square, absolute, signed] = parts.map(|part| part.iter().sum());
    Sums { rows, first, square, absolute, signed }
}

#[inline(always)]
fn add_chunk(parts: &mut [[f64; LANES]; 5], r: &[f64; LANES], w: &[f64; LANES]) {
    for lane in 0..LANES {
        let weighted = w[lane] * r[lane];
        let size = r[lane].abs();
        parts[0][lane] += w[lane];
        parts[1][lane] += weighted;
        parts[2][lane] += weighted * r[lane];
        parts[3][lane] += w[lane] * size;
        parts[4][lane] += weighted * size;
    }
}

/// Σ_bins rows_k log s²_k.
pub(super) fn log_variances(bins: &[Sums]) -> f64 {
    bins.iter().map(|bin| bin.rows * variance(bin).ln()).sum()
}

/// J of residuals in units of the standard deviation of their bin.
pub(super) fn negentropy(bins: &[Sums]) -> f64 {
    let rows: f64 = bins.iter().map(|bin| bin.rows).sum();
    let mean = |part: fn(&Sums, f64) -> f64| {
        bins.iter().map(|bin| part(bin, variance(bin).sqrt())).sum::<f64>() / rows
    };
    let absolute = mean(|bin, sd| bin.absolute / sd);
    let signed = mean(|bin, sd| bin.signed / (sd * sd));
    let first = mean(|bin, sd| bin.first / sd);
    let flat = (2.0 / PI).sqrt();
    (absolute - flat).powi(2) / (2.0 - 6.0 / PI)
        + (signed - 2.0 * flat * first).powi(2) / (6.0 - 16.0 / PI)
}

fn variance(bin: &Sums) -> f64 {
    (bin.square / bin.rows.max(1.0)).max(1e-15)
}
