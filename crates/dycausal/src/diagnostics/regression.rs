//! Least squares of one variable on its causes, from sums that add up over parts of the rows.
//!
//! With z the causes of a row and φ the functions of each cause's trajectory, the regressors are
//! φ_b(t) z_j; their products at a step are φ_b φ_c Σ z_j z_k, so rows are read once, whatever the
//! basis is.

use super::evidence::Evidence;
use crate::basis::Basis;
use crate::design::{FOLDS, Folds, Partition};
use crate::graph::{Edge, Trajectory};
use crate::regression::NormalEquations;
use crate::thresholds::PRODUCTS_IN_A_SECOND;

/// Pieces of time of a long series, at most.
const PIECES: usize = 8192;

/// The sums of each part of the rows; none without causes, or where it would take too long.
pub(super) fn by_fold(
    evidence: &Evidence<'_>,
    to: usize,
    folds: &Folds,
) -> Option<Vec<NormalEquations>> {
    let causes = evidence.causes(to);
    let constant = Basis::constant(evidence.graph.steps()).ok()?;
    let own = |edge: &&Edge| match edge.trajectory {
        Trajectory::Coefficients(_) | Trajectory::Mixture(_) => evidence.graph.basis(),
        // A weight of its own at every step could not be known where that step is left out.
        Trajectory::Constant(_) | Trajectory::Steps(_) | Trajectory::Knots { .. } => &constant,
    };
    let affordable = |bases: &[&Basis]| cost(evidence, folds, bases) < PRODUCTS_IN_A_SECOND as f64;
    let bases: Vec<&Basis> = causes.iter().map(own).collect();
    let plain = vec![&constant; causes.len()];
    let bases = if affordable(&bases) { bases } else { plain };
    (!causes.is_empty() && affordable(&bases))
        .then(|| ProductSums { evidence, to, causes, bases }.by_fold(folds))
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
    fn by_fold(&self, folds: &Folds) -> Vec<NormalEquations> {
        let (columns, there) = (&self.evidence.columns, self.evidence.there(self.to));
        let size = self.bases.iter().map(|basis| basis.size()).sum();
        let mut parts = vec![NormalEquations::empty(size); FOLDS];
        let causes = self.causes.iter().map(|edge| self.evidence.values(edge.from, edge.lag));
        let both: Vec<&[f64]> = causes.chain([self.evidence.values(self.to, 0)]).collect();
        let (width, series) = (both.len(), columns.series());
        let mut row = vec![0.0; width];
        let mut products = vec![0.0; width * width];
        // Of long series functions are taken as they are in the middle of short pieces.
        for piece in Partition::at_most(PIECES, columns.steps()).ranges() {
            let functions = self.functions(piece.start.midpoint(piece.end - 1) + columns.lag());
            let first = folds.of_row(piece.start, 0);
            for fold in 0..folds.per_step() {
                products.fill(0.0);
                for step in piece.clone() {
                    for n in (fold..series).step_by(folds.per_step()) {
                        let at = step * series + n;
                        if there[at] > 0.0 {
                            row.iter_mut().zip(&both).for_each(|(z, column)| *z = column[at]);
                            add_row(&mut products, &row);
                        }
                    }
                }
                parts[first + fold].add_products(&functions, &products);
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
fn add_row(products: &mut [f64], row: &[f64]) {
    for (j, z) in row.iter().enumerate() {
        let line = &mut products[j * row.len()..=j * row.len() + j];
        line.iter_mut().zip(row).for_each(|(sum, other)| *sum += z * other);
    }
}
