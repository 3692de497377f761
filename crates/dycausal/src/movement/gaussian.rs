//! Coefficients with independent Gaussian priors, given what the data say of them.
//!
//! The data give a log likelihood b'c − ½ c'Ac; the prior variances D. With LL' = I + D^½ A D^½:
//! log evidence ½|L⁻¹D^½b|² − Σ log diag L, mean F L⁻¹D^½b and covariance FF', F = D^½ L⁻ᵀ.

use crate::linear_algebra::{add_scaled, dot};

/// What the data say of some coefficients, row by row.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    /// A.
    pub information: Vec<f64>,
    /// b.
    pub score: Vec<f64>,
}

/// Coefficients after the data were seen.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    /// Mean coefficients.
    pub mean: Vec<f64>,
    /// F, column by column.
    pub factor: Vec<f64>,
}

/// Memory for factors.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    factor: Vec<f64>,
    solved: Vec<f64>,
    roots: Vec<f64>,
}

impl Scratch {
    /// The log evidence of the first coefficients, as many as there are variances; what is left of
    /// the factor stays here.
    pub fn evidence(&mut self, said: &Said, variances: &[f64]) -> f64 {
        let (size, all) = (variances.len(), said.score.len());
        self.roots.clear();
        self.roots.extend(variances.iter().map(|v| v.sqrt()));
        self.factor.resize(size * size, 0.0);
        self.solved.resize(size, 0.0);
        let (mut squares, mut log) = (0.0, 0.0);
        for row in 0..size {
            let (above, rest) = self.factor.split_at_mut(row * size);
            let current = &mut rest[..size];
            let source = &said.information[row * all..row * all + row + 1];
            let root = self.roots[row];
            for col in 0..row {
                let other = &above[col * size..col * size + col];
                let value = source[col] * root * self.roots[col] - dot(&current[..col], other);
                current[col] = value / above[col * size + col];
            }
            let square = 1.0 + source[row] * root * root - dot(&current[..row], &current[..row]);
            // I plus what is not negative; less is rounding.
            let pivot = square.max(1e-9).sqrt();
            current[row] = pivot;
            log += pivot.ln();
            let z = (said.score[row] * root - dot(&current[..row], &self.solved[..row])) / pivot;
            self.solved[row] = z;
            squares += z * z;
        }
        0.5 * squares - log
    }

    /// The coefficients of what was factored last.
    pub fn posterior(&self) -> Posterior {
        let size = self.roots.len();
        // L⁻¹, row by row.
        let mut inverse = vec![0.0; size * size];
        for row in 0..size {
            let (done, current) = inverse.split_at_mut(row * size);
            let pivot = 1.0 / self.factor[row * size + row];
            for k in 0..row {
                let scale = -self.factor[row * size + k] * pivot;
                let source = &done[k * size..=k * size + k];
                current.iter_mut().zip(source).for_each(|(x, y)| *x += scale * y);
            }
            current[row] = pivot;
        }
        let mut mean = vec![0.0; size];
        for row in 0..size {
            for k in 0..=row {
                inverse[row * size + k] *= self.roots[k];
                mean[k] += inverse[row * size + k] * self.solved[row];
            }
        }
        Posterior { mean, factor: inverse }
    }

    /// L⁻¹ D^½ x for what was factored last.
    pub fn project(&self, x: &[f64], out: &mut Vec<f64>) {
        let size = self.roots.len();
        out.clear();
        for row in 0..size {
            let current = &self.factor[row * size..row * size + row];
            let value = x[row] * self.roots[row] - dot(current, out);
            out.push(value / self.factor[row * size + row]);
        }
    }

    /// L⁻¹ D^½ X for what was factored last, in place of X, row by row.
    pub fn project_rows(&self, rows: &mut [f64], width: usize) {
        let size = self.roots.len();
        for row in 0..size {
            let (above, rest) = rows.split_at_mut(row * width);
            let current = &mut rest[..width];
            let root = self.roots[row];
            current.iter_mut().for_each(|x| *x *= root);
            for col in 0..row {
                let factor = -self.factor[row * size + col];
                add_scaled(current, factor, &above[col * width..(col + 1) * width]);
            }
            let pivot = 1.0 / self.factor[row * size + row];
            current.iter_mut().for_each(|x| *x *= pivot);
        }
    }

    /// L⁻¹ D^½ b of what was factored last.
    pub fn solved(&self) -> &[f64] {
        &self.solved
    }
}

/// A factor, column by column, of a covariance given row by row: columns as long as they add
/// anything, largest first.
pub(super) fn factored(mut covariance: Vec<f64>, size: usize, least: f64) -> Vec<f64> {
    let trace: f64 = (0..size).map(|k| covariance[k * size + k]).sum();
    let mut factor = Vec::new();
    for _ in 0..size {
        let diagonal = |k: usize| covariance[k * size + k];
        let left: f64 = (0..size).map(diagonal).sum();
        let Some(most) = (0..size).max_by(|a, b| diagonal(*a).total_cmp(&diagonal(*b))) else {
            break;
        };
        let pivot = diagonal(most);
        if left <= least * trace || pivot <= 0.0 {
            break;
        }
        let root = pivot.sqrt();
        let column: Vec<f64> = (0..size).map(|k| covariance[k * size + most] / root).collect();
        for j in 0..size {
            let scale = column[j];
            let row = &mut covariance[j * size..(j + 1) * size];
            row.iter_mut().zip(&column).for_each(|(v, c)| *v -= scale * c);
        }
        factor.extend(column);
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_coefficient_has_the_known_evidence_and_mean() {
        let said = Said { information: vec![4.0], score: vec![3.0] };
        let mut scratch = Scratch::default();
        let found = scratch.evidence(&said, &[2.0]);
        let expected = 0.5 * 9.0 * 2.0 / 9.0 - 0.5 * 9f64.ln();
        assert!((found - expected).abs() < 1e-12);
        let posterior = scratch.posterior();
        assert!((posterior.mean[0] - 3.0 / 4.5).abs() < 1e-12);
        assert!((posterior.factor[0].powi(2) - 1.0 / 4.5).abs() < 1e-12);
    }

    #[test]
    fn evidence_of_two_is_that_of_one_after_the_other() {
        let said = Said { information: vec![4.0, 1.0, 1.0, 3.0], score: vec![3.0, -1.0] };
        let (u, s): (f64, f64) = (2.0, 0.5);
        let mut scratch = Scratch::default();
        let both = scratch.evidence(&said, &[u, s]);
        let posterior = scratch.posterior();
        let first = 0.5 * 9.0 * u / (1.0 + 4.0 * u) - 0.5 * (1.0 + 4.0 * u).ln();
        let inner = 1.0 / u + 4.0;
        let (b, a) = (-1.0 - 3.0 / inner, 3.0 - 1.0 / inner);
        let second = 0.5 * b * b * s / (1.0 + s * a) - 0.5 * (1.0 + s * a).ln();
        assert!((both - first - second).abs() < 1e-12);
        // (D⁻¹ + A) mean = b.
        let left = (1.0 / u + 4.0) * posterior.mean[0] + posterior.mean[1];
        assert!((left - 3.0).abs() < 1e-12);
    }

    #[test]
    fn factors_give_their_covariance_back() {
        let covariance = vec![2.0, 0.5, 0.1, 0.5, 1.0, 0.3, 0.1, 0.3, 0.7];
        let factor = factored(covariance.clone(), 3, 1e-12);
        for (at, known) in covariance.iter().enumerate() {
            let entry: f64 = factor.chunks(3).map(|c| c[at / 3] * c[at % 3]).sum();
            assert!((entry - known).abs() < 1e-12);
        }
    }
}
