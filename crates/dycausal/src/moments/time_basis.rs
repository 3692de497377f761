//! A basis made orthonormal over the rows, its first function 1: what regressions work on.

use ndarray::{Array2, ArrayView2, s};

use crate::basis::{Basis, Family};
use crate::design::Columns;
use crate::design::Partition;
use crate::error::{Error, Result};

/// ψ = φ R⁻¹ with ψ_0 = 1 and Σ_rows ψ_b ψ_c = rows · δ_bc.
///
/// The span is that of the basis; regressions on it are well conditioned whatever its family, and
/// the coefficients after the first are what makes a weight move.
#[derive(Debug, Clone)]
pub(crate) struct TimeBasis {
    values: Array2<f64>,
    back: Array2<f64>,
    /// Where pieces have several steps.
    by_piece: Option<Array2<f64>>,
}

impl TimeBasis {
    /// The orthonormal basis over the rows of `columns`.
    ///
    /// # Errors
    /// If the rows do not tell the functions apart: there are more functions than steps with rows.
    pub fn new(basis: &Basis, columns: &Columns) -> Result<Self> {
        let pieces = Partition::pieces(columns.steps(), columns.series());
        let (by_piece, back) =
            orthonormal(basis, columns, pieces, |t| pieces.middle(t) + columns.lag())?;
        if pieces.are_long() {
            let values = basis.values().slice(s![columns.lag().., ..]).dot(&back);
            return Ok(Self { values, back, by_piece: Some(by_piece) });
        }
        Ok(Self { values: by_piece, back, by_piece: None })
    }

    /// The same for comparing sizes: of a long series it is known on its pieces alone.
    ///
    /// # Errors
    /// As [`TimeBasis::new`].
    pub fn for_size(family: Family, size: usize, steps: usize, columns: &Columns) -> Result<Self> {
        let pieces = Partition::pieces(columns.steps(), columns.series());
        if !pieces.are_long() {
            return Self::new(&family.basis(size, steps, columns.lag())?, columns);
        }
        let basis = family.basis(size, pieces.count(), 0)?;
        let (values, back) = orthonormal(&basis, columns, pieces, |t| t)?;
        Ok(Self { values, back, by_piece: None })
    }

    /// ψ\[piece, function\] on the [pieces](Partition) of the columns.
    pub fn by_piece(&self) -> ArrayView2<'_, f64> {
        self.by_piece.as_ref().unwrap_or(&self.values).view()
    }

    /// How many functions.
    pub fn size(&self) -> usize {
        self.values.ncols()
    }

    /// ψ\[step with rows, function\].
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// ψ\[step, function\] from a step of the panel on, where `basis` is what it was made from.
    pub fn starting(&self, basis: &Basis, first: usize) -> Array2<f64> {
        basis.values().slice(s![first.., ..]).dot(&self.back)
    }

    /// The covariance, row by row, of coefficients on the basis it was made from.
    pub fn covariance_to_basis(&self, covariance: &[f64]) -> Vec<f64> {
        let size = self.size();
        let half: Vec<Vec<f64>> = covariance.chunks_exact(size).map(|r| self.to_basis(r)).collect();
        let entry =
            |j: usize, k: usize| (0..size).map(|b| self.back[[j, b]] * half[b][k]).sum::<f64>();
        (0..size * size).map(|at| entry(at / size, at % size)).collect()
    }

    /// Coefficients on the basis it was made from.
    pub fn to_basis(&self, coefficients: &[f64]) -> Vec<f64> {
        (0..self.size())
            .map(|b| (0..self.size()).map(|k| self.back[[b, k]] * coefficients[k]).sum())
            .collect()
    }
}

/// ψ\[piece, function\], and its coefficients on a basis that is known at step `place(piece)`.
fn orthonormal(
    basis: &Basis,
    columns: &Columns,
    pieces: Partition,
    place: impl Fn(usize) -> usize,
) -> Result<(Array2<f64>, Array2<f64>)> {
    let (size, steps) = (basis.size(), pieces.count());
    let rows_in = |piece: usize| pieces.range(piece).map(|t| columns.rows_at(t)).sum::<f64>();
    let weights: Vec<f64> = (0..steps).map(|t| rows_in(t) / columns.rows()).collect();
    let phi = |t: usize, b: usize| basis.values()[[place(t), b]];
    // Coefficients of ψ on φ, by Gram-Schmidt, done twice for orthogonality to the last bit.
    let mut back = Array2::<f64>::zeros((size, size));
    let mut values = Array2::<f64>::zeros((steps, size));
    let mut made = 0;
    let constant = basis.constant_coefficients();
    let unit = |b: usize| (0..size).map(|k| f64::from(u8::from(k == b))).collect();
    let starts = std::iter::once(constant).chain((0..size).map(unit));
    for start in starts {
        if made == size {
            break;
        }
        let mut coefficients: Vec<f64> = start;
        let value = |c: &[f64], t: usize| (0..size).map(|b| phi(t, b) * c[b]).sum::<f64>();
        let mut path: Vec<f64> = (0..steps).map(|t| value(&coefficients, t)).collect();
        let norm = |p: &[f64]| p.iter().zip(&weights).map(|(x, w)| w * x * x).sum::<f64>();
        let before = norm(&path);
        for _ in 0..2 {
            for k in 0..made {
                let shared: f64 = (0..steps).map(|t| weights[t] * path[t] * values[[t, k]]).sum();
                (0..steps).for_each(|t| path[t] -= shared * values[[t, k]]);
                (0..size).for_each(|b| coefficients[b] -= shared * back[[b, k]]);
            }
        }
        let length = norm(&path);
        if length <= 1e-10 * before {
            continue;
        }
        let root = length.sqrt();
        (0..steps).for_each(|t| values[[t, made]] = path[t] / root);
        (0..size).for_each(|b| back[[b, made]] = coefficients[b] / root);
        made += 1;
    }
    if made < size {
        let expected = format!("at most {made}: the steps that have rows tell no more apart");
        return Err(Error::parameter("basis_size", size, expected));
    }
    Ok((values, back))
}
