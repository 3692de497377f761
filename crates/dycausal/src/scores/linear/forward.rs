//! Forward selection of groups of columns, all candidates at once.
//!
//! A candidate is a column times all basis functions. Given the selected ones S, each candidate j
//! has its conditional cross moment with the target g_j and its conditional block D_j; adding it
//! lowers the residual variance s² by g_j' D_j⁻¹ g_j. Adding s appends to each candidate the row
//! X = (M_js − Σ_r L_jr L_sr') L_ss⁻ᵀ of the block Cholesky factor, and
//! g_j ← g_j − X y, D_j ← D_j − X X', y = L_ss⁻¹ g_s.

// Lanes and blocks read best by index.
#![allow(clippy::needless_range_loop)]

use super::kernels::{Append, CandidateLanes, Gains, NewGroup};
use crate::moments::{Gram, LANES, Lane, Rows, pair, pairs};
use crate::vectors::vectorised;

/// The largest basis there is a kernel for.
pub(crate) const LARGEST_BASIS: usize = 16;
/// A conditional variance below this share of the unconditional one counts as nothing.
pub(crate) const COLLINEAR: f64 = 1e-12;

/// When to stop adding groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    /// Rows.
    pub rows: f64,
    /// What a group has to lower rows · log s² by.
    pub penalty: f64,
    /// Groups, at most.
    pub most: usize,
}

/// What was selected: the groups in the order of their selection, and the factor of their moments.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forward {
    /// Selected columns.
    pub selected: Vec<usize>,
    /// How many of them, the first ones, were required.
    pub required: usize,
    /// Variance of the target, given the selected.
    pub variance: f64,
    /// Lower block Cholesky factor, row by row, `stride` numbers each.
    pub factor: Vec<f64>,
    /// Numbers per row of the factor.
    pub stride: usize,
    /// Factor⁻¹ times the cross moments with the target.
    pub projected: Vec<f64>,
    rows: Vec<Lane>,
    blocks: Vec<Lane>,
    cross: Vec<Lane>,
    gains: Vec<Lane>,
    active: Vec<usize>,
    own: Vec<f64>,
}

impl Forward {
    /// Selects among the columns that `allowed` admits, for the target column; first those that are
    /// required, as far as they say anything that the others do not.
    ///
    /// The result is in `self`, whose memory is used again.
    pub fn select(
        &mut self,
        rows: &mut dyn Rows,
        target: usize,
        allowed: &dyn Fn(usize) -> bool,
        required: &[usize],
        stop: Stop,
    ) {
        match rows.gram().basis() {
            1 => self.run::<1>(rows, target, allowed, required, stop),
            2 => self.run::<2>(rows, target, allowed, required, stop),
            3 => self.run::<3>(rows, target, allowed, required, stop),
            4 => self.run::<4>(rows, target, allowed, required, stop),
            5 => self.run::<5>(rows, target, allowed, required, stop),
            6 => self.run::<6>(rows, target, allowed, required, stop),
            7 => self.run::<7>(rows, target, allowed, required, stop),
            8 => self.run::<8>(rows, target, allowed, required, stop),
            9 => self.run::<9>(rows, target, allowed, required, stop),
            10 => self.run::<10>(rows, target, allowed, required, stop),
            11 => self.run::<11>(rows, target, allowed, required, stop),
            12 => self.run::<12>(rows, target, allowed, required, stop),
            13 => self.run::<13>(rows, target, allowed, required, stop),
            14 => self.run::<14>(rows, target, allowed, required, stop),
            15 => self.run::<15>(rows, target, allowed, required, stop),
            _ => self.run::<16>(rows, target, allowed, required, stop),
        }
    }

    fn run<const B: usize>(
        &mut self,
        rows: &mut dyn Rows,
        target: usize,
        allowed: &dyn Fn(usize) -> bool,
        required: &[usize],
        stop: Stop,
    ) {
        rows.ask(target);
        self.begin::<B>(rows.gram(), target, allowed, stop.most);
        for column in required.iter().copied().filter(|column| allowed(*column)) {
            if self.selected.len() < stop.most && self.tells::<B>(rows.gram(), column) {
                rows.ask(column);
                self.append::<B>(rows.gram(), column, stop.most);
            }
        }
        self.required = self.selected.len();
        while self.selected.len() < stop.most {
            let Some((best, gain)) = self.best(allowed) else { break };
            let left = 1.0 - gain / self.variance;
            if left > 0.0 && -stop.rows * left.ln() <= stop.penalty {
                break;
            }
            rows.ask(best);
            self.append::<B>(rows.gram(), best, stop.most);
            if left <= COLLINEAR {
                break;
            }
        }
    }

    fn begin<const B: usize>(
        &mut self,
        gram: &Gram,
        target: usize,
        allowed: &dyn Fn(usize) -> bool,
        most: usize,
    ) {
        let blocks = gram.blocks();
        self.selected.clear();
        self.projected.clear();
        self.stride = most * B;
        grow(&mut self.factor, self.stride * self.stride, 0.0);
        let admits =
            |block: &usize| (block * LANES..((block + 1) * LANES).min(gram.size())).any(allowed);
        self.active.clear();
        self.active.extend((0..blocks).filter(admits));
        let width = pairs(B);
        let count = self.active.len();
        grow(&mut self.rows, count * most * B * B, [0.0; LANES]);
        grow(&mut self.blocks, count * width, [0.0; LANES]);
        grow(&mut self.cross, count * B, [0.0; LANES]);
        grow(&mut self.gains, count, [0.0; LANES]);
        self.variance = gram.own(target, 0);
        let source = gram.row(target);
        for (at, block) in self.active.iter().enumerate() {
            let own = &gram.diagonal()[block * width..(block + 1) * width];
            self.blocks[at * width..(at + 1) * width].copy_from_slice(own);
            for b in 0..B {
                self.cross[at * B + b] = source[block * width + pair(0, b)];
            }
        }
        let own = (&self.active[..], &self.blocks[..], &self.cross[..]);
        vectorised::<Gains<B>, _>((gram, own, &mut self.gains[..]));
    }

    /// Whether a column still moves, given the selected ones.
    fn tells<const B: usize>(&self, gram: &Gram, column: usize) -> bool {
        let at = self.active.partition_point(|b| *b < column / LANES);
        let left = |b: usize| self.blocks[at * pairs(B) + pair(b, b)][column % LANES];
        (0..B).all(|b| left(b) > COLLINEAR * gram.own(column, pair(b, b)))
    }

    /// The allowed candidate with the largest gain, the first of equals.
    fn best(&self, allowed: &dyn Fn(usize) -> bool) -> Option<(usize, f64)> {
        let mut best = None;
        let mut most = 0.0;
        for (block, gains) in self.active.iter().zip(&self.gains) {
            for (lane, gain) in gains.iter().enumerate() {
                let column = block * LANES + lane;
                if *gain > most && allowed(column) && !self.selected.contains(&column) {
                    most = *gain;
                    best = Some((column, *gain));
                }
            }
        }
        best
    }

    fn append<const B: usize>(&mut self, gram: &Gram, column: usize, most: usize) {
        let done = self.selected.len();
        let at = self.active.partition_point(|b| *b < column / LANES);
        let span = most * B * B;
        let theirs = &self.rows[at * span..at * span + done * B * B];
        self.own.clear();
        for group in theirs.chunks_exact(B * B) {
            // Transposed, so that the kernel reads it in sequence.
            let turned = (0..B * B).map(|k| group[k % B * B + k / B][column % LANES]);
            self.own.extend(turned);
        }
        let corner = self.corner::<B>(at, column % LANES);
        let y = self.keep::<B>(column, at, &corner);
        let own = NewGroup { gram, column, own: &self.own, corner: &corner, y: &y, done, span };
        let theirs = CandidateLanes {
            active: &self.active,
            rows: &mut self.rows,
            blocks: &mut self.blocks,
            cross: &mut self.cross,
            gains: &mut self.gains,
        };
        vectorised::<Append<B>, _>((own, theirs));
    }

    /// Appends a group to the factor of the selected ones; returns what it explains.
    fn keep<const B: usize>(
        &mut self,
        column: usize,
        at: usize,
        corner: &[[f64; B]; B],
    ) -> [f64; B] {
        let done = self.selected.len();
        let mut y = [0.0; B];
        for b in 0..B {
            let below: f64 = (0..b).map(|e| corner[b][e] * y[e]).sum();
            y[b] = (self.cross[at * B + b][column % LANES] - below) / corner[b][b];
            let row = &mut self.factor[(done * B + b) * self.stride..][..(done + 1) * B];
            for r in 0..done {
                for e in 0..B {
                    row[r * B + e] = self.own[(r * B + e) * B + b];
                }
            }
            row[done * B..].copy_from_slice(&corner[b]);
        }
        self.projected.extend(y);
        self.variance -= y.iter().map(|v| v * v).sum::<f64>();
        self.selected.push(column);
        y
    }

    /// The Cholesky factor of a candidate's conditional block.
    fn corner<const B: usize>(&self, at: usize, lane: usize) -> [[f64; B]; B] {
        let d = |b, c| self.blocks[at * pairs(B) + pair(b, c)][lane];
        let mut l = [[0.0; B]; B];
        for b in 0..B {
            for c in 0..=b {
                let sum: f64 = d(b, c) - (0..c).map(|e| l[b][e] * l[c][e]).sum::<f64>();
                l[b][c] = if b == c { sum.max(f64::MIN_POSITIVE).sqrt() } else { sum / l[c][c] };
            }
        }
        l
    }
}

/// Makes room; what is there is overwritten before it is read.
fn grow<T: Copy>(buffer: &mut Vec<T>, length: usize, zero: T) {
    if buffer.len() < length {
        buffer.resize(length, zero);
    }
}
