//! Least squares from sums that add up over rows.

use crate::linear_algebra::{add_scaled, dot, quadratic, symmetric_inverse};

/// Least squares coefficients and what their covariance is made of.
#[derive(Debug, Clone)]
pub(crate) struct Fitted {
    /// Coefficients\[regressor\]\[function\], one after the other.
    pub coefficients: Vec<f64>,
    /// Where each regressor's coefficients begin; one more for the end.
    pub starts: Vec<usize>,
    /// (Z'WZ)⁻¹, row by row.
    pub inverse: Vec<f64>,
    /// Weighted sum of squared residuals.
    pub squares: f64,
    /// Weighted number of rows.
    pub rows: f64,
    /// n − k, the intercepts counted among k.
    pub freedom: f64,
}

/// Z'WZ, Z'Wy, y'Wy and the number of rows.
///
/// Of Z'WZ only the lower triangle is read.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalEquations {
    pub(super) starts: Vec<usize>,
    pub(super) gram: Vec<f64>,
    pub(super) cross: Vec<f64>,
    pub(super) square: f64,
    /// Weighted number of rows.
    pub rows: f64,
    pub(super) intercepts: f64,
}

impl NormalEquations {
    /// Those of regressors that do not move in time.
    pub fn new(gram: Vec<f64>, cross: Vec<f64>, square: f64, rows: f64) -> Self {
        let starts = (0..=cross.len()).collect();
        Self { starts, gram, cross, square, rows, intercepts: 0.0 }
    }

    /// Those of no rows.
    pub(crate) fn empty(size: usize) -> Self {
        Self::new(vec![0.0; size * size], vec![0.0; size], 0.0, 0.0)
    }

    /// How many coefficients.
    pub fn size(&self) -> usize {
        self.cross.len()
    }

    /// Z'WZ, row by row.
    pub fn gram(&self) -> &[f64] {
        &self.gram
    }

    /// Z'Wy.
    pub fn cross(&self) -> &[f64] {
        &self.cross
    }

    /// y'Wy.
    pub fn square(&self) -> f64 {
        self.square
    }

    /// Adds those of other rows, times a factor: −1 takes these rows out.
    pub(crate) fn add(&mut self, other: &Self, factor: f64) {
        add_scaled(&mut self.gram, factor, &other.gram);
        add_scaled(&mut self.cross, factor, &other.cross);
        self.square += factor * other.square;
        self.rows += factor * other.rows;
    }

    /// Adds the products of the rows of one step, \[column\]\[column\] with what is explained last, spread over
    /// functions of time: which regressor each function makes, of which column, and how large it is.
    pub(crate) fn add_products(&mut self, functions: &[(usize, usize, f64)], products: &[f64]) {
        let (width, size) = (products.len().isqrt(), self.size());
        let y = width - 1;
        self.square += products[y * width + y];
        for (index, (row, cause, phi)) in functions.iter().enumerate() {
            self.cross[*row] += phi * products[y * width + cause];
            for (column, other, psi) in &functions[..=index] {
                self.gram[row * size + column] += phi * psi * products[cause * width + other];
            }
        }
    }

    /// Σ w (y − z'b)².
    pub fn squares(&self, coefficients: &[f64]) -> f64 {
        let size = self.size();
        let mut row = vec![0.0; size];
        let mut both = 0.0;
        for (j, b) in coefficients.iter().enumerate() {
            row.iter_mut()
                .enumerate()
                .for_each(|(k, x)| *x = self.gram[j.max(k) * size + j.min(k)]);
            both += b * (dot(&row, coefficients) - 2.0 * self.cross[j]);
        }
        (self.square + both).max(0.0)
    }

    /// Least squares on some of the coefficients, each with a share `ridge` of the largest square added to its
    /// own; `None` where they are collinear.
    pub fn coefficients(&self, which: &[usize], ridge: f64) -> Option<Vec<f64>> {
        let largest = which.iter().map(|k| self.gram[k * self.size() + k]).fold(0.0, f64::max);
        Some(self.weights(&self.inverse(which, ridge * largest)?, which))
    }

    /// (Z'WZ)⁻¹ of some of the coefficients, with something added to its diagonal.
    fn inverse(&self, which: &[usize], added: f64) -> Option<Vec<f64>> {
        let (all, size) = (self.size(), which.len());
        let mut gram = vec![0.0; size * size];
        for (row, j) in which.iter().enumerate() {
            for (col, k) in which[..=row].iter().enumerate() {
                gram[row * size + col] = self.gram[j.max(k) * all + j.min(k)];
            }
            gram[row * size + row] += added;
        }
        symmetric_inverse(gram, size)
    }

    /// An inverse times Z'Wy.
    fn weights(&self, inverse: &[f64], which: &[usize]) -> Vec<f64> {
        let cross: Vec<f64> = which.iter().map(|k| self.cross[*k]).collect();
        let row = |k: usize| &inverse[k * which.len()..(k + 1) * which.len()];
        (0..which.len()).map(|k| dot(row(k), &cross)).collect()
    }

    /// How many regressors.
    pub(crate) fn regressors(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where the coefficients of each regressor begin; one more for the end.
    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Least squares on some of the regressors, in increasing order; `None` where these are
    /// collinear or rows too few.
    pub(crate) fn solve(&self, kept: &[usize]) -> Option<Fitted> {
        let mut starts = vec![0];
        let mut which = Vec::new();
        for g in kept {
            which.extend(self.starts[*g]..self.starts[g + 1]);
            starts.push(which.len());
        }
        let mut fitted = self.solve_single(&which)?;
        fitted.starts = starts;
        Some(fitted)
    }

    /// The same on some of the coefficients, in increasing order.
    pub(crate) fn solve_single(&self, which: &[usize]) -> Option<Fitted> {
        let size = which.len();
        let freedom = self.rows - size as f64 - self.intercepts;
        if freedom < 1.0 {
            return None;
        }
        let inverse = self.inverse(which, 0.0)?;
        let coefficients = self.weights(&inverse, which);
        let cross: Vec<f64> = which.iter().map(|k| self.cross[*k]).collect();
        let squares = (self.square - dot(&coefficients, &cross)).max(1e-15 * self.square);
        let starts = (0..=size).collect();
        Some(Fitted { coefficients, starts, inverse, squares, rows: self.rows, freedom })
    }

    /// The regressors that are left when the weakest of those that `may` go are left out one by
    /// one, as long as that costs n log s² no more than `penalty` per function.
    pub(crate) fn shrunk(&self, may: impl Fn(usize) -> bool, penalty: f64) -> Option<Vec<usize>> {
        let mut kept: Vec<usize> = (0..self.regressors()).collect();
        loop {
            let fitted = self.solve(&kept)?;
            let loss = |at: usize| -> f64 {
                let rise = fitted.loss(at) / fitted.squares;
                let functions = fitted.starts[at + 1] - fitted.starts[at];
                self.rows * rise.ln_1p() - penalty * functions as f64
            };
            let weakest = (0..kept.len())
                .filter(|at| may(kept[*at]))
                .map(|at| (at, loss(at)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            match weakest {
                Some((at, loss)) if loss <= 0.0 => kept.remove(at),
                _ => return Some(kept),
            };
        }
    }
}

impl Fitted {
    /// What leaving a regressor out adds to the sum of squares: β' (A_gg)⁻¹ β.
    fn loss(&self, regressor: usize) -> f64 {
        let (start, end) = (self.starts[regressor], self.starts[regressor + 1]);
        let (width, size) = (end - start, self.coefficients.len());
        let entry = |k: usize| self.inverse[(start + k / width) * size + start + k % width];
        let mut block: Vec<f64> = (0..width * width).map(entry).collect();
        quadratic(&mut block, &mut self.coefficients[start..end].to_vec(), 0.0).unwrap_or(0.0)
    }

    /// β_k² / A_kk: the same for a single coefficient.
    pub fn single_loss(&self, k: usize) -> f64 {
        self.coefficients[k].powi(2) / self.inverse[k * self.coefficients.len() + k]
    }
}
