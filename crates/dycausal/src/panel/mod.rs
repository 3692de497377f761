//! The data: one or more series of the same variables over the same steps.

pub mod calendar;
mod check;
mod holes;
mod standardise;
mod summary;
mod time;
mod time_written;

use ndarray::{Array3, ArrayView2, ArrayView3, Axis, CowArray, Ix3};

pub use holes::Hole;
pub use summary::Summary;
pub use time::TimeIndex;

use crate::error::{Error, Result};

/// Values\[series, time, variable\] with names and times; NaN is a missing cell.
///
/// Series of unequal length are missing at their ends. A panel is never changed by what reads it.
///
/// ```
/// use dycausal::Panel;
/// use ndarray::array;
///
/// // One series, three steps, two variables; one cell is missing.
/// let values = array![[[1.0, 2.0], [3.0, f64::NAN], [5.0, 6.0]]];
/// let panel = Panel::new(values, vec!["rain".into(), "river".into()])?;
/// assert_eq!((panel.series(), panel.steps(), panel.variables()), (1, 3, 2));
/// assert_eq!(panel.missing(), 1);
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Panel {
    values: CowArray<'static, f64, Ix3>,
    names: Vec<String>,
    series_names: Vec<String>,
    times: TimeIndex,
    missing: usize,
}

impl Panel {
    /// A panel of `values`\[series, time, variable\] whose variables are called `names`.
    ///
    /// Values may be an array to keep or a view of memory that outlives every panel, which is read
    /// in place; what is not laid out in order is copied.
    ///
    /// Series are numbered from 1 and times are steps until [`Panel::with_series_names`] and
    /// [`Panel::with_times`] say more.
    ///
    /// # Errors
    /// If an axis is empty, a value infinite, or `names` are too few, too many or not unique.
    pub fn new(values: impl Into<CowArray<'static, f64, Ix3>>, names: Vec<String>) -> Result<Self> {
        let values = values.into();
        let (series, steps, variables) = values.dim();
        for (what, size) in [("series", series), ("steps", steps), ("variables", variables)] {
            if size == 0 {
                return Err(Error::shape(format!("number of {what}"), size, "at least 1"));
            }
        }
        if names.len() != variables {
            let expected = format!("{variables}, one per variable");
            return Err(Error::shape("number of variable names", names.len(), expected));
        }
        check::unique("variables", &names)?;
        let series_names: Vec<String> = (1..=series).map(|n| n.to_string()).collect();
        // A panel can fill most of the memory: copy only what is laid out otherwise.
        let values = if values.is_standard_layout() {
            values
        } else {
            values.as_standard_layout().into_owned().into()
        };
        let missing = check::finite_or_missing(values.view(), &names, &series_names)?;
        Ok(Self { values, names, series_names, times: TimeIndex::Steps(steps), missing })
    }

    /// A panel whose variables are called `x1`, `x2`, ….
    ///
    /// # Errors
    /// As [`Panel::new`].
    pub fn unnamed(values: impl Into<CowArray<'static, f64, Ix3>>) -> Result<Self> {
        let values = values.into();
        let names = (1..=values.dim().2).map(|v| format!("x{v}")).collect();
        Self::new(values, names)
    }

    /// The same panel with its own times.
    ///
    /// # Errors
    /// If there are more or fewer times than steps.
    pub fn with_times(mut self, times: TimeIndex) -> Result<Self> {
        if times.len() != self.steps() {
            let expected = format!("{}, one per step", self.steps());
            return Err(Error::shape("number of times", times.len(), expected));
        }
        self.times = times;
        Ok(self)
    }

    /// The same panel with its own names of series.
    ///
    /// # Errors
    /// If there are more or fewer names than series, or two are the same.
    pub fn with_series_names(mut self, names: Vec<String>) -> Result<Self> {
        if names.len() != self.series() {
            let expected = format!("{}, one per series", self.series());
            return Err(Error::shape("number of series names", names.len(), expected));
        }
        check::unique("series", &names)?;
        self.series_names = names;
        Ok(self)
    }

    /// Other values with the same names and times.
    fn with_values(&self, values: Array3<f64>) -> Result<Self> {
        Self::new(values, self.names.clone())?
            .with_times(self.times.clone())?
            .with_series_names(self.series_names.clone())
    }

    /// Values\[series, time, variable\]; NaN is missing.
    pub fn values(&self) -> ArrayView3<'_, f64> {
        self.values.view()
    }

    /// The values alone; copied only where they were lent.
    pub fn into_values(self) -> Array3<f64> {
        self.values.into_owned()
    }

    /// Values\[time, variable\] of one series.
    pub fn one_series(&self, series: usize) -> ArrayView2<'_, f64> {
        self.values.index_axis(Axis(0), series)
    }

    /// How many series there are.
    pub fn series(&self) -> usize {
        self.values.dim().0
    }

    /// How many steps the longest series has.
    pub fn steps(&self) -> usize {
        self.values.dim().1
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.values.dim().2
    }

    /// The variables' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The series' names.
    pub fn series_names(&self) -> &[String] {
        &self.series_names
    }

    /// The time of each step.
    pub fn times(&self) -> &TimeIndex {
        &self.times
    }

    /// How many cells are missing.
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// How many steps a series has before its missing end.
    pub fn length(&self, series: usize) -> usize {
        let rows = self.one_series(series);
        let last = rows.outer_iter().rposition(|row| row.iter().any(|x| !x.is_nan()));
        last.map_or(0, |step| step + 1)
    }

    /// The panel of some of the variables, in the order given.
    ///
    /// # Errors
    /// If a variable is named that is not there, or named twice.
    pub fn select(&self, variables: &[usize]) -> Result<Self> {
        if let Some(v) = variables.iter().find(|v| **v >= self.variables()) {
            let expected = format!("below {}", self.variables());
            return Err(Error::shape("variable number", v, expected));
        }
        let names = variables.iter().map(|v| self.names[*v].clone()).collect();
        Self::new(self.values.select(Axis(2), variables), names)?
            .with_times(self.times.clone())?
            .with_series_names(self.series_names.clone())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    fn two_by_three() -> Panel {
        let nan = f64::NAN;
        let values =
            array![[[1.0, 2.0], [3.0, 4.0], [nan, nan]], [[5.0, nan], [7.0, 8.0], [9.0, 1.0]]];
        Panel::new(values, vec!["a".into(), "b".into()]).unwrap()
    }

    #[test]
    fn missing_ends_are_the_length_of_a_series() {
        let panel = two_by_three();
        assert_eq!((panel.length(0), panel.length(1)), (2, 3));
        assert_eq!(panel.missing(), 3);
    }

    #[test]
    fn bad_panels_are_refused_by_name() {
        let err = Panel::new(Array3::zeros((1, 2, 2)), vec!["a".into(), "a".into()]).unwrap_err();
        assert!(matches!(err, Error::DuplicateName { first: 0, second: 1, .. }));
        let err = Panel::unnamed(array![[[1.0], [f64::INFINITY]]]).unwrap_err();
        assert!(matches!(err, Error::NotFinite { step: 1, .. }));
        assert!(Panel::unnamed(Array3::zeros((0, 2, 2))).is_err());
        assert!(two_by_three().with_times(TimeIndex::Steps(4)).is_err());
    }

    #[test]
    fn values_laid_out_in_order_are_taken_not_copied() {
        let values = Array3::zeros((2, 3, 4));
        let before = values.as_ptr();
        let panel = Panel::unnamed(values).unwrap();
        assert_eq!(panel.values().as_ptr(), before);
    }

    #[test]
    fn a_view_is_read_in_place_and_turned_round_only_if_it_must_be() {
        static VALUES: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let view = ArrayView3::from_shape((1, 3, 2), &VALUES).unwrap();
        assert_eq!(Panel::unnamed(view).unwrap().values().as_ptr(), VALUES.as_ptr());
        let turned = Panel::unnamed(view.permuted_axes([0, 2, 1])).unwrap();
        assert_eq!(turned.values()[[0, 1, 2]], 6.0);
        assert_ne!(turned.values().as_ptr(), VALUES.as_ptr());
    }

    #[test]
    fn selecting_keeps_names_with_their_values() {
        let panel = two_by_three().select(&[1]).unwrap();
        assert_eq!(panel.names(), ["b"]);
        assert_eq!(panel.values()[[1, 1, 0]], 8.0);
        assert!(two_by_three().select(&[2]).is_err());
    }
}
