//! Steps at which the series are large do not drown the others.
//!
//! Where weights are strong, values may grow a thousandfold and come back; least squares then sees
//! those steps alone, and a network that makes all knots learns little of the rest. So steps whose
//! values are above their median size count as if they were of median size.

/// What to multiply sums of squares with so that none is above their median.
pub(super) fn factors(squares: &[f64]) -> Vec<f64> {
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
}
