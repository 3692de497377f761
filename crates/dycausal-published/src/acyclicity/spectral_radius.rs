//! h_ρ of SDCD (Nazaret et al. 2024).

use ndarray::{ArrayView2, ArrayViewMut2};

use super::{Acyclicity, Outside, Workspace};

/// h(A) = ρ(A), the largest eigenvalue of a matrix without negative entries.
///
/// ∂h/∂A = u vᵀ / uᵀv with u and v its left and right eigenvectors. Both come from power iteration on
/// A + cI, with c the mean diagonal-free row sum: the shift makes the iteration converge where A
/// alone goes round and round, as on a plain cycle. It stops when the eigenvector (of sum 1)
/// moves by less than `tolerance` in all, or after `iterations`: the eigenvalue alone may stand
/// still on the way; eigenvalues that lie close together make it
/// slow, which is the weakness of this constraint. Without a cycle every power dies out, and both
/// h and its gradient are 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectralRadius {
    /// Most steps of the power iteration.
    pub iterations: usize,
    /// Change of the eigenvector, of sum 1, at which it stops.
    pub tolerance: f64,
}

impl Default for SpectralRadius {
    fn default() -> Self {
        Self { iterations: 10_000, tolerance: 1e-13 }
    }
}

impl Acyclicity for SpectralRadius {
    fn name(&self) -> &'static str {
        "spectral-radius"
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
        gradient.fill(0.0);
        let total: f64 = squares.sum();
        if !total.is_finite() {
            return Err(Outside::Overflow);
        }
        if !has_cycle(&squares, &mut workspace.third) {
            return Ok(0.0);
        }
        let shift = total / squares.nrows() as f64;
        let right = &mut workspace.first;
        let value = self.iterate(&squares, shift, right, &mut workspace.third);
        self.iterate(&squares.t(), shift, &mut workspace.second, &mut workspace.third);
        let (right, left) = (&workspace.first, &workspace.second);
        let d = squares.nrows();
        let overlap: f64 = (0..d).map(|v| left[v] * right[v]).sum();
        if overlap > 0.0 {
            for ((from, to), slope) in gradient.indexed_iter_mut() {
                *slope = left[from] * right[to] / overlap;
            }
        }
        Ok(value)
    }
}

impl SpectralRadius {
    /// The eigenvalue, its eigenvector (of sum 1) left at the front of `vector`.
    fn iterate(
        &self,
        squares: &ArrayView2<'_, f64>,
        shift: f64,
        vector: &mut [f64],
        image: &mut [f64],
    ) -> f64 {
        let d = squares.nrows();
        let (vector, image) = (&mut vector[..d], &mut image[..d]);
        vector.fill(1.0 / d as f64);
        let mut value = 0.0;
        for _ in 0..self.iterations {
            for (row, y) in squares.outer_iter().zip(image.iter_mut()) {
                *y = row.iter().zip(&*vector).map(|(a, x)| a * x).sum();
            }
            let growth: f64 = image.iter().sum();
            let scale = 1.0 / (growth + shift);
            let mut moved = 0.0;
            for (x, y) in vector.iter_mut().zip(&*image) {
                let next = (y + shift * *x) * scale;
                moved += (next - *x).abs();
                *x = next;
            }
            value = growth;
            if moved <= self.tolerance {
                break;
            }
        }
        value
    }
}

/// Whether removing causes without causes, again and again, leaves anything.
fn has_cycle(squares: &ArrayView2<'_, f64>, gone: &mut [f64]) -> bool {
    let d = squares.nrows();
    let gone = &mut gone[..d];
    gone.fill(0.0);
    loop {
        let free = (0..d).find(|to| {
            gone[*to] == 0.0 && (0..d).all(|from| gone[from] > 0.0 || squares[[from, *to]] == 0.0)
        });
        match free {
            Some(v) => gone[v] = 1.0,
            None => return gone.contains(&0.0),
        }
    }
}
