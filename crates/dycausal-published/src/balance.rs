//! Steps at which the series are large do not drown the others.
//!
//! Where weights are strong, values may grow a thousandfold and come back; least squares then sees
//! those steps alone, and a network that makes all knots learns little of the rest. So steps whose
//! values are above their median size count as if they were of median size. What is left of it is that
//! causes are nearly collinear at those steps, and that takes longer to learn.

use dycausal::Panel;
use ndarray::Axis;

/// Root mean square of the largest step, in units of the median one, from which on series are said to explode.
const EXPLODED: f64 = 5.0;

/// How many times the usual number of steps series need: more where they explode.
pub(crate) fn patience(panel: &Panel) -> usize {
    let square = |x: &f64| if x.is_nan() { 0.0 } else { x * x };
    let values = panel.values();
    let steps = values.axis_iter(Axis(1)).map(|step| step.iter().map(square).sum());
    let smallest = factors(&steps.collect::<Vec<f64>>()).into_iter().fold(1.0, f64::min);
    if smallest < EXPLODED.powi(-2) { 4 } else { 1 }
}

/// What to multiply sums of squares with so that none is above their median.
pub(crate) fn factors(squares: &[f64]) -> Vec<f64> {
    let mut sorted = squares.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    let factor = |square: &f64| if *square > median { median / square } else { 1.0 };
    squares.iter().map(factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_above_the_median_comes_down_to_it() {
        assert_eq!(factors(&[1.0, 8.0, 2.0, 4.0, 0.5]), [1.0, 0.25, 1.0, 0.5, 1.0]);
        assert_eq!(factors(&[0.0, 0.0]), [1.0, 1.0]);
        assert!(factors(&[]).is_empty());
    }

    #[test]
    fn series_that_explode_are_given_more_steps() {
        let panel = |largest: f64| {
            let values = ndarray::array![[[1.0], [-1.0], [largest], [1.0], [f64::NAN]]];
            Panel::unnamed(values).unwrap()
        };
        assert_eq!((patience(&panel(4.9)), patience(&panel(5.1))), (1, 4));
    }
}
