//! h_exp of NOTEARS (Zheng et al. 2018).

use ndarray::{ArrayView2, ArrayViewMut2};

use super::workspace::multiply;
use super::{Acyclicity, Outside, Workspace};

/// h(A) = tr(e^A) − d, with ∂h/∂A = (e^A)ᵀ.
///
/// By scaling and squaring: e^A = (e^{A/2^s})^{2^s}, with a Taylor sum for the inner exponential.
/// A has no negative entry, so nothing cancels and every entry comes out to full relative
/// precision. The trace is summed from E = e^A − I, which stays exactly 0 on the diagonal of an
/// acyclic A. Grows without bound: large squares are [`Outside::Overflow`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TraceExp;

/// Terms of the Taylor sum: (1/2)^15 / 15! is below the last bit of 1.
const TERMS: usize = 14;

impl Acyclicity for TraceExp {
    fn name(&self) -> &'static str {
        "trace-exp"
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
        let norm = squares.outer_iter().map(|r| r.sum()).fold(0.0, f64::max);
        // e^1024 is beyond every number, and a norm that is not a number is no better.
        if norm.is_nan() || norm > 1024.0 * d as f64 {
            return Err(Outside::Overflow);
        }
        let halvings = (2.0 * norm).max(1.0).log2().ceil();
        let scale = (-halvings).exp2();
        expm1(&squares, scale, d, workspace);
        let mut left = halvings;
        while left > 0.0 {
            square_of_one_plus(d, workspace);
            left -= 1.0;
        }
        let value: f64 = workspace.first.iter().step_by(d + 1).sum();
        for ((from, to), slope) in gradient.indexed_iter_mut() {
            *slope = workspace.first[to * d + from] + f64::from(u8::from(from == to));
        }
        let finite = value.is_finite() && gradient.iter().all(|g| g.is_finite());
        finite.then_some(value).ok_or(Outside::Overflow)
    }
}

/// first ← e^{scale A} − I = B + B²/2! + …, by Horner: E ← (B + B E / …).
fn expm1(squares: &ArrayView2<'_, f64>, scale: f64, d: usize, workspace: &mut Workspace) {
    for (b, a) in workspace.second.iter_mut().zip(squares) {
        *b = a * scale;
    }
    workspace.first.fill(0.0);
    for term in (1..=TERMS).rev() {
        // first holds E_{term+1}; E_term = B (I + E_{term+1}) / term.
        let share = 1.0 / term as f64;
        multiply(&mut workspace.third, &workspace.second, &workspace.first, d);
        let next = workspace.third.iter().zip(&workspace.second);
        for (e, (product, b)) in workspace.first.iter_mut().zip(next) {
            *e = share * (product + b);
        }
    }
}

/// first ← (I + first)² − I = 2 first + first².
fn square_of_one_plus(d: usize, workspace: &mut Workspace) {
    multiply(&mut workspace.third, &workspace.first, &workspace.first, d);
    for (e, product) in workspace.first.iter_mut().zip(&workspace.third) {
        *e = 2.0 * *e + product;
    }
}
