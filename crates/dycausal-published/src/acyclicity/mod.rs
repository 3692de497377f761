//! Acyclicity as a number: 0 when a matrix of squared weights has no cycle, larger when it has.
//!
//! Every constraint reads the squares A\[from, to\] = Σ W∘W (summed over whatever shares one
//! order: a knot, a pair of knots, all of them, the units of a network), and gives h and ∂h/∂A; the
//! caller multiplies by 2W. To try one of one's own, implement [`Acyclicity`] and give it to
//! [`DyCausal::with_constraint`](crate::DyCausal::with_constraint) (`examples/own_constraint.rs`); to ship one, write a file
//! like `norm_log_det.rs` and give it a variant in [`Constraint`].

mod elimination;
mod log_det;
mod norm_log_det;
mod polynomial;
mod spectral_radius;
mod trace_exp;
mod workspace;

use ndarray::{ArrayView2, ArrayViewMut2};
use serde::{Deserialize, Serialize};

pub use log_det::LogDet;
pub use norm_log_det::NormLogDet;
pub use polynomial::Polynomial;
pub use spectral_radius::SpectralRadius;
pub use trace_exp::TraceExp;
pub use workspace::Workspace;

pub use crate::optimise::Outside;

/// Value and gradient of a measure of cyclicity.
///
/// ```
/// use dycausal_published::acyclicity::{Acyclicity, NormLogDet, Workspace};
/// use ndarray::{Array2, array};
///
/// let mut workspace = Workspace::new(2);
/// let mut gradient = Array2::zeros((2, 2));
/// let h = NormLogDet::default();
/// let chain = array![[0.0, 4.0], [0.0, 0.0]];
/// assert_eq!(h.evaluate(chain.view(), gradient.view_mut(), &mut workspace)?, 0.0);
/// let cycle = array![[0.0, 4.0], [1.0, 0.0]];
/// assert!(h.evaluate(cycle.view(), gradient.view_mut(), &mut workspace)? > 0.2);
/// # Ok::<(), dycausal_published::acyclicity::Outside>(())
/// ```
pub trait Acyclicity: Send + Sync {
    /// The name in the literature.
    fn name(&self) -> &'static str;

    /// Whether some squares have no value, so that the optimiser has to be ready to go back.
    fn has_domain(&self) -> bool;

    /// h of the squares\[from, to\], and ∂h/∂squares written over `gradient`.
    ///
    /// All three parts have one size; the squares are not negative. It is asked at every step for every matrix: what
    /// ships allocates nothing.
    ///
    /// # Errors
    /// If h is not defined there; the gradient then holds nothing of use.
    fn evaluate(
        &self,
        squares: ArrayView2<'_, f64>,
        gradient: ArrayViewMut2<'_, f64>,
        workspace: &mut Workspace,
    ) -> Result<f64, Outside>;
}

/// A constraint by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// [`NormLogDet`] with the gradient the paper prints: the norm counts as a constant.
    #[default]
    NormLogDet,
    /// [`NormLogDet`] with the gradient through the norm.
    NormLogDetFull,
    /// [`LogDet`].
    LogDet,
    /// [`TraceExp`].
    TraceExp,
    /// [`Polynomial`].
    Polynomial,
    /// [`SpectralRadius`].
    SpectralRadius,
}

impl Constraint {
    /// Every constraint.
    pub const ALL: [Self; 6] = [
        Self::NormLogDet,
        Self::NormLogDetFull,
        Self::LogDet,
        Self::TraceExp,
        Self::Polynomial,
        Self::SpectralRadius,
    ];

    /// The constraint, with `alpha` where it has one.
    pub fn build(self, alpha: f64) -> Box<dyn Acyclicity> {
        match self {
            Self::NormLogDet => Box::new(NormLogDet { alpha, detached: true }),
            Self::NormLogDetFull => Box::new(NormLogDet { alpha, detached: false }),
            Self::LogDet => Box::new(LogDet { alpha }),
            Self::TraceExp => Box::new(TraceExp),
            Self::Polynomial => Box::new(Polynomial),
            Self::SpectralRadius => Box::new(SpectralRadius::default()),
        }
    }
}

#[cfg(test)]
mod tests;
