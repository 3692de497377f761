//! Wald's test of coefficients, and how far bands reach.

use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};

use crate::linear_algebra::quadratic;

/// p-value of "these coefficients are all 0", from one of them on: Wald's statistic over their
/// number is F with that number and the residual's degrees of freedom.
pub(crate) fn wald_p(coefficients: &[f64], covariance: &[f64], from: usize, freedom: f64) -> f64 {
    let b = coefficients.len();
    let count = b.saturating_sub(from);
    if count == 0 {
        return 1.0;
    }
    let entry = |k: usize| covariance[(k / count + from) * b + k % count + from];
    let mut block: Vec<f64> = (0..count * count).map(entry).collect();
    let Some(statistic) = quadratic(&mut block, &mut coefficients[from..].to_vec(), 0.0) else {
        return 1.0;
    };
    FisherSnedecor::new(count as f64, freedom).map_or(1.0, |law| law.sf(statistic / count as f64))
}

/// How many standard errors a band at one step reaches to either side.
pub(crate) fn pointwise(level: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .map_or(f64::INFINITY, |law| law.inverse_cdf(0.5 + level / 2.0))
}

/// How many standard errors a band that holds at all steps at once reaches (Scheffé).
pub(crate) fn simultaneous(level: f64, functions: usize, freedom: f64) -> f64 {
    let count = functions as f64;
    FisherSnedecor::new(count, freedom)
        .map_or(f64::INFINITY, |law| (count * law.inverse_cdf(level)).sqrt())
}

/// How many rows a sum of squares rests on: (Σ g²)² / Σ g⁴, all of them where they are alike, one where one
/// outweighs the rest.
pub(crate) fn counting_rows(values: impl Iterator<Item = f64>) -> f64 {
    let (mut squares, mut fourth) = (0.0, 0.0);
    for value in values {
        let square = value * value;
        squares += square;
        fourth += square * square;
    }
    if fourth > 0.0 { squares * squares / fourth } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::counting_rows;

    #[test]
    fn rows_count_as_far_as_they_are_alike() {
        let count = |values: &[f64]| counting_rows(values.iter().copied());
        assert!((count(&[1.0, -1.0, 1.0, 0.0, 0.0]) - 3.0).abs() < 1e-12);
        assert!((count(&[100.0, 1.0, -1.0, 1.0]) - 1.0).abs() < 1e-3);
        assert!(count(&[0.0, 0.0]).abs() < 1e-12);
    }
}
