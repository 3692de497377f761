//! Control of the false discovery rate over many tests.

/// Adjusted p-values of Benjamini and Hochberg, in the order of the p-values.
///
/// q_(k) = min_{l ≥ k} p_(l) · m / l for sorted p-values: rejecting where q ≤ α keeps the expected
/// share of false rejections at or below α for independent (or positively dependent) tests.
///
/// ```
/// let q = dycausal::inference::adjusted(&[0.01, 0.04, 0.03]);
/// assert!((q[0] - 0.03).abs() < 1e-12 && (q[1] - 0.04).abs() < 1e-12);
/// ```
pub fn adjusted(p_values: &[f64]) -> Vec<f64> {
    adjusted_among(p_values, p_values.len())
}

/// The same where these are the only ones of `possible` tests whose p-value may be small: the
/// others count as 1.
pub(crate) fn adjusted_among(p_values: &[f64], possible: usize) -> Vec<f64> {
    let count = possible as f64;
    let mut by_size: Vec<usize> = (0..p_values.len()).collect();
    by_size.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut out = vec![1.0; p_values.len()];
    let mut least = 1.0f64;
    for (rank, index) in by_size.into_iter().enumerate().rev() {
        least = least.min(p_values[index] * count / (rank + 1) as f64);
        out[index] = least;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of R's `p.adjust(p, "BH")`.
    #[test]
    fn adjusted_values_are_those_of_r() {
        let p = [0.005, 0.009, 0.05, 0.02, 0.5, 0.2, 0.001];
        let known = [0.0175, 0.021, 0.07, 0.035, 0.5, 0.233_333_333_333_333_3, 0.007];
        for (q, known) in adjusted(&p).into_iter().zip(known) {
            assert!((q - known).abs() < 1e-12, "{q} {known}");
        }
        assert!(adjusted(&[]).is_empty());
    }
}
