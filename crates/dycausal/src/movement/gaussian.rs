//! Coefficients with independent Gaussian priors, given what the data say of them.
//!
//! The data give a log likelihood b'c − ½ c'Ac; the prior variances D. With LL' = I + D^½ A D^½:
//! log evidence ½|L⁻¹D^½b|² − Σ log diag L, mean F L⁻¹D^½b and covariance FF', F = D^½ L⁻ᵀ.

use crate::linear_algebra::add_scaled;
use crate::vectors::{Kernel, vectorised};

/// What the data say of some coefficients, row by row.
#[derive(Debug, Clone, Default)]
pub(super) struct Likelihood {
    /// A.
    pub information: Vec<f64>,
    /// b.
    pub score: Vec<f64>,
}

/// Coefficients after the data were seen.
#[derive(Debug, Clone)]
pub(super) struct GaussianPosterior {
    /// Mean coefficients.
    pub mean: Vec<f64>,
    /// F, column by column.
    pub factor: Vec<f64>,
}

/// Numbers that are worked on at once.
const CHUNK: usize = 4;

/// Memory for factors: U = L', row by row, with L⁻¹D^½b as its last column.
#[derive(Debug, Default)]
pub(super) struct FactorMemory {
    upper: Vec<f64>,
    stride: usize,
    roots: Vec<f64>,
}

/// What others explain of many columns, and memory for it.
#[derive(Debug, Default)]
pub(super) struct Projected {
    /// Of each, how much of itself.
    pub own: Vec<f64>,
    /// Of each, how much of its score.
    pub with: Vec<f64>,
    rows: Vec<f64>,
}

impl FactorMemory {
    /// The log evidence of the first coefficients, as many as there are variances; what is left of
    /// the factor stays here.
    pub fn evidence(&mut self, said: &Likelihood, variances: &[f64]) -> f64 {
        let (size, all) = (variances.len(), said.score.len());
        self.roots.clear();
        self.roots.extend(variances.iter().map(|v| v.sqrt()));
        self.stride = (size + 1).next_multiple_of(CHUNK);
        self.upper.resize(size * self.stride, 0.0);
        vectorised::<Factor, _>((&mut self.upper, self.stride, &self.roots, said, all))
    }

    /// The coefficients of what was factored last.
    pub fn posterior(&self) -> GaussianPosterior {
        let size = self.roots.len();
        // L⁻¹, row by row.
        let mut inverse = vec![0.0; size * size];
        let mut mean = vec![0.0; size];
        vectorised::<FactorSolve, _>((self, &mut inverse[..], &mut mean[..]));
        GaussianPosterior { mean, factor: inverse }
    }

    /// With w = L⁻¹ D^½ x for what was factored last, w'w and w' L⁻¹ D^½ b of many x at once: their first
    /// entries, then their second ones, and so on.
    pub fn project(&self, x: &[f64], width: usize, out: &mut Projected) {
        let used = self.roots.len() * width;
        out.rows.clear();
        out.rows.extend_from_slice(&x[..used]);
        self.project_rows(&mut out.rows, width);
        out.own.clear();
        out.own.resize(width, 0.0);
        out.with.clear();
        out.with.resize(width, 0.0);
        for (row, solved) in out.rows.chunks_exact(width).zip(self.solved()) {
            vectorised::<AddSquares, _>((&mut out.own, row));
            add_scaled(&mut out.with, solved, row);
        }
    }

    /// L⁻¹ D^½ X for what was factored last, in place of X, row by row.
    pub fn project_rows(&self, rows: &mut [f64], width: usize) {
        for row in 0..self.roots.len() {
            let (above, rest) = rows.split_at_mut(row * width);
            let current = &mut rest[..width];
            let root = self.roots[row];
            for x in current.iter_mut() {
                *x *= root;
            }
            for col in 0..row {
                let factor = -self.upper[col * self.stride + row];
                add_scaled(current, factor, &above[col * width..(col + 1) * width]);
            }
            let pivot = 1.0 / self.upper[row * self.stride + row];
            for x in current {
                *x *= pivot;
            }
        }
    }

    /// L⁻¹ D^½ b of what was factored last.
    pub fn solved(&self) -> impl Iterator<Item = f64> {
        let size = self.roots.len();
        (0..size).map(move |row| self.upper[row * self.stride + size])
    }
}

/// L⁻¹ D^½ row by row, and the mean.
struct FactorSolve;

impl Kernel<(&FactorMemory, &mut [f64], &mut [f64])> for FactorSolve {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((scratch, inverse, mean): (&FactorMemory, &mut [f64], &mut [f64])) {
        let FactorMemory { upper, stride, roots } = scratch;
        let (size, stride) = (roots.len(), *stride);
        for row in 0..size {
            let (done, current) = inverse.split_at_mut(row * size);
            let pivot = 1.0 / upper[row * stride + row];
            for k in 0..row {
                let scale = -upper[k * stride + row] * pivot;
                let source = &done[k * size..=k * size + k];
                current.iter_mut().zip(source).for_each(|(x, y)| *x += scale * y);
            }
            current[row] = pivot;
        }
        for (row, own) in inverse.chunks_exact_mut(size.max(1)).enumerate() {
            let solved = upper[row * stride + size];
            for ((x, root), m) in own[..=row].iter_mut().zip(roots).zip(&mut *mean) {
                *x *= root;
                *m += *x * solved;
            }
        }
    }
}

/// Adds squares to some sums.
struct AddSquares;

impl Kernel<(&mut Vec<f64>, &[f64])> for AddSquares {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((sums, values): (&mut Vec<f64>, &[f64])) {
        for (sum, x) in sums.iter_mut().zip(values) {
            *sum += x * x;
        }
    }
}

/// Fills U and its last column, and gives the log evidence.
struct Factor;

impl Kernel<(&mut Vec<f64>, usize, &Vec<f64>, &Likelihood, usize)> for Factor {
    type Output = f64;

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run(
        (upper, stride, roots, said, all): (&mut Vec<f64>, usize, &Vec<f64>, &Likelihood, usize),
    ) -> f64 {
        let size = roots.len();
        for row in 0..size {
            let source = &said.information[row * all..row * all + size];
            let out = &mut upper[row * stride..(row + 1) * stride];
            let root = roots[row];
            for col in row..size {
                out[col] = source[col] * root * roots[col];
            }
            out[row] += 1.0;
            out[size] = said.score[row] * root;
            out[size + 1..].fill(0.0);
        }
        let (mut squares, mut product, mut log) = (0.0, 1.0, 0.0);
        for first in (0..size).step_by(CHUNK) {
            let end = (first + CHUNK).min(size);
            let (above, below) = upper.split_at_mut(end * stride);
            let panel = &mut above[first * stride..];
            for row in first..end {
                let (current, rest) = panel[(row - first) * stride..].split_at_mut(stride);
                // I plus what is not negative; less is rounding.
                let square = current[row].max(1e-9);
                let pivot = square.sqrt();
                product *= square;
                if !(1e-200..1e200).contains(&product) {
                    log += product.ln();
                    product = 1.0;
                }
                let inverse = 1.0 / pivot;
                // Whole chunks: what lies before the diagonal is never read.
                for chunk in current[first..].as_chunks_mut::<CHUNK>().0 {
                    for x in chunk {
                        *x *= inverse;
                    }
                }
                current[row] = pivot;
                squares += current[size] * current[size];
                for (next, out) in (row + 1..end).zip(rest.chunks_exact_mut(stride)) {
                    let factor = current[next];
                    let (out, _) = out[first..].as_chunks_mut::<CHUNK>();
                    let (source, _) = current[first..].as_chunks::<CHUNK>();
                    for (o, s) in out.iter_mut().zip(source) {
                        for lane in 0..CHUNK {
                            o[lane] -= factor * s[lane];
                        }
                    }
                }
            }
            below_panel(panel, below, (end, size, stride));
        }
        0.5 * (squares - log - product.ln())
    }
}

/// Takes the rows of a panel of [`CHUNK`] out of all that lie below, which are read and written once for all of them.
#[inline(always)]
#[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
fn below_panel(panel: &[f64], below: &mut [f64], (end, size, stride): (usize, usize, usize)) {
    for (next, out) in (end..size).zip(below.chunks_exact_mut(stride)) {
        let from = next - next % CHUNK;
        let (out, _) = out[from..stride].as_chunks_mut::<CHUNK>();
        let row = |k: usize| panel[k * stride + from..(k + 1) * stride].as_chunks::<CHUNK>().0;
        let factor = |k: usize| panel[k * stride + next];
        let (f0, f1, f2, f3) = (factor(0), factor(1), factor(2), factor(3));
        let rows = row(0).iter().zip(row(1)).zip(row(2).iter().zip(row(3)));
        for (o, ((s0, s1), (s2, s3))) in out.iter_mut().zip(rows) {
            for lane in 0..CHUNK {
                let taken = o[lane] - f0 * s0[lane] - f1 * s1[lane];
                o[lane] = taken - f2 * s2[lane] - f3 * s3[lane];
            }
        }
    }
}

/// Adds weight · x x' to the first rows and columns of a matrix whose rows are so long.
pub(super) fn add_products(matrix: &mut [f64], length: usize, weight: f64, x: &[f64]) {
    vectorised::<AddProducts, _>((matrix, length, weight, x));
}

struct AddProducts;

impl Kernel<(&mut [f64], usize, f64, &[f64])> for AddProducts {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((matrix, length, weight, x): (&mut [f64], usize, f64, &[f64])) {
        for (row, own) in matrix.chunks_exact_mut(length.max(1)).zip(x) {
            let scale = weight * own;
            row.iter_mut().zip(x).for_each(|(sum, other)| *sum += scale * other);
        }
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
        add_products(&mut covariance, size, -1.0, &column);
        factor.extend(column);
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_coefficient_has_the_known_evidence_and_mean() {
        let said = Likelihood { information: vec![4.0], score: vec![3.0] };
        let mut scratch = FactorMemory::default();
        let found = scratch.evidence(&said, &[2.0]);
        let expected = 0.5 * 9.0 * 2.0 / 9.0 - 0.5 * 9f64.ln();
        assert!((found - expected).abs() < 1e-12);
        let posterior = scratch.posterior();
        assert!((posterior.mean[0] - 3.0 / 4.5).abs() < 1e-12);
        assert!((posterior.factor[0].powi(2) - 1.0 / 4.5).abs() < 1e-12);
    }

    #[test]
    fn evidence_of_two_is_that_of_one_after_the_other() {
        let said = Likelihood { information: vec![4.0, 1.0, 1.0, 3.0], score: vec![3.0, -1.0] };
        let (u, s): (f64, f64) = (2.0, 0.5);
        let mut scratch = FactorMemory::default();
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
