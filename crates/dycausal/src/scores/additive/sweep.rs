//! Regression on groups of columns by sweeping: a group goes in or out with one update of the moments.
//!
//! Sweeping a symmetric A on a block J with P = A_JJ gives −P⁻¹ there, A_RJ P⁻¹ beside it, and
//! A_RR − A_RJ P⁻¹ A_JR elsewhere; so what is in the regression holds coefficients and their covariance, and
//! what is not holds what is left of it. Sweeping back undoes it.

use std::ops::Range;

use faer::col::generic::Col;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

/// Squared length, of 1, that a feature has to keep beside those already in.
const DISTINCT: f64 = 1e-7;

/// Moments of some groups and of a target, with some groups swept in.
#[derive(Debug)]
pub(crate) struct Sweep {
    moments: Mat<f64>,
    groups: Vec<Range<usize>>,
    inside: Vec<bool>,
    /// Memory for one block.
    pivot: Vec<f64>,
    beside: Mat<f64>,
    product: Mat<f64>,
}

impl Default for Sweep {
    fn default() -> Self {
        let none = || Mat::zeros(0, 0);
        Self {
            moments: none(),
            groups: Vec::new(),
            inside: Vec::new(),
            pivot: Vec::new(),
            beside: none(),
            product: none(),
        }
    }
}

impl Sweep {
    /// Takes the moments of these groups and of a target, which is the row `target` of all moments.
    pub fn take(&mut self, all: MatRef<'_, f64>, ranges: &[Range<usize>], target: usize) {
        self.groups.clear();
        let mut end = 0;
        let mut from: Vec<usize> = Vec::new();
        for range in ranges {
            self.groups.push(end..end + range.len());
            end += range.len();
            from.extend(range.clone());
        }
        from.push(target);
        self.inside.clear();
        self.inside.resize(ranges.len(), false);
        let size = from.len();
        if self.moments.nrows() != size {
            self.moments = Mat::zeros(size, size);
        }
        for (b, column) in from.iter().enumerate() {
            let source = all.col(*column).try_as_col_major().map(Col::as_slice);
            let out = self.moments.col_as_slice_mut(b);
            if let Some(source) = source {
                out.iter_mut().zip(&from).for_each(|(o, row)| *o = source[*row]);
            }
        }
    }

    fn target(&self) -> usize {
        self.moments.nrows() - 1
    }

    /// The mean square that is left of the target.
    pub fn left(&self) -> f64 {
        self.moments[(self.target(), self.target())]
    }

    /// Whether a group is in the regression.
    pub fn is_inside(&self, group: usize) -> bool {
        self.inside[group]
    }

    /// How much of the target's mean square a group explains beside those that are in; or, where it is
    /// in itself, how much more would be left without it.
    pub fn weight(&mut self, group: usize) -> f64 {
        let (range, y, inside) = (self.groups[group].clone(), self.target(), self.inside[group]);
        if !self.factor(group) {
            return 0.0;
        }
        let size = range.len();
        let mut total = 0.0;
        let mut solved = vec![0.0; size];
        for row in 0..size {
            let dot: f64 = (0..row).map(|e| self.pivot[row * size + e] * solved[e]).sum();
            solved[row] =
                (self.moments[(range.start + row, y)] - dot) / self.pivot[row * size + row];
            total += solved[row] * solved[row];
        }
        debug_assert!(inside || total >= 0.0);
        total
    }

    /// The coefficients of a group that is in.
    pub fn coefficients(&self, group: usize) -> Vec<f64> {
        self.groups[group].clone().map(|k| self.moments[(k, self.target())]).collect()
    }

    /// The entry of the inverse moments of features that are in.
    pub fn inverse(&self, (a, k): (usize, usize), (b, l): (usize, usize)) -> f64 {
        -self.moments[(self.groups[a].start + k, self.groups[b].start + l)]
    }

    /// Puts a group in, or takes it out; false where it cannot be told from those that are in.
    pub fn switch(&mut self, group: usize) -> bool {
        if !self.factor(group) {
            return false;
        }
        let (range, inside) = (self.groups[group].clone(), self.inside[group]);
        let (size, all) = (range.len(), self.moments.nrows());
        // P⁻¹ of the block, or of its negative where it is in.
        let inverse = self.inverse_of_pivot(size);
        let sign = if inside { -1.0 } else { 1.0 };
        if self.beside.nrows() != all || self.beside.ncols() != size {
            self.beside = Mat::zeros(all, size);
            self.product = Mat::zeros(all, size);
        }
        for k in 0..size {
            let source = self.moments.col_as_slice(range.start + k);
            self.beside.col_as_slice_mut(k).copy_from_slice(source);
        }
        for k in 0..size {
            for row in range.clone() {
                self.beside[(row, k)] = 0.0;
            }
        }
        matmul(
            self.product.as_mut(),
            Accum::Replace,
            self.beside.as_ref(),
            inverse.as_ref(),
            1.0,
            Par::Seq,
        );
        matmul(
            self.moments.as_mut(),
            Accum::Add,
            self.product.as_ref(),
            self.beside.as_ref().transpose(),
            -sign,
            Par::Seq,
        );
        for k in 0..size {
            for row in 0..all {
                // Back out it is −B P⁻¹ with P the negative of what was inverted: the same sign.
                let value = self.product[(row, k)];
                self.moments[(row, range.start + k)] = value;
                self.moments[(range.start + k, row)] = value;
            }
        }
        for a in 0..size {
            for b in 0..size {
                self.moments[(range.start + a, range.start + b)] = -sign * inverse[(a, b)];
            }
        }
        self.inside[group] = !inside;
        true
    }

    /// Cholesky's factor of a group's block, or of its negative where it is in.
    fn factor(&mut self, group: usize) -> bool {
        let (range, inside) = (self.groups[group].clone(), self.inside[group]);
        let size = range.len();
        let (sign, least) = if inside { (-1.0, 0.0) } else { (1.0, DISTINCT) };
        self.pivot.clear();
        self.pivot.resize(size * size, 0.0);
        for row in 0..size {
            for col in 0..=row {
                let dot: f64 =
                    (0..col).map(|e| self.pivot[row * size + e] * self.pivot[col * size + e]).sum();
                let entry = sign * self.moments[(range.start + row, range.start + col)] - dot;
                self.pivot[row * size + col] = if row == col {
                    if entry <= least || entry.is_nan() {
                        return false;
                    }
                    entry.sqrt()
                } else {
                    entry / self.pivot[col * size + col]
                };
            }
        }
        size > 0
    }

    /// (L L')⁻¹ of the factor.
    fn inverse_of_pivot(&self, size: usize) -> Mat<f64> {
        let mut low = Mat::<f64>::zeros(size, size);
        for col in 0..size {
            for row in col..size {
                let one = f64::from(u8::from(row == col));
                let dot: f64 = (col..row).map(|e| self.pivot[row * size + e] * low[(e, col)]).sum();
                low[(row, col)] = (one - dot) / self.pivot[row * size + row];
            }
        }
        low.transpose() * &low
    }
}

#[cfg(test)]
mod tests {
    use faer::linalg::solvers::Solve;
    use proptest::prelude::*;

    use super::*;

    fn moments(entries: &[f64]) -> Mat<f64> {
        let raw = Mat::from_fn(12, 7, |row, col| entries[row * 7 + col]);
        raw.transpose() * &raw
    }

    proptest! {
        /// What is left after sweeping is the Schur complement; sweeping back restores the moments.
        #[test]
        fn sweeping_is_regression(entries in prop::collection::vec(-1.0..1.0f64, 84)) {
            let all = moments(&entries);
            let groups = [0..2, 2..5, 5..6];
            let mut sweep = Sweep::default();
            sweep.take(all.as_ref(), &groups, 6);
            let gain = sweep.weight(1);
            let before = sweep.left();
            prop_assume!(sweep.switch(1));
            prop_assert!((before - gain - sweep.left()).abs() < 1e-9);
            prop_assert!((sweep.weight(1) - gain).abs() < 1e-8 * (1.0 + gain));
            prop_assume!(sweep.switch(0));
            let block = Mat::from_fn(5, 5, |a, b| all[(a, b)]);
            let right = Mat::from_fn(5, 1, |a, _| all[(a, 6)]);
            let exact = block.partial_piv_lu().solve(&right);
            let found = [sweep.coefficients(0), sweep.coefficients(1)].concat();
            for (k, value) in found.iter().enumerate() {
                prop_assert!((value - exact[(k, 0)]).abs() < 1e-6 * (1.0 + value.abs()));
            }
            prop_assert!(sweep.switch(1) && sweep.switch(0));
            prop_assert!((sweep.left() - before).abs() < 1e-7);
        }
    }
}
