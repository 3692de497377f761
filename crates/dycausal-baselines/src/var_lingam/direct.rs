//! DirectLiNGAM: the order of variables whose noise is not Gaussian (Shimizu et al. 2011).

use dycausal::internals::linear_algebra::{dot, standardise};
use dycausal::{Error, Result, Run};
use rayon::prelude::*;

use super::entropy::{entropy, of_residuals};

/// What is told where a variable is a copy of others.
const NOTHING_LEFT: &str = "nothing is left of a variable given the others: some are copies of each other, or too large; leave them out or rescale";

/// An order of columns, causes first, by pairwise likelihood ratios (Hyvärinen and Smith 2013).
///
/// For standardised x_i, x_j and their residuals on each other the difference of the log
/// likelihoods of x_j → x_i and x_i → x_j is Δ_ij = H(x_j) + H(r_ij) − H(x_i) − H(r_ji), with
/// entropies H. Again and again the column with the smallest Σ_j min(0, Δ_ij)² comes next, and the
/// others go on as their residuals on it.
pub(super) fn order(mut columns: Vec<Vec<f64>>, run: &Run) -> Result<Vec<usize>> {
    let mut left: Vec<usize> = (0..columns.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(first) = left.first().copied() {
        run.proceed()?;
        run.advance(1);
        for v in &left {
            let squares = columns[*v].len() as f64;
            standardise(&mut columns[*v], squares)
                .ok_or_else(|| Error::numerical("order", NOTHING_LEFT))?;
        }
        let next = if left.len() == 1 { first } else { most_exogenous(&columns, &left, run)? };
        left.retain(|v| *v != next);
        let cause = std::mem::take(&mut columns[next]);
        for v in &left {
            let slope = dot(&columns[*v], &cause) / cause.len() as f64;
            columns[*v].iter_mut().zip(&cause).for_each(|(x, c)| *x -= slope * c);
        }
        order.push(next);
    }
    Ok(order)
}

fn most_exogenous(columns: &[Vec<f64>], left: &[usize], run: &Run) -> Result<usize> {
    let own: Vec<f64> = left.par_iter().map(|v| entropy(&columns[*v])).collect();
    let count = left.len();
    let pairs: Vec<(usize, usize)> =
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    let ratio = |(a, b): &(usize, usize)| {
        run.proceed()?;
        let (x, y) = (&columns[left[*a]], &columns[left[*b]]);
        let correlation = dot(x, y) / x.len() as f64;
        let (of_x, of_y) = of_residuals(x, y, correlation);
        Ok(own[*b] + of_x - own[*a] - of_y)
    };
    let ratios: Vec<f64> = pairs.par_iter().map(ratio).collect::<Result<_>>()?;
    let mut against = vec![0.0; count];
    for ((a, b), ratio) in pairs.iter().zip(&ratios) {
        against[*a] += ratio.min(0.0).powi(2);
        against[*b] += (-ratio).min(0.0).powi(2);
    }
    // Of equals the first.
    let best = (0..count).min_by(|a, b| against[*a].total_cmp(&against[*b]));
    Ok(left[best.unwrap_or(0)])
}
