//! Normal scores: Φ⁻¹((r − ½) / n) of the rank r among all n values; equal values share their mean rank.

use statrs::distribution::{ContinuousCDF, Normal};

use super::column::Column;

pub(super) fn rank(column: &mut Column<'_>) {
    let sorted = column.sorted();
    let count = sorted.len() as f64;
    let standard = Normal::standard();
    column.change(|x| {
        let below = sorted.partition_point(|other| *other < x) as f64;
        let upto = sorted.partition_point(|other| *other <= x) as f64;
        standard.inverse_cdf(f64::midpoint(below, upto) / count)
    });
}
