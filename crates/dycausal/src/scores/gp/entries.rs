//! Loops over the entries of covariances, column by column, compiled for the machine's vectors.

// Kernels gain from wider vectors only where they are inlined.
#![allow(clippy::inline_always)]

use std::marker::PhantomData;

use faer::Mat;

use crate::real::Real;
use crate::vectors::Kernel;

/// Sums in so many interleaved parts vectorise.
const LANES: usize = 16;
/// Columns and rows of a tile.
const TILE: usize = 32;

/// Σ of what `term` gives for each index, in interleaved parts.
#[inline(always)]
fn added<R: Real>(count: usize, mut term: impl FnMut(usize) -> R) -> R {
    let mut sums = [R::ZERO; LANES];
    let whole = count - count % LANES;
    let mut start = 0;
    while start < whole {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += term(start + lane);
        }
        start += LANES;
    }
    let mut total = sums.iter().copied().sum::<R>();
    for index in whole..count {
        total += term(index);
    }
    total
}

/// Σ a b in double precision.
pub(super) struct DotProduct;

impl<R: Real> Kernel<(&[R], &[R])> for DotProduct {
    type Output = f64;

    #[inline(always)]
    fn run((a, b): (&[R], &[R])) -> f64 {
        let mut total = 0.0;
        for (a, b) in a.chunks(256).zip(b.chunks(256)) {
            let b = &b[..a.len()];
            total += added(a.len(), |at| a[at] * b[at]).wide();
        }
        total
    }
}

/// U = 2(b + g) r_a r_b and s_f² asin U of one column.
pub(super) struct Arcsine;

type ArcsineColumn<'a, R> = (&'a [R], &'a [R], (R, R, R), &'a mut [R], &'a mut [R]);

impl<R: Real> Kernel<ArcsineColumn<'_, R>> for Arcsine {
    type Output = ();

    #[inline(always)]
    fn run((products, roots, (bias, own, size), u, out): ArcsineColumn<'_, R>) {
        let two = R::of(2.0);
        for (((u, f), g), root) in u.iter_mut().zip(out).zip(products).zip(roots) {
            let x = two * (bias + *g) * own * *root;
            let x = if x > R::ONE { R::ONE } else { x };
            let x = if x < -R::ONE { -R::ONE } else { x };
            *u = x;
            *f = size * x.arcsine();
        }
    }
}

/// Q = s_f² M / √(1 − U²) in place of U; Q U added to the sums of the rows, and their total with what the
/// first had before returned: what the first row has in the end.
pub(super) struct ArcsineSlopes;

impl<R: Real> Kernel<(&[R], R, &mut [R], &mut [R])> for ArcsineSlopes {
    type Output = R;

    #[inline(always)]
    fn run((m, size, q, sums): (&[R], R, &mut [R], &mut [R])) -> R {
        let count = m.len();
        let (q, sums) = (&mut q[..count], &mut sums[..count]);
        let least = R::of(1e-6);
        let before = sums[0];
        let total = added(count, |at| {
            let u = q[at];
            let left = R::ONE - u * u;
            let left = if left > least { left } else { least };
            let slope = size * m[at] / left.root();
            q[at] = slope;
            let entry = slope * u;
            sums[at] += entry;
            entry
        });
        before + total
    }
}

/// A function of r².
pub(super) trait RadialEntry {
    /// Its value and its derivative.
    fn at<R: Real>(square: R) -> (R, R);
}

/// exp(−r²/2).
pub(super) struct Smooth;

impl RadialEntry for Smooth {
    #[inline(always)]
    fn at<R: Real>(square: R) -> (R, R) {
        let value = (R::of(-0.5) * square).exponential();
        (value, R::of(-0.5) * value)
    }
}

/// (1 + √5 r + 5r²/3) exp(−√5 r).
pub(super) struct Rough;

impl RadialEntry for Rough {
    #[inline(always)]
    fn at<R: Real>(square: R) -> (R, R) {
        let r = (R::of(5.0) * square).root();
        let fall = (-r).exponential();
        let value = (R::ONE + r + r * r / R::of(3.0)) * fall;
        (value, R::of(-5.0 / 6.0) * (R::ONE + r) * fall)
    }
}

/// s_f² k(r²) + s_l² g and s_f² k' of one column.
pub(super) struct Radial<P>(PhantomData<P>);

type RadialColumn<'a, R> = (&'a [R], &'a [R], (R, R), &'a mut [R], &'a mut [R]);

impl<R: Real, P: RadialEntry> Kernel<RadialColumn<'_, R>> for Radial<P> {
    type Output = ();

    #[inline(always)]
    fn run((products, own, (size, linear), out, slopes): RadialColumn<'_, R>) {
        let (two, first) = (R::of(2.0), own[0]);
        for (((f, s), g), other) in out.iter_mut().zip(slopes).zip(products).zip(own) {
            let square = first + *other - two * *g;
            let square = if square > R::ZERO { square } else { R::ZERO };
            let (value, slope) = P::at(square);
            *f = size * value + linear * *g;
            *s = size * slope;
        }
    }
}

/// M (slope + line) in place of the slope; M slope added to the sums of the rows, as [`ArcsineSlopes`] does.
pub(super) struct Times;

impl<R: Real> Kernel<(&[R], R, &mut [R], &mut [R])> for Times {
    type Output = R;

    #[inline(always)]
    fn run((m, line, q, sums): (&[R], R, &mut [R], &mut [R])) -> R {
        let count = m.len();
        let (q, sums) = (&mut q[..count], &mut sums[..count]);
        let before = sums[0];
        let total = added(count, |at| {
            let entry = m[at] * q[at];
            q[at] = entry + line * m[at];
            sums[at] += entry;
            entry
        });
        before + total
    }
}

/// a a_b − m of one column.
pub(super) struct Outer;

impl<R: Real> Kernel<(&[R], R, &mut [R])> for Outer {
    type Output = ();

    #[inline(always)]
    fn run((alpha, own, m): (&[R], R, &mut [R])) {
        m.iter_mut().zip(alpha).for_each(|(m, a)| *m = *a * own - *m);
    }
}

/// k = exp(sharp Δ²) of one input and column; λk and its square are added to totals.
pub(super) struct Exponentials;

type ExponentialColumn<'a, R> = (&'a [R], R, R, &'a mut [R], &'a mut [R], &'a mut [R]);

impl<R: Real> Kernel<ExponentialColumn<'_, R>> for Exponentials {
    type Output = ();

    #[inline(always)]
    fn run((z, sharp, relevance, part, total, squares): ExponentialColumn<'_, R>) {
        let own = z[0];
        for (((part, z), total), squares) in part.iter_mut().zip(z).zip(total).zip(squares) {
            let away = *z - own;
            *part = (sharp * away * away).exponential();
            let weighed = relevance * *part;
            *total += weighed;
            *squares += weighed * weighed;
        }
    }
}

/// s_f² (S + ρ/2 (S² − Σ squares)) in place of the squares.
pub(super) struct PairSums;

impl<R: Real> Kernel<(&[R], (R, R), &mut [R])> for PairSums {
    type Output = ();

    #[inline(always)]
    fn run((total, (size, pairs), out): (&[R], (R, R), &mut [R])) {
        for (f, total) in out.iter_mut().zip(total) {
            *f = size * (*total + pairs * (*total * *total - *f));
        }
    }
}

/// Σ M k (1 + ρ (S − λk)) of one input and column, and the same times Δ²; (λk)² is added to the squares.
pub(super) struct SumSlopes;

type SumColumn<'a, R> = (&'a [R], &'a [R], &'a [R], &'a [R], (R, R), &'a mut [R]);

impl<R: Real> Kernel<SumColumn<'_, R>> for SumSlopes {
    type Output = (R, R);

    #[inline(always)]
    fn run((m, total, part, z, (relevance, ratio), squares): SumColumn<'_, R>) -> (R, R) {
        let count = m.len();
        let (total, part, z) = (&total[..count], &part[..count], &z[..count]);
        let squares = &mut squares[..count];
        let own = z[0];
        let entry = |at: usize| {
            let weighed = relevance * part[at];
            m[at] * part[at] * (R::ONE + ratio * (total[at] - weighed))
        };
        let by_relevance = added(count, |at| {
            let weighed = relevance * part[at];
            squares[at] += weighed * weighed;
            entry(at)
        });
        let by_length = added(count, |at| {
            let away = z[at] - own;
            entry(at) * away * away
        });
        (by_relevance, by_length)
    }
}

/// Copies the lower triangle to the upper one, tile by tile.
pub(super) fn mirror<R: Real>(matrix: &mut Mat<R>) {
    let n = matrix.nrows();
    for first in (0..n).step_by(TILE) {
        let columns = first..(first + TILE).min(n);
        for start in (first..n).step_by(TILE) {
            let rows = start..(start + TILE).min(n);
            for b in columns.clone() {
                for a in rows.clone().filter(|a| *a > b) {
                    matrix[(b, a)] = matrix[(a, b)];
                }
            }
        }
    }
}
