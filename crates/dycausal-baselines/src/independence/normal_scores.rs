//! Ranks as values of a Gaussian.

use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

/// How far below 1 the largest value's share of rows is put: its quantile would be infinite.
const BELOW_ONE: f64 = 1e-5;

/// Φ⁻¹(rank / rows) of every value of every column; equal values have the largest of their ranks.
pub(super) fn of_columns(mut columns: Vec<f64>, rows: usize) -> Vec<f64> {
    let table = quantiles(rows);
    columns.par_chunks_mut(rows.max(1)).for_each(|column| replace(column, &table));
    columns
}

/// Φ⁻¹(k / rows) for k = 1 … rows.
pub(super) fn quantiles(rows: usize) -> Vec<f64> {
    let law = Normal::standard();
    let share = |k: usize| if k == rows { 1.0 - BELOW_ONE } else { k as f64 / rows as f64 };
    (1..=rows).map(|k| law.inverse_cdf(share(k))).collect()
}

/// Replaces the values of one column by their normal scores.
pub(super) fn replace(column: &mut [f64], table: &[f64]) {
    let mut by_size: Vec<usize> = (0..column.len()).collect();
    by_size.sort_by(|a, b| column[*a].total_cmp(&column[*b]));
    let mut end = column.len();
    let mut before = f64::NAN;
    let mut score = 0.0;
    for index in by_size.into_iter().rev() {
        if column[index] != before {
            before = column[index];
            score = table[end - 1];
        }
        end -= 1;
        column[index] = score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_largest_rank_and_order_is_all_that_counts() {
        let scores = of_columns(vec![3.0, -1.0, 3.0, 700.0], 4);
        assert_eq!(scores[0], scores[2]);
        assert!((scores[0] - 0.674_489_750_196_081_7).abs() < 1e-12); // Φ⁻¹(3/4)
        assert!((scores[1] + 0.674_489_750_196_081_7).abs() < 1e-12);
        assert!((scores[3] - 4.264_890_793_922_602).abs() < 1e-9); // Φ⁻¹(1 - 1e-5)
        assert_eq!(scores, of_columns(vec![0.3, 0.1, 0.3, 0.4], 4));
    }
}
