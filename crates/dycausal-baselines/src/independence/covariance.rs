//! A covariance matrix that answers for partial correlations.

use dycausal::internals::linear_algebra::{add_transposed_product, dot, standardise};
use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::{Tested, p_value};

/// What is left of a variance of 1 below which a column counts as determined by others.
const DETERMINED: f64 = 1e-12;
/// Columns of the matrix computed at a time; fixed, so that bits do not depend on threads.
const BLOCK: usize = 64;

/// Covariances of columns, row by row; a column that does not move has variance 0.
pub(crate) struct Covariance {
    size: usize,
    values: Vec<f64>,
}

impl Covariance {
    /// The correlations of columns of `rows` numbers each, given one after the other.
    pub fn correlations(mut columns: Vec<f64>, rows: usize) -> Self {
        let size = columns.len() / rows.max(1);
        // What does not move is all 0.
        columns.par_chunks_mut(rows.max(1)).for_each(|column| _ = standardise(column, 1.0));
        // Rows of observations, so that products run over contiguous memory.
        let by_row = ArrayView2::from_shape((size, rows), &columns)
            .map(|view| view.t().as_standard_layout().into_owned())
            .unwrap_or_default();
        let starts: Vec<usize> = (0..size).step_by(BLOCK).collect();
        let blocks: Vec<Array2<f64>> =
            starts.par_iter().map(|start| block(&by_row, *start)).collect();
        let mut values = vec![0.0; size * size];
        for (start, block) in starts.iter().zip(&blocks) {
            for ((a, b), x) in block.indexed_iter() {
                let (row, column) = (start + a, start + b);
                values[row * size + column] = *x;
                values[column * size + row] = *x;
            }
        }
        Self { size, values }
    }

    /// Whether columns x and y are independent given others, as far as correlation tells.
    ///
    /// With S the covariance of (x, y) given the others, ρ = S_xy / √(S_xx S_yy). Conditions that do
    /// not move count for nothing; `taken` conditions were taken out before.
    pub fn test(&self, x: usize, y: usize, given: &[usize], rows: usize, taken: usize) -> Tested {
        if self.is_still(x) || self.is_still(y) {
            return Tested { value: 0.0, p: 1.0 };
        }
        let value = self.partial_correlation(x, y, given);
        let variables = 2 + taken + self.moving(given);
        Tested { value, p: p_value(value, rows, variables) }
    }

    /// How many of these columns move.
    pub fn moving(&self, columns: &[usize]) -> usize {
        columns.iter().filter(|column| !self.is_still(**column)).count()
    }

    /// The covariance of some columns given others: R_aa − R_ab R_bb⁻¹ R_ba.
    pub fn given(&self, keep: &[usize], given: &[usize]) -> Self {
        let width = given.len();
        let mut factor = vec![0.0; (width + keep.len()) * width];
        for (row, column) in given.iter().chain(keep).enumerate() {
            self.factor_row(&mut factor, width, row, *column, given);
        }
        let size = keep.len();
        let reduced = &factor[width * width..];
        let left = |place: usize| &reduced[place * width..(place + 1) * width];
        let mut values = vec![0.0; size * size];
        for (a, b) in (0..size).flat_map(|a| (0..=a).map(move |b| (a, b))) {
            let value = self.at(keep[a], keep[b]) - dot(left(a), left(b));
            let nothing = a == b && value <= DETERMINED * self.at(keep[a], keep[a]);
            values[a * size + b] = if nothing { 0.0 } else { value };
            values[b * size + a] = values[a * size + b];
        }
        Self { size, values }
    }

    fn at(&self, a: usize, b: usize) -> f64 {
        self.values[a * self.size + b]
    }

    fn is_still(&self, column: usize) -> bool {
        self.at(column, column) <= 0.0
    }

    fn partial_correlation(&self, x: usize, y: usize, given: &[usize]) -> f64 {
        let width = given.len();
        let mut factor = vec![0.0; (width + 2) * width];
        for (row, column) in given.iter().chain([&x, &y]).enumerate() {
            self.factor_row(&mut factor, width, row, *column, given);
        }
        let (of_x, of_y) = factor[width * width..].split_at(width);
        let left = |column: usize, row: &[f64]| {
            let whole = self.at(column, column);
            let left = whole - dot(row, row);
            if left <= DETERMINED * whole { 0.0 } else { left }
        };
        let scale = left(x, of_x) * left(y, of_y);
        if scale <= 0.0 {
            return 0.0;
        }
        ((self.at(x, y) - dot(of_x, of_y)) / scale.sqrt()).clamp(-1.0, 1.0)
    }

    /// One row of the Cholesky factor of R_bb, or of L⁻¹ R_ba for rows below it.
    ///
    /// A condition that others determine has a pivot of 0 and is passed over.
    fn factor_row(
        &self,
        factor: &mut [f64],
        width: usize,
        row: usize,
        column: usize,
        given: &[usize],
    ) {
        let (above, current) = factor.split_at_mut(row * width);
        for (place, other) in given.iter().enumerate().take(row + 1) {
            if place == row {
                let whole = self.at(column, column);
                let square = whole - dot(&current[..row], &current[..row]);
                current[row] = if square <= DETERMINED * whole { 0.0 } else { square.sqrt() };
            } else {
                let other_row = &above[place * width..=place * width + place];
                let pivot = other_row[place];
                let value = self.at(column, *other) - dot(&current[..place], &other_row[..place]);
                current[place] = if pivot > 0.0 { value / pivot } else { 0.0 };
            }
        }
    }
}

/// Covariances of a block of columns with all from its first on.
fn block(by_row: &Array2<f64>, start: usize) -> Array2<f64> {
    let size = by_row.ncols();
    let end = (start + BLOCK).min(size);
    let own = by_row.slice(ndarray::s![.., start..end]).as_standard_layout().into_owned();
    let right = by_row.slice(ndarray::s![.., start..]).as_standard_layout().into_owned();
    let mut out = Array2::zeros((end - start, size - start));
    add_transposed_product(&mut out.view_mut(), &own.view(), &right.view());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(rows: usize) -> Vec<f64> {
        let noise = |k: usize| (k * k * 7919 + k * 104_729) % 10_007;
        let mut columns: Vec<f64> = (0..4 * rows).map(|k| noise(k) as f64).collect();
        for row in 0..rows {
            columns[rows + row] += columns[row] - 0.5 * columns[3 * rows + row];
        }
        columns
    }

    #[test]
    fn a_partial_correlation_is_that_of_residuals() {
        // One condition: (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)).
        let r = Covariance::correlations(columns(200), 200);
        let (xy, xz, yz) = (r.at(0, 1), r.at(0, 3), r.at(1, 3));
        let known = (xy - xz * yz) / ((1.0 - xz * xz) * (1.0 - yz * yz)).sqrt();
        assert!((r.test(0, 1, &[3], 200, 0).value - known).abs() < 1e-14);
        let one = r.given(&[0, 1], &[3]);
        assert!((one.test(0, 1, &[], 200, 1).value - known).abs() < 1e-14);
        assert_eq!(one.test(0, 1, &[], 200, 1).p, r.test(0, 1, &[3], 200, 0).p);
    }

    #[test]
    fn the_order_of_conditions_and_copies_of_them_change_nothing() {
        let mut both = columns(100);
        both.extend_from_within(300..400);
        let r = Covariance::correlations(both, 100);
        let first = r.test(0, 1, &[2, 3], 100, 0).value;
        assert!((first - r.test(0, 1, &[3, 2], 100, 0).value).abs() < 1e-13);
        assert!((first - r.test(1, 0, &[3, 4, 2], 100, 0).value).abs() < 1e-12);
        // Given a copy of itself there is nothing left of a variable.
        assert_eq!(r.test(3, 1, &[4], 100, 0).value, 0.0);
    }

    #[test]
    fn what_does_not_move_is_independent_of_everything() {
        let mut still = columns(50);
        still[..50].fill(3.5);
        let r = Covariance::correlations(still, 50);
        assert_eq!(r.test(0, 1, &[2], 50, 0), Tested { value: 0.0, p: 1.0 });
        assert_eq!(r.test(1, 2, &[0], 50, 0), r.test(1, 2, &[], 50, 0));
    }
}
