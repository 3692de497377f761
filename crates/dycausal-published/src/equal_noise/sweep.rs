//! Regression by sweeping: a column goes in or out with one update of the moments.
//!
//! Sweeping a symmetric A on k gives −1 / A_kk there, A_ik / A_kk beside it, and A_ij − A_ik A_kj / A_kk elsewhere; so
//! what is in the regression holds coefficients, and what is not holds what is left of it. Sweeping back undoes it.

use ndarray::{Array2, ArrayView2};

/// Mean square, of 1, that a column has to keep beside those already in.
const DISTINCT: f64 = 1e-7;

/// Moments of some columns and, last, of a target, with some columns swept in.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    moments: Array2<f64>,
    inside: Vec<bool>,
    /// The column that is swept, for a while.
    beside: Vec<f64>,
}

impl Sweep {
    /// Takes the moments of these columns and of a target.
    pub fn take(&mut self, all: ArrayView2<'_, f64>, columns: &[usize], target: usize) {
        let number = |place: usize| columns.get(place).copied().unwrap_or(target);
        let size = columns.len() + 1;
        self.moments = Array2::from_shape_fn((size, size), |(a, b)| all[[number(a), number(b)]]);
        self.inside = vec![false; columns.len()];
    }

    /// The mean square that is left of the target.
    pub fn left(&self) -> f64 {
        let target = self.inside.len();
        self.moments[[target, target]]
    }

    /// How much of the target's mean square a column explains beside those that are in; or, where it is in itself, how
    /// much more would be left without it.
    pub fn weight(&self, place: usize) -> f64 {
        let slope = self.coefficient(place);
        self.pivot(place).map_or(0.0, |(_, pivot)| slope * slope / pivot)
    }

    /// The coefficient of a column that is in.
    pub fn coefficient(&self, place: usize) -> f64 {
        self.moments[[place, self.inside.len()]]
    }

    /// Puts a column in, or takes it out; false where it cannot be told from those that are in.
    pub fn switch(&mut self, place: usize) -> bool {
        let Some((sign, pivot)) = self.pivot(place) else { return false };
        self.beside.clear();
        self.beside.extend(self.moments.row(place));
        for (mut row, x) in self.moments.outer_iter_mut().zip(&self.beside) {
            let share = sign * x / pivot;
            row.iter_mut().zip(&self.beside).for_each(|(entry, y)| *entry -= share * y);
        }
        for (other, x) in self.beside.iter().enumerate() {
            self.moments[[place, other]] = x / pivot;
            self.moments[[other, place]] = x / pivot;
        }
        self.moments[[place, place]] = -sign / pivot;
        self.inside[place] = !self.inside[place];
        true
    }

    /// The sign of a column's entry, −1 where it is in, and the entry without it, if it is large enough.
    fn pivot(&self, place: usize) -> Option<(f64, f64)> {
        let (sign, least) = if self.inside[place] { (-1.0, 0.0) } else { (1.0, DISTINCT) };
        let pivot = sign * self.moments[[place, place]];
        (pivot > least).then_some((sign, pivot))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    /// y = 2a + 3b with moments of a, b, y: coefficients and what is left, there and back.
    #[test]
    fn sweeping_is_regression() {
        let moments = array![[1.0, 0.5, 3.5], [0.5, 1.0, 4.0], [3.5, 4.0, 19.5]];
        let mut sweep = Sweep::default();
        sweep.take(moments.view(), &[0, 1], 2);
        assert!((sweep.weight(0) - 3.5 * 3.5).abs() < 1e-12);
        assert!(sweep.switch(0));
        assert!((sweep.left() - (19.5 - 3.5 * 3.5)).abs() < 1e-12);
        assert!(sweep.switch(1));
        assert!((sweep.coefficient(0) - 2.0).abs() < 1e-12);
        assert!((sweep.coefficient(1) - 3.0).abs() < 1e-12);
        assert!((sweep.left() - 0.5).abs() < 1e-12, "{}", sweep.left());
        assert!(sweep.switch(1) && sweep.switch(0));
        assert!((&sweep.moments - &moments).iter().all(|x| x.abs() < 1e-12));
    }

    #[test]
    fn a_column_that_another_explains_stays_out() {
        let moments = array![[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]];
        let mut sweep = Sweep::default();
        sweep.take(moments.view(), &[0, 1], 2);
        assert!(sweep.switch(0) && !sweep.switch(1));
        assert_eq!(sweep.weight(1), 0.0);
    }
}
