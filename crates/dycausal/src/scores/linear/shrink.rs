//! Dropping the groups that do not pay for themselves.
//!
//! With V = M_SS⁻¹ and β = V M_S,target, leaving group g out raises the residual variance by
//! w_g = β_g' V_gg⁻¹ β_g. The weakest goes while rows · log(1 + w/s²) is at most the penalty.

use super::forward::{Forward, LARGEST_BASIS, Stop};
use crate::linear_algebra::quadratic;
use crate::moments::{Gram, pair};
use crate::vectors::{Kernel, vectorised};

/// A regression of one column on groups of columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fit {
    /// The regressors.
    pub selected: Vec<usize>,
    /// Coefficients\[regressor\]\[function\]; none where the search has too many variables to keep them.
    pub coefficients: Vec<f64>,
    /// Residual variance.
    pub variance: f64,
}

/// Memory that is used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shrink {
    factor: Vec<f64>,
    projected: Vec<f64>,
    inverse: Vec<f64>,
    block: Vec<f64>,
}

impl Shrink {
    /// Leaves the weakest of the selected groups out, one by one; the result is in `fit`.
    pub fn backward(
        &mut self,
        forward: &Forward,
        gram: &Gram,
        target: usize,
        stop: Stop,
        fit: &mut Fit,
    ) {
        let b = gram.basis();
        fit.selected.clone_from(&forward.selected);
        fit.variance = forward.variance;
        let size = fit.selected.len() * b;
        self.factor.clear();
        for row in 0..size {
            let source = &forward.factor[row * forward.stride..row * forward.stride + size];
            self.factor.extend_from_slice(source);
        }
        self.projected.clone_from(&forward.projected);
        self.solve(size, fit);
        while let Some((weakest, loss)) = self.weakest(b, fit, forward.required) {
            if stop.rows * (loss / fit.variance).ln_1p() > stop.penalty {
                break;
            }
            fit.selected.remove(weakest);
            self.refactor(gram, target, fit);
        }
    }

    /// The regression of the last column on all others.
    pub fn solved(&mut self, gram: &Gram) -> Fit {
        let target = gram.size() - 1;
        let mut fit = Fit { selected: (0..target).collect(), ..Fit::default() };
        self.refactor(gram, target, &mut fit);
        fit
    }

    /// The regression on the columns in `fit.selected`, from scratch.
    pub fn refactor(&mut self, gram: &Gram, target: usize, fit: &mut Fit) {
        let b = gram.basis();
        let size = fit.selected.len() * b;
        self.factor.clear();
        self.factor.resize(size * size, 0.0);
        self.projected.clear();
        fit.variance = gram.entry(target, target, 0);
        for row in 0..size {
            let (j, jb) = (fit.selected[row / b], row % b);
            for col in 0..=row {
                let (k, kb) = (fit.selected[col / b], col % b);
                let (above, below) = self.factor.split_at(row * size);
                let left = &below[..col];
                let right = if col == row { left } else { &above[col * size..col * size + col] };
                let dot: f64 = left.iter().zip(right).map(|(x, y)| x * y).sum();
                let value = gram.entry(j, k, pair(jb, kb)) - dot;
                self.factor[row * size + col] = if col == row {
                    value.max(1e-15).sqrt()
                } else {
                    value / self.factor[col * size + col]
                };
            }
            let left = &self.factor[row * size..row * size + row];
            let dot: f64 = left.iter().zip(&self.projected).map(|(x, y)| x * y).sum();
            let y = (gram.entry(target, j, pair(0, jb)) - dot) / self.factor[row * size + row];
            fit.variance -= y * y;
            self.projected.push(y);
        }
        self.solve(size, fit);
    }

    /// The inverse of the factor, and the coefficients.
    fn solve(&mut self, size: usize, fit: &mut Fit) {
        self.inverse.clear();
        self.inverse.resize(size * size, 0.0);
        fit.coefficients.clear();
        fit.coefficients.resize(size, 0.0);
        let factor = (&self.factor[..], &self.projected[..]);
        vectorised::<Solve, _>((factor, &mut self.inverse[..], &mut fit.coefficients[..]));
    }

    /// The group whose removal costs least, and what it costs; the first `required` ones stay.
    fn weakest(&mut self, b: usize, fit: &Fit, required: usize) -> Option<(usize, f64)> {
        let size = fit.coefficients.len();
        let mut weakest = None;
        for group in required..fit.selected.len() {
            let start = group * b;
            self.block.clear();
            self.block.resize(b * b, 0.0);
            for row in start..size {
                let x = &self.inverse[row * size + start..row * size + start + b];
                for k in 0..b {
                    for l in 0..=k {
                        self.block[k * b + l] += x[k] * x[l];
                    }
                }
            }
            let mut own = [0.0; LARGEST_BASIS];
            own[..b].copy_from_slice(&fit.coefficients[start..start + b]);
            // A group that is collinear with others costs as good as nothing.
            let loss = quadratic(&mut self.block, &mut own[..b], f64::MIN_POSITIVE);
            let loss = loss.unwrap_or(f64::INFINITY);
            if weakest.is_none_or(|(_, least)| loss < least) {
                weakest = Some((group, loss));
            }
        }
        weakest
    }
}

/// L⁻¹ row by row, and L⁻ᵀ y.
struct Solve;

impl Kernel<((&[f64], &[f64]), &mut [f64], &mut [f64])> for Solve {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run(((factor, y), inverse, out): ((&[f64], &[f64]), &mut [f64], &mut [f64])) {
        let size = out.len();
        for row in 0..size {
            let (done, current) = inverse.split_at_mut(row * size);
            let current = &mut current[..=row];
            let pivot = 1.0 / factor[row * size + row];
            for k in 0..row {
                let scale = -factor[row * size + k] * pivot;
                let source = &done[k * size..=k * size + k];
                current.iter_mut().zip(source).for_each(|(x, y)| *x += scale * y);
            }
            current[row] = pivot;
        }
        for (row, y) in y.iter().enumerate() {
            let source = &inverse[row * size..=row * size + row];
            out.iter_mut().zip(source).for_each(|(c, x)| *c += x * y);
        }
    }
}
