//! h_poly of DAG-GNN (Yu et al. 2019).

use ndarray::{ArrayView2, ArrayViewMut2};

use super::workspace::multiply;
use super::{Acyclicity, Outside, Workspace};

/// h(A) = tr((I + A/d)^d) − d, with ∂h/∂A = ((I + A/d)^{d−1})ᵀ.
///
/// (The paper prints I − A/d, under which an even cycle would count as less than none; Yu et al.
/// have the plus.) Powers are taken by squaring, of P − I, so that an acyclic A gives exactly 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Polynomial;

impl Acyclicity for Polynomial {
    fn name(&self) -> &'static str {
        "polynomial"
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
        for (b, a) in workspace.second.iter_mut().zip(&squares) {
            *b = a / d as f64;
        }
        power_minus_one(d, d - 1, workspace);
        for ((from, to), slope) in gradient.indexed_iter_mut() {
            *slope = workspace.first[to * d + from] + f64::from(u8::from(from == to));
        }
        // (I + E)(I + B) − I = E + B + EB with E the power so far; second was left as it was.
        let trace = |m: &[f64]| -> f64 { m.iter().step_by(d + 1).sum() };
        multiply(&mut workspace.third, &workspace.first, &workspace.second, d);
        let value = trace(&workspace.first) + trace(&workspace.second) + trace(&workspace.third);
        let finite = value.is_finite() && gradient.iter().all(|g| g.is_finite());
        finite.then_some(value).ok_or(Outside::Overflow)
    }
}

/// first ← (I + second)^exponent − I, from the leading bit of the exponent down.
fn power_minus_one(d: usize, exponent: usize, workspace: &mut Workspace) {
    workspace.first.fill(0.0);
    for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
        multiply(&mut workspace.third, &workspace.first, &workspace.first, d);
        for (e, product) in workspace.first.iter_mut().zip(&workspace.third) {
            *e = 2.0 * *e + product;
        }
        if exponent >> bit & 1 == 1 {
            multiply(&mut workspace.third, &workspace.first, &workspace.second, d);
            let parts = workspace.third.iter().zip(&workspace.second);
            for (e, (product, b)) in workspace.first.iter_mut().zip(parts) {
                *e += product + b;
            }
        }
    }
}
