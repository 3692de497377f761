//! Numbers that moments are added up in.

/// Single or double precision.
pub(crate) trait Precision: faer::traits::ComplexField + Copy + Default + Send {
    /// A number as this kind holds it.
    fn of(number: f64) -> Self;

    /// The number that it holds.
    fn number(self) -> f64;
}

impl Precision for f64 {
    #[inline]
    fn of(number: f64) -> Self {
        number
    }

    fn number(self) -> f64 {
        self
    }
}

impl Precision for f32 {
    #[allow(clippy::cast_possible_truncation)] // that is what it is for
    #[inline]
    fn of(number: f64) -> Self {
        number as Self
    }

    fn number(self) -> f64 {
        f64::from(self)
    }
}
