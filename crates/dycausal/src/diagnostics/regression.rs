//! Least squares of one variable on its causes, from sums that add up over parts of the rows.
//!
//! With z the causes of a row and φ the functions of each cause's trajectory, the regressors are
//! φ_b(t) z_j; their products at a step are φ_b φ_c Σ z_j z_k, so rows are read once, whatever the
//! basis is.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

use super::evidence::Evidence;
use super::folds::{FOLDS, Folds};
use crate::basis::Basis;
use crate::graph::{Edge, Trajectory};

/// Products for all variables of a graph together, at most: about a second.
const MOST_PRODUCTS: f64 = 1e9;
/// Pieces of time of a long series, at most.
const PIECES: usize = 8192;
/// Keeps regressors that depend on each other from breaking the factorisation.
const RIDGE: f64 = 1e-8;

/// Σ x xᵀ, Σ x y and Σ y² of some rows.
#[derive(Debug, Clone)]
pub(super) struct NormalSums {
    gram: Mat<f64>,
    right: Mat<f64>,
    square: f64,
}

impl NormalSums {
    /// The sums of each part of the rows; none without causes, or where it would take too long.
    pub fn by_fold(evidence: &Evidence<'_>, to: usize, folds: &Folds) -> Option<Vec<Self>> {
        let causes = evidence.causes(to);
        let constant = Basis::constant(evidence.graph.steps()).ok()?;
        let own = |edge: &&Edge| match edge.trajectory {
            Trajectory::Coefficients(_) | Trajectory::Mixture(_) => evidence.graph.basis(),
            // A weight of its own at every step could not be known where that step is left out.
            Trajectory::Constant(_) | Trajectory::Steps(_) | Trajectory::Knots { .. } => &constant,
        };
        let affordable = |bases: &[&Basis]| cost(evidence, folds, bases) < MOST_PRODUCTS;
        let bases: Vec<&Basis> = causes.iter().map(own).collect();
        let plain = vec![&constant; causes.len()];
        let bases = if affordable(&bases) { bases } else { plain };
        (!causes.is_empty() && affordable(&bases))
            .then(|| ProductSums { evidence, to, causes, bases }.by_fold(folds))
    }

    fn empty(size: usize) -> Self {
        Self { gram: Mat::zeros(size, size), right: Mat::zeros(size, 1), square: 0.0 }
    }

    /// The sums of all parts.
    pub fn sum(parts: &[Self]) -> Option<Self> {
        let (first, rest) = parts.split_first()?;
        let mut total = first.clone();
        for part in rest {
            total.gram += &part.gram;
            total.right += &part.right;
            total.square += part.square;
        }
        Some(total)
    }

    /// The sums without those of a part.
    pub fn without(&self, part: &Self) -> Self {
        Self {
            gram: &self.gram - &part.gram,
            right: &self.right - &part.right,
            square: self.square - part.square,
        }
    }

    /// The coefficients of least squares.
    pub fn solve(&self) -> Option<Mat<f64>> {
        let size = self.gram.nrows();
        let largest = (0..size).map(|j| self.gram[(j, j)]).fold(0.0, f64::max);
        let mut gram = self.gram.clone();
        for j in 0..size {
            gram[(j, j)] += RIDGE * largest + f64::MIN_POSITIVE;
        }
        Some(Llt::new(gram.as_ref(), Side::Lower).ok()?.solve(&self.right))
    }

    /// Σ y².
    pub fn square(&self) -> f64 {
        self.square
    }

    /// Σ (y − x'c)² = Σ y² − 2 c'Σ x y + c'(Σ x xᵀ) c.
    pub fn error(&self, coefficients: &Mat<f64>) -> f64 {
        let size = coefficients.nrows();
        let mut error = self.square;
        for j in 0..size {
            let row: f64 =
                (0..size).map(|k| self.gram[(j.max(k), j.min(k))] * coefficients[(k, 0)]).sum();
            error += coefficients[(j, 0)] * (row - 2.0 * self.right[(j, 0)]);
        }
        error.max(0.0)
    }
}

/// Multiplications for one variable, times the number of variables.
fn cost(evidence: &Evidence<'_>, folds: &Folds, bases: &[&Basis]) -> f64 {
    let square = |x: usize| (x * x) as f64;
    let size: usize = bases.iter().map(|basis| basis.size()).sum();
    let steps = (evidence.columns.steps().min(PIECES) * folds.per_step()) as f64;
    let solving = (FOLDS * size) as f64 * square(size);
    let one = evidence.rows * square(bases.len() + 1) + steps * square(size) + solving;
    one * evidence.variables() as f64
}

/// What sums are taken of.
struct ProductSums<'a> {
    evidence: &'a Evidence<'a>,
    to: usize,
    causes: Vec<&'a Edge>,
    bases: Vec<&'a Basis>,
}

impl ProductSums<'_> {
    fn by_fold(&self, folds: &Folds) -> Vec<NormalSums> {
        let (columns, there) = (&self.evidence.columns, self.evidence.there(self.to));
        let size = self.bases.iter().map(|basis| basis.size()).sum();
        let mut parts = vec![NormalSums::empty(size); FOLDS];
        let causes = self.causes.iter().map(|edge| self.evidence.values(edge.from, edge.lag));
        let both: Vec<&[f64]> = causes.chain([self.evidence.values(self.to, 0)]).collect();
        let (width, series) = (both.len(), columns.series());
        let mut row = vec![0.0; width];
        let mut products = vec![0.0; width * width];
        // Of long series functions are taken as they are in the middle of short pieces.
        let (steps, each) = (columns.steps(), columns.steps().div_ceil(PIECES));
        for piece in (0..steps).step_by(each) {
            let end = (piece + each).min(steps);
            let functions = self.functions(piece.midpoint(end - 1) + columns.lag());
            let first = folds.of_row(piece, 0);
            for fold in 0..folds.per_step() {
                products.fill(0.0);
                for step in piece..end {
                    for n in (fold..series).step_by(folds.per_step()) {
                        let at = step * series + n;
                        if there[at] > 0.0 {
                            row.iter_mut().zip(&both).for_each(|(z, column)| *z = column[at]);
                            add_products(&mut products, &row);
                        }
                    }
                }
                add_step(&mut parts[first + fold], &functions, &products);
            }
        }
        parts
    }

    /// The functions that are not 0 at a step: which regressor, of which cause, and how large.
    fn functions(&self, step: usize) -> Vec<(usize, usize, f64)> {
        let mut found = Vec::new();
        let mut at = 0;
        for (cause, (edge, basis)) in self.causes.iter().zip(&self.bases).enumerate() {
            for phi in basis.at(step) {
                if *phi != 0.0 && edge.presence.contains(step) {
                    found.push((at, cause, *phi));
                }
                at += 1;
            }
        }
        found
    }
}

/// Adds z zᵀ, below the diagonal.
fn add_products(products: &mut [f64], row: &[f64]) {
    for (j, z) in row.iter().enumerate() {
        let line = &mut products[j * row.len()..=j * row.len() + j];
        line.iter_mut().zip(row).for_each(|(sum, other)| *sum += z * other);
    }
}

/// Adds the products of one step, spread over the functions of time.
fn add_step(part: &mut NormalSums, functions: &[(usize, usize, f64)], products: &[f64]) {
    let width = products.len().isqrt();
    let y = width - 1;
    part.square += products[y * width + y];
    for (index, (row, cause, phi)) in functions.iter().enumerate() {
        part.right[(*row, 0)] += phi * products[y * width + cause];
        for (column, other, psi) in &functions[..=index] {
            part.gram[(*row, *column)] += phi * psi * products[cause * width + other];
        }
    }
}
