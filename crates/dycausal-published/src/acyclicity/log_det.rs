//! h_log of DAGMA (Bello et al. 2022).

use ndarray::{ArrayView2, ArrayViewMut2};

use super::elimination::log_det_and_inverse;
use super::{Acyclicity, Outside, Workspace};

/// h(A) = −log det(αI − A) + d log α, with ∂h/∂A = (αI − A)⁻ᵀ.
///
/// Defined where the spectral radius of A is below α; anywhere else the answer is
/// [`Outside::Domain`]. The elimination finds out by itself, so it is used at every size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogDet {
    /// What the spectral radius of A has to stay below.
    pub alpha: f64,
}

impl Default for LogDet {
    fn default() -> Self {
        Self { alpha: 1.0 }
    }
}

impl Acyclicity for LogDet {
    fn name(&self) -> &'static str {
        "log-det"
    }

    fn has_domain(&self) -> bool {
        true
    }

    fn evaluate(
        &self,
        squares: ArrayView2<'_, f64>,
        mut gradient: ArrayViewMut2<'_, f64>,
        workspace: &mut Workspace,
    ) -> Result<f64, Outside> {
        let d = squares.nrows();
        for (entry, square) in workspace.first.iter_mut().zip(&squares) {
            *entry = -square;
        }
        let diagonal = workspace.first.iter_mut().step_by(d + 1);
        diagonal.for_each(|entry| *entry += self.alpha);
        let value = log_det_and_inverse(&mut workspace.first, d, self.alpha)
            .filter(|value| value.is_finite())
            .ok_or(Outside::Domain { bound: self.alpha })?;
        for ((from, to), slope) in gradient.indexed_iter_mut() {
            *slope = workspace.first[to * d + from];
        }
        Ok(value)
    }
}
