//! The noise of a regression: sums over its residuals, and how far it is from Gaussian.
//!
//! With u = residual / sd at its time, the distance from Gaussian is
//! J = (E|u| − √(2/π))² / (2 − 6/π) + (E\[u|u|\] − 2√(2/π) E\[u\])² / (6 − 16/π):
//! how heavy the tails are, and how lopsided.

// Kernels gain from wider vectors only where they are inlined.
#![allow(clippy::inline_always)]

use std::f64::consts::PI;
use std::ops::Range;

use crate::design::{Columns, Partition};
use crate::moments::{LANES, TimeBasis};
use crate::vectors::{Kernel, vectorised};

/// Bins of time over which residuals are added up, at most.
pub(crate) const BINS: usize = 24;
/// Rows that a bin has at least.
const ROWS_PER_BIN: f64 = 40.0;

/// Sums over the residuals of one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
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
pub(crate) fn bins(columns: &Columns) -> Vec<Range<usize>> {
    let steps = columns.steps();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
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

/// A regression as residuals read it: columns, and coefficients\[column\]\[function\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regression<'a> {
    /// The column that is explained.
    pub target: usize,
    /// The columns that explain it.
    pub selected: &'a [usize],
    /// Their coefficients.
    pub coefficients: &'a [f64],
}

/// Memory that is used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResidualSums {
    paths: Vec<f64>,
}

impl ResidualSums {
    /// The sums over the residuals in each bin.
    pub fn add_up(
        &mut self,
        columns: &Columns,
        basis: &TimeBasis,
        bins: &[Range<usize>],
        regression: Regression<'_>,
        out: &mut [Sums],
    ) {
        let (size, steps) = (basis.size(), columns.steps());
        let (psi, each) = (basis.by_piece(), Partition::pieces(steps, columns.series()).each());
        self.paths.clear();
        for coefficients in regression.coefficients.chunks_exact(size) {
            let weight = |t: usize| (0..size).map(|b| psi[[t, b]] * coefficients[b]).sum::<f64>();
            self.paths.extend((0..psi.nrows()).map(weight));
        }
        let x: Vec<&[f64]> = regression.selected.iter().map(|c| columns.column(*c)).collect();
        let y = columns.column(regression.target);
        let rows = ResidualTerms {
            y,
            x: &x,
            paths: &self.paths,
            weights: columns.weights_of(regression.target),
        };
        vectorised::<ByBin, _>((rows, columns.series(), each, bins, out));
    }
}

/// What residuals are made of.
#[derive(Clone, Copy)]
struct ResidualTerms<'a> {
    y: &'a [f64],
    x: &'a [&'a [f64]],
    /// The weight of each x at each step.
    paths: &'a [f64],
    weights: Option<&'a [f64]>,
}

/// The sums over the residuals of each bin.
struct ByBin;

impl Kernel<(ResidualTerms<'_>, usize, usize, &[Range<usize>], &mut [Sums])> for ByBin {
    type Output = ();

    #[inline(always)]
    fn run(
        (rows, series, each, bins, out): (
            ResidualTerms<'_>,
            usize,
            usize,
            &[Range<usize>],
            &mut [Sums],
        ),
    ) {
        let ResidualTerms { y, x, paths, weights } = rows;
        for (sum, bin) in out.iter_mut().zip(bins) {
            *sum = if series == 1 && each == 1 {
                one_series(y, x, paths, weights, bin.clone(), y.len())
            } else {
                let rows = bin.start * series..bin.end * series;
                many_series(y, x, paths, weights, rows, series * each)
            };
        }
    }
}

/// Sums in eight interleaved parts so that they vectorise; added up in a fixed order.
type Parts = [[f64; LANES]; 5];

/// r = y − Σ_g w_g(t) x_g, step by step: the weights are the same for all series of a step.
#[inline(always)]
fn many_series(
    y: &[f64],
    x: &[&[f64]],
    paths: &[f64],
    weights: Option<&[f64]>,
    rows: Range<usize>,
    together: usize,
) -> Sums {
    let steps = y.len().div_ceil(together);
    let mut parts = Parts::default();
    let mut start = rows.start;
    while start < rows.end {
        // Rows that share their weights end with the step or piece.
        let t = start / together;
        let end = ((t + 1) * together).min(rows.end);
        while start < end {
            let count = LANES.min(end - start);
            let mut r = chunk(y, start, count);
            for (g, x) in x.iter().enumerate() {
                let factor = -paths[g * steps + t];
                let x = chunk(x, start, count);
                for lane in 0..LANES {
                    r[lane] = x[lane].mul_add(factor, r[lane]);
                }
            }
            add_chunk(&mut parts, &r, &row_weights(weights, start, count));
            start += count;
        }
    }
    added(&parts)
}

/// The same for one series, whose weights change from row to row.
#[inline(always)]
fn one_series(
    y: &[f64],
    x: &[&[f64]],
    paths: &[f64],
    weights: Option<&[f64]>,
    bin: Range<usize>,
    steps: usize,
) -> Sums {
    let mut parts = Parts::default();
    let mut start = bin.start;
    while start < bin.end {
        let count = LANES.min(bin.end - start);
        let mut r = chunk(y, start, count);
        for (g, x) in x.iter().enumerate() {
            let w = chunk(&paths[g * steps..(g + 1) * steps], start, count);
            let x = chunk(x, start, count);
            for lane in 0..LANES {
                r[lane] = x[lane].mul_add(-w[lane], r[lane]);
            }
        }
        add_chunk(&mut parts, &r, &row_weights(weights, start, count));
        start += count;
    }
    added(&parts)
}

/// Eight numbers, 0 where there are fewer.
#[inline(always)]
fn chunk(values: &[f64], start: usize, count: usize) -> [f64; LANES] {
    if let Some(whole) = values[start..].first_chunk::<LANES>()
        && count == LANES
    {
        return *whole;
    }
    let mut out = [0.0; LANES];
    out[..count].copy_from_slice(&values[start..start + count]);
    out
}

#[inline(always)]
fn row_weights(weights: Option<&[f64]>, start: usize, count: usize) -> [f64; LANES] {
    if let Some(weights) = weights {
        return chunk(weights, start, count);
    }
    if count == LANES {
        return [1.0; LANES];
    }
    let mut out = [0.0; LANES];
    out[..count].fill(1.0);
    out
}

#[inline(always)]
fn add_chunk(parts: &mut Parts, r: &[f64; LANES], w: &[f64; LANES]) {
    for lane in 0..LANES {
        let weighted = w[lane] * r[lane];
        let size = r[lane].abs();
        parts[0][lane] += w[lane];
        parts[1][lane] += weighted;
        parts[2][lane] = weighted.mul_add(r[lane], parts[2][lane]);
        parts[3][lane] = w[lane].mul_add(size, parts[3][lane]);
        parts[4][lane] = weighted.mul_add(size, parts[4][lane]);
    }
}

#[inline(always)]
fn added(parts: &Parts) -> Sums {
    let [rows, first, square, absolute, signed] = parts.map(|part| part.iter().sum());
    Sums { rows, first, square, absolute, signed }
}

/// The sums over residuals that are multiplied by the roots of their weights.
pub(crate) fn sums(residuals: &[f64], weights: Option<&[f64]>) -> Sums {
    let mut out = Sums::default();
    for (row, weighted) in residuals.iter().enumerate() {
        let weight = weights.map_or(1.0, |w| w[row]);
        let root = weight.sqrt();
        out.rows += weight;
        out.first += root * weighted;
        out.square += weighted * weighted;
        out.absolute += root * weighted.abs();
        out.signed += weighted * weighted.abs();
    }
    out
}

/// Makes so many rows of this variance of what residuals show, as it moves and is shaped.
///
/// Residuals of what was filled are too small: filling leaves some of the noise out, and moments know how
/// much.
pub(crate) fn bring_to(sums: &mut [Sums], rows: f64, variance: f64) {
    let all = |of: fn(&Sums) -> f64| sums.iter().map(of).sum::<f64>();
    let (seen, square) = (all(|s| s.rows), all(|s| s.square));
    if !(seen > 0.0 && square > 0.0) {
        return;
    }
    let count = rows / seen;
    let unit = (variance.max(0.0) * seen / square).sqrt();
    for sum in sums {
        sum.rows *= count;
        sum.first *= count * unit;
        sum.absolute *= count * unit;
        sum.square *= count * unit * unit;
        sum.signed *= count * unit * unit;
    }
}

/// J of residuals, given their variance in each bin.
pub(crate) fn negentropy(bins: &[Sums], variances: &[f64]) -> f64 {
    let rows: f64 = bins.iter().map(|bin| bin.rows).sum();
    let [mut absolute, mut signed, mut first] = [0.0; 3];
    for (bin, variance) in bins.iter().zip(variances) {
        let sd = variance.sqrt();
        absolute += bin.absolute / sd;
        signed += bin.signed / variance;
        first += bin.first / sd;
    }
    let flat = (2.0 / PI).sqrt();
    (absolute / rows - flat).powi(2) / (2.0 - 6.0 / PI)
        + ((signed - 2.0 * flat * first) / rows).powi(2) / (6.0 - 16.0 / PI)
}
