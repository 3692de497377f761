//! Legendre polynomials: φ_b(t) = √(2b+1) P_b(x), x = 2 t / (n - 1) - 1 on n steps.
//!
//! (b+1) P_{b+1}(x) = (2b+1) x P_b(x) - b P_{b-1}(x), P_0 = 1, P_1 = x. The factor makes the mean
//! square of each about 1, so that coefficients are of one size.

use ndarray::Array2;

/// Writes φ\[step, degree\].
pub(super) fn fill(values: &mut Array2<f64>) {
    let (span, size) = values.dim();
    let width = span.saturating_sub(1).max(1) as f64;
    for (row, mut phi) in values.outer_iter_mut().enumerate() {
        let x = 2.0 * row as f64 / width - 1.0;
        let (mut before, mut current) = (0.0, 1.0);
        for degree in 0..size {
            let b = degree as f64;
            phi[degree] = (2.0 * b + 1.0).sqrt() * current;
            let next = ((2.0 * b + 1.0) * x * current - b * before) / (b + 1.0);
            (before, current) = (current, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_polynomials_are_the_known_ones() {
        let mut values = Array2::zeros((5, 4));
        fill(&mut values);
        for (row, x) in [-1.0, -0.5, 0.0, 0.5, 1.0f64].into_iter().enumerate() {
            let known = [1.0, x, 1.5 * x * x - 0.5, 2.5 * x.powi(3) - 1.5 * x];
            for (b, p) in known.into_iter().enumerate() {
                let expected = (2.0 * b as f64 + 1.0).sqrt() * p;
                assert!((values[[row, b]] - expected).abs() < 1e-12);
            }
        }
    }
}
