//! The loops of forward selection over eight candidates at once.

// Kernels gain from wider vectors only where they are inlined; lanes and blocks read best by index.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

use super::forward::COLLINEAR;
use crate::moments::{Gram, LANES, Lane, pair, pairs};
use crate::vectors::Kernel;

/// The gain of every candidate before any is selected.
pub(super) struct Gains<const B: usize>;

/// Which blocks of candidates there are, their own moments and those with the target.
type CandidateBlocks<'a> = (&'a [usize], &'a [Lane], &'a [Lane]);

impl<const B: usize> Kernel<(&Gram, CandidateBlocks<'_>, &mut [Lane])> for Gains<B> {
    type Output = ();

    #[inline(always)]
    fn run((gram, (active, blocks, cross), gains): (&Gram, CandidateBlocks<'_>, &mut [Lane])) {
        let width = pairs(B);
        for (at, block) in active.iter().enumerate() {
            let whole = &gram.diagonal()[block * width..(block + 1) * width];
            gains[at] = gain::<B>(
                &blocks[at * width..(at + 1) * width],
                &cross[at * B..(at + 1) * B],
                whole,
            );
        }
    }
}

/// The group that is selected.
pub(super) struct NewGroup<'a, const B: usize> {
    /// The moments.
    pub gram: &'a Gram,
    /// Its column.
    pub column: usize,
    /// Its rows of the factor so far, each block transposed.
    pub own: &'a [f64],
    /// The factor of its conditional block.
    pub corner: &'a [[f64; B]; B],
    /// What it explains.
    pub y: &'a [f64; B],
    /// How many groups were selected before.
    pub done: usize,
    /// Numbers per block of candidates in the rows of their factors.
    pub span: usize,
}

/// What is known of all candidates, block by block.
pub(super) struct CandidateLanes<'a> {
    /// Which blocks there are.
    pub active: &'a [usize],
    /// The rows of their factors.
    pub rows: &'a mut [Lane],
    /// Their conditional moments.
    pub blocks: &'a mut [Lane],
    /// Their conditional moments with the target.
    pub cross: &'a mut [Lane],
    /// What each would explain.
    pub gains: &'a mut [Lane],
}

/// Conditions all candidates on one more group.
pub(super) struct Append<const B: usize>;

impl<const B: usize> Kernel<(NewGroup<'_, B>, CandidateLanes<'_>)> for Append<B> {
    type Output = ();

    #[inline(always)]
    fn run((new, candidates): (NewGroup<'_, B>, CandidateLanes<'_>)) {
        let NewGroup { gram, column, own, corner, y, done, span } = new;
        let CandidateLanes { active, rows, blocks, cross, gains } = candidates;
        let (source, width) = (gram.row(column), pairs(B));
        for (at, block) in active.iter().enumerate() {
            let moments = &source[block * width..(block + 1) * width];
            let rows = &mut rows[at * span..(at + 1) * span];
            let d = &mut blocks[at * width..(at + 1) * width];
            let g = &mut cross[at * B..(at + 1) * B];
            let x = new_row::<B>(moments, rows, own, corner, done);
            condition::<B>(&x, y, d, g);
            let whole = &gram.diagonal()[block * width..(block + 1) * width];
            gains[at] = gain::<B>(d, g, whole);
        }
    }
}

/// The new row X of the factor for eight candidates, stored behind the earlier ones.
#[inline(always)]
fn new_row<const B: usize>(
    moments: &[Lane],
    rows: &mut [Lane],
    own: &[f64],
    corner: &[[f64; B]; B],
    done: usize,
) -> [[Lane; B]; B] {
    let mut x = [[[0.0; LANES]; B]; B];
    for b in 0..B {
        // One row of the block at a time: its lanes fit the registers.
        let mut sums = [[0.0; LANES]; B];
        for c in 0..B {
            sums[c] = moments[pair(b, c)];
        }
        for r in 0..done {
            let theirs = &rows[(r * B + b) * B..(r * B + b + 1) * B];
            let ours = &own[r * B * B..(r + 1) * B * B];
            for e in 0..B {
                for c in 0..B {
                    let factor = -ours[e * B + c];
                    for lane in 0..LANES {
                        sums[c][lane] = theirs[e][lane].mul_add(factor, sums[c][lane]);
                    }
                }
            }
        }
        for c in 0..B {
            for e in 0..c {
                let before = sums[e];
                for lane in 0..LANES {
                    sums[c][lane] = before[lane].mul_add(-corner[c][e], sums[c][lane]);
                }
            }
            let inverse = 1.0 / corner[c][c];
            for lane in 0..LANES {
                sums[c][lane] *= inverse;
            }
        }
        x[b] = sums;
        rows[(done * B + b) * B..(done * B + b + 1) * B].copy_from_slice(&sums);
    }
    x
}

/// Takes what the new group explains out of the candidates' blocks and cross moments.
#[inline(always)]
fn condition<const B: usize>(x: &[[Lane; B]; B], y: &[f64; B], d: &mut [Lane], g: &mut [Lane]) {
    for b in 0..B {
        for c in 0..B {
            for lane in 0..LANES {
                g[b][lane] = x[b][c][lane].mul_add(-y[c], g[b][lane]);
            }
        }
        for k in 0..=b {
            let value = &mut d[pair(k, b)];
            for c in 0..B {
                for lane in 0..LANES {
                    value[lane] = x[b][c][lane].mul_add(-x[k][c][lane], value[lane]);
                }
            }
        }
    }
}

/// g' D⁻¹ g of eight candidates by L D L'; 0 where a candidate is collinear with the selected.
#[inline(always)]
fn gain<const B: usize>(d: &[Lane], g: &[Lane], whole: &[Lane]) -> Lane {
    let mut l: [[Lane; B]; B] = [[[0.0; LANES]; B]; B];
    let mut scaled: [[Lane; B]; B] = [[[0.0; LANES]; B]; B];
    let mut z = [[0.0; LANES]; B];
    let mut total = [0.0; LANES];
    let mut sound = [true; LANES];
    for b in 0..B {
        let mut right = g[b];
        let mut pivot = d[pair(b, b)];
        for c in 0..b {
            let mut value = d[pair(b, c)];
            for e in 0..c {
                for lane in 0..LANES {
                    value[lane] = scaled[b][e][lane].mul_add(-l[c][e][lane], value[lane]);
                }
            }
            scaled[b][c] = value;
            for lane in 0..LANES {
                l[b][c][lane] = value[lane] * l[c][c][lane];
                pivot[lane] = value[lane].mul_add(-l[b][c][lane], pivot[lane]);
                right[lane] = l[b][c][lane].mul_add(-z[c][lane], right[lane]);
            }
        }
        for lane in 0..LANES {
            let least = COLLINEAR * whole[pair(b, b)][lane];
            let fine = pivot[lane] > least && least > 0.0;
            sound[lane] &= fine;
            let safe = if fine { pivot[lane] } else { 1.0 };
            // The diagonal of l holds the inverse of the pivot.
            l[b][b][lane] = 1.0 / safe;
            z[b][lane] = right[lane];
            total[lane] += right[lane] * right[lane] * l[b][b][lane];
        }
    }
    for lane in 0..LANES {
        if !sound[lane] {
            total[lane] = 0.0;
        }
    }
    total
}
