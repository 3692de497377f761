//! Natural cubic splines: functions of one variable that are straight beyond the outer knots.
//!
//! With knots ξ_1 < … < ξ_K, N_1(x) = x and N_{k+1}(x) = d_k(x) − d_{K−1}(x), where
//! d_k(x) = ((x − ξ_k)₊³ − (x − ξ_K)₊³) / (ξ_K − ξ_k): K − 1 functions beside the constant. Straight tails
//! keep a value that lies far out from bending everything else.

/// Share of the values beyond each outer knot.
const OUTSIDE: f64 = 0.03;
/// Share of the range that neighbouring knots are apart, at least.
const APART: f64 = 1e-3;

/// The functions of one variable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spline {
    knots: Vec<f64>,
}

impl Spline {
    /// Knots at quantiles of the values, for at most so many functions; fewer where values repeat.
    pub fn of(values: &[f64], functions: usize) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
            return Self { knots: Vec::new() };
        };
        let least = APART * (last - first);
        let mut knots: Vec<f64> = Vec::new();
        for k in 0..=functions {
            let share = OUTSIDE + (1.0 - 2.0 * OUTSIDE) * k as f64 / functions.max(1) as f64;
            let knot = quantile(&sorted, share);
            if knots.last().is_none_or(|before| knot - before > least) {
                knots.push(knot);
            }
        }
        Self { knots }
    }

    /// How many functions.
    pub fn size(&self) -> usize {
        self.knots.len().saturating_sub(1).max(1)
    }

    /// Writes every function at x.
    pub fn values(&self, x: f64, out: &mut [f64]) {
        self.fill(x, x, |x| x.max(0.0).powi(3), out);
    }

    /// Writes the derivative of every function at x.
    pub fn slopes(&self, x: f64, out: &mut [f64]) {
        self.fill(x, 1.0, |x| 3.0 * x.max(0.0).powi(2), out);
    }

    fn fill(&self, x: f64, line: f64, cube: impl Fn(f64) -> f64, out: &mut [f64]) {
        out[0] = line;
        let [inner @ .., before, last] = self.knots.as_slice() else { return };
        let beyond = cube(x - last);
        let d = |knot: f64| (cube(x - knot) - beyond) / (last - knot);
        let end = d(*before);
        out[1..].iter_mut().zip(inner).for_each(|(o, knot)| *o = d(*knot) - end);
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an index
    let low = at.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn beyond_the_knots_functions_are_straight() {
        let values: Vec<f64> = (0..200).map(f64::from).collect();
        let spline = Spline::of(&values, 7);
        assert_eq!(spline.size(), 7);
        let at = |x: f64| {
            let mut out = vec![0.0; 7];
            spline.values(x, &mut out);
            out
        };
        for (start, step) in [(-50.0, 3.0), (250.0, 3.0)] {
            let (a, b, c) = (at(start), at(start + step), at(start + 2.0 * step));
            for k in 0..7 {
                let bend = a[k] - 2.0 * b[k] + c[k];
                assert!(bend.abs() < 1e-6 * c[k].abs().max(1.0), "{k}: {bend}");
            }
        }
    }

    #[test]
    fn two_values_leave_a_line() {
        let values: Vec<f64> = (0..100).map(|k| f64::from(k % 2)).collect();
        assert_eq!(Spline::of(&values, 7).size(), 1);
        assert_eq!(Spline::of(&[], 7).size(), 1);
    }

    proptest! {
        #[test]
        fn slopes_are_those_of_the_values(
            values in prop::collection::vec(-5.0..5.0f64, 20..60), x in -8.0..8.0f64,
        ) {
            let spline = Spline::of(&values, 6);
            let nothing = || vec![0.0; spline.size()];
            let (mut low, mut high, mut slopes) = (nothing(), nothing(), nothing());
            let h = 1e-5;
            spline.values(x - h, &mut low);
            spline.values(x + h, &mut high);
            spline.slopes(x, &mut slopes);
            for ((low, high), slope) in low.iter().zip(&high).zip(&slopes) {
                let measured = (high - low) / (2.0 * h);
                prop_assert!((measured - slope).abs() < 1e-4 * (1.0 + measured.abs()));
            }
        }
    }
}
