//! h_norm, Eq. 8 of the paper: a log-determinant whose matrix is scaled into its domain.

use ndarray::{ArrayView2, ArrayViewMut2};

use super::elimination::{LARGEST, log_det_and_inverse};
use super::{Acyclicity, Outside, Workspace};

/// h(A) = −log det(αI − A/|A|₁) + d log α.
///
/// |A|₁ is the largest sum of the squares that leave one cause (the paper has causes in columns,
/// this crate in rows). The spectral radius of A/|A|₁ is at most 1 < α, so h is defined for every
/// A; it does not change when A is multiplied by a number, and h(0) = 0 by definition.
///
/// ∂h/∂A = (αI − A/|A|₁)⁻ᵀ / |A|₁ if `detached`, which is what the paper prints: the norm counts as
/// a constant, so this is not the derivative of h and no line search may rest on it. Otherwise
/// the term through the norm, −Σ A∘(αI − A/|A|₁)⁻ᵀ / |A|₁² in the row of the largest sum, is added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormLogDet {
    /// Slightly more than 1.
    pub alpha: f64,
    /// Whether the norm counts as a constant in the gradient.
    pub detached: bool,
}

impl Default for NormLogDet {
    fn default() -> Self {
        Self { alpha: 1.001, detached: true }
    }
}

impl Acyclicity for NormLogDet {
    fn name(&self) -> &'static str {
        if self.detached { "norm-log-det" } else { "norm-log-det-full" }
    }

    fn has_domain(&self) -> bool {
        false
    }

    fn evaluate(
        &self,
        squares: ArrayView2<'_, f64>,
        mut gradient: ArrayViewMut2<'_, f64>,
        workspace: &mut Workspace,
    ) -> Result<f64, Outside> {
        let (row, norm) = largest_row(&squares);
        if norm == 0.0 {
            gradient.fill(0.0);
            return Ok(0.0);
        }
        if !norm.is_finite() {
            return Err(Outside::Overflow);
        }
        let d = squares.nrows();
        fill(&mut workspace.first, &squares, self.alpha, norm);
        let value = if d <= LARGEST {
            log_det_and_inverse(&mut workspace.first, d, self.alpha)
        } else {
            workspace.factor(self.alpha)
        };
        let value = value.ok_or(Outside::Overflow)?;
        let scale = 1.0 / norm;
        for (from, mut row) in gradient.outer_iter_mut().enumerate() {
            let column = workspace.first[from..].iter().step_by(d);
            row.iter_mut().zip(column).for_each(|(slope, x)| *slope = x * scale);
        }
        if !self.detached {
            let through: f64 = squares.iter().zip(&gradient).map(|(a, g)| a * g).sum();
            gradient.row_mut(row).map_inplace(|g| *g -= through / norm);
        }
        Ok(value)
    }
}

/// αI − A/norm. Each row is strictly dominated by its diagonal; read column by column, as the
/// pivoted factorisation does, that makes the diagonal the largest of every column, so that it
/// never exchanges rows and an acyclic A gives exactly 0 there as well.
fn fill(matrix: &mut [f64], squares: &ArrayView2<'_, f64>, alpha: f64, norm: f64) {
    let d = squares.nrows();
    for (row, squares) in matrix.chunks_exact_mut(d).zip(squares.outer_iter()) {
        row.iter_mut().zip(squares).for_each(|(entry, square)| *entry = -square / norm);
    }
    matrix.iter_mut().step_by(d + 1).for_each(|entry| *entry += alpha);
}

fn largest_row(squares: &ArrayView2<'_, f64>) -> (usize, f64) {
    let sums = squares.outer_iter().map(|row| row.sum());
    // A sum that is not a number has to come out on top, so that it is noticed.
    sums.enumerate().fold(
        (0, 0.0),
        |best, (row, sum)| {
            if sum > best.1 || sum.is_nan() { (row, sum) } else { best }
        },
    )
}
