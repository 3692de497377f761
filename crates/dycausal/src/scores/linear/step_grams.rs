//! The Gram matrices of a few columns at every step, and what a basis makes of them.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::ArrayView2;

use crate::design::{Columns, Partition};

/// Σ_n z zᵀ of some columns at each step.
#[derive(Debug, Default)]
pub(crate) struct StepGrams {
    count: usize,
    steps: usize,
    values: Vec<f64>,
    left: Vec<f64>,
    right: Vec<f64>,
}

impl StepGrams {
    /// Computes them for columns in the order given; memory is used again.
    pub fn fill(&mut self, columns: &Columns, which: &[usize]) {
        // Rows that share their functions of time: of a step, or of a piece of a long series.
        let pieces = Partition::pieces(columns.steps(), columns.series());
        let (series, steps) = (columns.series() * pieces.each(), pieces.count());
        let (length, count) = (columns.series() * columns.steps(), which.len());
        (self.count, self.steps) = (count, steps);
        self.values.clear();
        self.values.resize(steps * count * count, 0.0);
        self.left.resize(series * count, 0.0);
        self.right.resize(series * count, 0.0);
        for t in 0..steps {
            let rows = t * series..((t + 1) * series).min(length);
            for (k, column) in which.iter().enumerate() {
                let source = &columns.column(*column)[rows.clone()];
                let (target, beyond) =
                    self.right[k * series..(k + 1) * series].split_at_mut(rows.len());
                target.copy_from_slice(source);
                beyond.fill(0.0);
            }
            self.left.copy_from_slice(&self.right);
            if let Some(weights) = columns.weights() {
                for column in self.left.chunks_exact_mut(series) {
                    column.iter_mut().zip(&weights[rows.clone()]).for_each(|(x, w)| *x *= w);
                }
            }
            let out = &mut self.values[t * count * count..(t + 1) * count * count];
            let left = MatRef::from_column_major_slice(&self.left, series, count);
            let right = MatRef::from_column_major_slice(&self.right, series, count);
            let out = MatMut::from_column_major_slice_mut(out, count, count);
            matmul(out, Accum::Replace, left.transpose(), right, 1.0, Par::Seq);
        }
        for (k, column) in which.iter().enumerate() {
            let left = columns.left_variances(*column).into_iter().flatten();
            left.enumerate().for_each(|(t, left)| self.values[(t * count + k) * count + k] += left);
        }
    }

    /// The normal equations of the last column on all others times basis functions.
    ///
    /// `psi`\[step, function\]. Regressors are numbered column · functions + function.
    pub fn collapse(&self, psi: ArrayView2<'_, f64>) -> Normal {
        let (b, groups) = (psi.ncols(), self.count - 1);
        let size = groups * b;
        let mut gram = vec![0.0; size * size];
        let mut cross = vec![0.0; size];
        let mut square = 0.0;
        for t in 0..self.steps {
            let step = &self.values[t * self.count * self.count..(t + 1) * self.count * self.count];
            square += step[groups * self.count + groups];
            for j in 0..groups {
                for jb in 0..b {
                    let factor = psi[[t, jb]];
                    cross[j * b + jb] += factor * step[groups * self.count + j];
                    let row = &mut gram[(j * b + jb) * size..(j * b + jb) * size + (j + 1) * b];
                    for (k, entries) in row.chunks_exact_mut(b).enumerate() {
                        let moment = factor * step[j * self.count + k];
                        for (kb, entry) in entries.iter_mut().enumerate() {
                            *entry += moment * psi[[t, kb]];
                        }
                    }
                }
            }
        }
        Normal { gram, cross, square }
    }
}

/// Normal equations: the lower triangle of Z'Z, Z'y and y'y.
#[derive(Debug, Clone)]
pub(crate) struct Normal {
    gram: Vec<f64>,
    cross: Vec<f64>,
    square: f64,
}

impl Normal {
    /// How many regressors.
    pub fn size(&self) -> usize {
        self.cross.len()
    }

    /// The sum of squared residuals of the regression on all of them.
    pub fn residual(&self) -> f64 {
        let size = self.size();
        let mut factor = vec![0.0; size * size];
        let mut projected = vec![0.0; size];
        let mut residual = self.square;
        for row in 0..size {
            for col in 0..=row {
                let dot: f64 =
                    (0..col).map(|e| factor[row * size + e] * factor[col * size + e]).sum();
                let value = self.gram[row * size + col] - dot;
                let least = 1e-12 * self.gram[row * size + row].max(f64::MIN_POSITIVE);
                factor[row * size + col] = if row == col {
                    value.max(least).sqrt()
                } else {
                    value / factor[col * size + col]
                };
            }
            let dot: f64 = (0..row).map(|e| factor[row * size + e] * projected[e]).sum();
            projected[row] = (self.cross[row] - dot) / factor[row * size + row];
            residual -= projected[row] * projected[row];
        }
        residual
    }
}
