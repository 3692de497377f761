//! Lagged second moments per step: all that a linear model reads of the data.

mod gram;
mod lanes;
mod packed;
mod precision;
mod stacked;
mod tile;
mod time_basis;

use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

pub(crate) use gram::{Gram, Rows, pair, pairs, products};
pub(crate) use lanes::{LANES, Lane};
pub(crate) use packed::{PackedGram, Unpacking};
pub(crate) use precision::Precision;
pub(crate) use tile::Workspace;
pub(crate) use time_basis::TimeBasis;

use crate::design::UsableRows;
use crate::error::{Error, Result};
use crate::linear_algebra::add_transposed_product;
use crate::panel::Panel;
use crate::run::Cancel;

/// Σ_n z zᵀ at every step, with z = (x_t, x_{t-1}, …, x_{t-lag}, 1) and x counted from a centre.
///
/// The last coordinate is 1, so means and intercepts are in it. Moments of two parts of the data
/// add up to the moments of the whole ([`Moments::merge`]); their size does not depend on the
/// number of series. Only rows without a missing cell count.
///
/// ```
/// use dycausal::{Moments, Panel};
/// use ndarray::array;
///
/// let panel = Panel::unnamed(array![[[1.0], [2.0], [4.0]]])?;
/// let moments = Moments::of(&panel, 1)?.recentred(&[0.0]);
/// assert!((moments.at(2)[[0, 1]] - 4.0 * 2.0).abs() < 1e-12); // x_t · x_{t-1} at t = 2
/// assert_eq!(moments.rows(0), 0.0); // no lagged value at the first step
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    variables: usize,
    lag: usize,
    centre: Vec<f64>,
    grams: Array3<f64>,
}

impl Moments {
    /// The moments of a panel, each step on a thread of its own.
    ///
    /// Values are counted from the mean of each variable, so that a large mean costs no precision.
    ///
    /// # Errors
    /// If the series are too short for the lag, or no row is complete.
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        Self::unless(panel, lag, &Cancel::default())
    }

    /// The same, until stopping is asked for.
    ///
    /// # Errors
    /// As [`Moments::of`], and if it is cancelled.
    pub fn unless(panel: &Panel, lag: usize, cancel: &Cancel) -> Result<Self> {
        let (steps, variables) = (panel.steps(), panel.variables());
        if steps <= lag {
            return Err(Error::TooShort { steps, lag, needed: lag + 1 });
        }
        let centre: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
        let size = variables * (lag + 1) + 1;
        let mut grams = Array3::zeros((steps, size, size));
        let each = grams.axis_iter_mut(Axis(0)).into_par_iter().enumerate().skip(lag);
        let complete = UsableRows::complete(panel);
        each.try_for_each(|(step, mut gram)| {
            cancel.proceed()?;
            let counts = |series: usize| complete.contains(series, step, lag);
            accumulate(panel, step, counts, &centre, &mut gram);
            Ok(())
        })?;
        let moments = Self { variables, lag, centre, grams };
        if moments.total_rows() == 0.0 {
            return Err(Error::NoCompleteRow { variables, lag, missing: panel.missing() });
        }
        Ok(moments)
    }

    /// Moments that were computed elsewhere: Σ z zᵀ\[step, …, …\] counted from `centre`.
    ///
    /// # Errors
    /// If the sizes do not go together, or a number is not finite.
    pub fn from_parts(lag: usize, centre: Vec<f64>, grams: Array3<f64>) -> Result<Self> {
        let size = centre.len() * (lag + 1) + 1;
        let (_, rows, columns) = grams.dim();
        if (rows, columns) != (size, size) {
            let expected = format!("[steps, {size}, {size}]");
            return Err(Error::shape("moments", format!("{:?}", grams.shape()), expected));
        }
        if grams.iter().chain(&centre).any(|x| !x.is_finite()) {
            return Err(Error::shape("moments", "numbers that are not finite", "finite numbers"));
        }
        Ok(Self { variables: centre.len(), lag, centre, grams })
    }

    /// Σ z zᵀ of all steps: \[step, …, …\].
    pub fn grams(&self) -> ArrayView3<'_, f64> {
        self.grams.view()
    }

    /// How many variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The longest lag.
    pub fn lag(&self) -> usize {
        self.lag
    }

    /// How many steps, those without lagged values included.
    pub fn steps(&self) -> usize {
        self.grams.dim().0
    }

    /// What values are counted from.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// Σ_n z zᵀ at a step: variables at lag 0, at lag 1, …, and 1 last.
    pub fn at(&self, step: usize) -> ArrayView2<'_, f64> {
        self.grams.index_axis(Axis(0), step)
    }

    /// How many complete rows a step has.
    pub fn rows(&self, step: usize) -> f64 {
        let last = self.grams.dim().1 - 1;
        self.grams[[step, last, last]]
    }

    /// How many complete rows there are in all.
    pub fn total_rows(&self) -> f64 {
        (0..self.steps()).map(|step| self.rows(step)).sum()
    }

    /// The standard deviation of every variable over the complete rows of all steps; 0 without any.
    pub fn standard_deviations(&self) -> Vec<f64> {
        let last = self.grams.dim().1 - 1;
        let rows = self.total_rows().max(1.0);
        let mean = |a: usize, b: usize| self.grams.slice(s![.., a, b]).sum() / rows;
        let variance = |v: usize| mean(v, v) - mean(v, last).powi(2);
        (0..self.variables).map(|v| variance(v).max(0.0).sqrt()).collect()
    }

    /// Adds the moments of other series of the same variables.
    ///
    /// # Errors
    /// If variables, lag or steps differ.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let size = |m: &Self| (m.variables, m.lag, m.steps());
        if size(self) != size(other) {
            let expected = format!("{:?} (variables, lag, steps)", size(self));
            return Err(Error::shape("moments to add", format!("{:?}", size(other)), expected));
        }
        self.grams += &other.recentred(&self.centre).grams;
        Ok(())
    }

    /// The same moments, counted from another centre: exact, since 1 is among the coordinates.
    pub fn recentred(&self, centre: &[f64]) -> Self {
        let d = self.variables;
        let shift = |j: usize| {
            if j < self.lag * d + d { self.centre[j % d] - centre[j % d] } else { 0.0 }
        };
        let shifts: Vec<f64> = (0..self.grams.dim().1).map(shift).collect();
        let last = shifts.len() - 1;
        let mut moved = self.grams.clone();
        for (old, mut new) in self.grams.outer_iter().zip(moved.outer_iter_mut()) {
            for ((j, k), value) in new.indexed_iter_mut() {
                *value += shifts[j] * old[[last, k]]
                    + old[[j, last]] * shifts[k]
                    + shifts[j] * shifts[k] * old[[last, last]];
            }
        }
        Self { centre: centre.to_vec(), grams: moved, ..*self }
    }
}

/// Adds the rows of one step that count.
fn accumulate(
    panel: &Panel,
    step: usize,
    counts: impl Fn(usize) -> bool,
    centre: &[f64],
    gram: &mut ArrayViewMut2<f64>,
) {
    let d = panel.variables();
    let values = panel.values();
    let lags = (gram.ncols() - 1) / d;
    let mut rows = Array2::ones((panel.series(), gram.ncols()));
    let mut used = 0;
    for series in (0..panel.series()).filter(|n| counts(*n)) {
        let mut row = rows.row_mut(used);
        for back in 0..lags {
            let source = values.slice(s![series, step - back, ..]);
            for (j, (x, mean)) in source.iter().zip(centre).enumerate() {
                row[back * d + j] = x - mean;
            }
        }
        used += 1;
    }
    let rows = rows.slice(s![..used, ..]);
    add_transposed_product(gram, &rows, &rows);
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use proptest::prelude::*;

    use super::*;

    fn panel(values: Vec<f64>, series: usize) -> Panel {
        let steps = values.len() / series / 2;
        Panel::unnamed(Array3::from_shape_vec((series, steps, 2), values).unwrap()).unwrap()
    }

    fn close(a: &Moments, b: &Moments) -> bool {
        let scale = a.grams.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        (&a.grams - &b.grams).iter().all(|gap| gap.abs() < 1e-12 * scale)
    }

    #[test]
    fn rows_with_a_missing_cell_do_not_count() {
        let mut values: Vec<f64> = (0..16).map(|k| f64::from(k * k % 7)).collect();
        values[5] = f64::NAN; // first series, step 2, second variable
        let moments = Moments::of(&panel(values, 2), 1).unwrap();
        let rows: Vec<f64> = (0..4).map(|t| moments.rows(t)).collect();
        assert_eq!(rows, [0.0, 2.0, 1.0, 1.0]);
    }

    #[test]
    fn parts_make_the_whole_again() {
        let whole = Moments::of(&panel((0..16).map(f64::from).collect(), 2), 1).unwrap();
        let (centre, grams) = (whole.centre().to_vec(), whole.grams().to_owned());
        assert_eq!(Moments::from_parts(1, centre.clone(), grams.clone()).unwrap(), whole);
        assert!(Moments::from_parts(0, centre.clone(), grams.clone()).is_err());
        assert!(Moments::from_parts(1, centre, grams * f64::NAN).is_err());
    }

    #[test]
    fn nothing_complete_is_an_error() {
        let nan = f64::NAN;
        let panel = panel(vec![1.0, nan, nan, 2.0, 3.0, nan], 1);
        assert!(matches!(Moments::of(&panel, 0), Err(Error::NoCompleteRow { missing: 3, .. })));
        assert!(matches!(Moments::of(&panel, 3), Err(Error::TooShort { .. })));
    }

    proptest! {
        #[test]
        fn moments_of_parts_add_up(values in prop::collection::vec(-9.0..9.0f64, 3 * 5 * 2)) {
            let whole = Moments::of(&panel(values.clone(), 3), 2).unwrap();
            let (first, rest) = values.split_at(10);
            let mut sum = Moments::of(&panel(first.to_vec(), 1), 2).unwrap();
            sum.merge(&Moments::of(&panel(rest.to_vec(), 2), 2).unwrap()).unwrap();
            prop_assert!(close(&sum.recentred(whole.centre()), &whole));
        }
    }
}
