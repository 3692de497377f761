//! The weights that are reported: the selected regressions once more, with more care.
//!
//! Where the noise moves, rows count by one over the noise variance of their time (generalised
//! least squares). Then single coefficients that explain less than `KEEP` times the noise variance
//! are left out, the least first: a weight that moves like a parabola does not pay for a cubic,
//! which costs most at the ends of the series.

use ndarray::Array2;
use rayon::prelude::*;

use crate::basis::Basis;
use crate::moments::Columns;
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::scores::linear::noise::{self, Regression, ResidualSums, Sums};
use crate::scores::linear::shrink::Fit;
use crate::scores::linear::step_grams::{Normal, StepGrams};

/// What a coefficient has to lower −2 log likelihood by.
const KEEP: f64 = 2.0;

/// Refits every regression; coefficients left out are 0.
///
/// Where the basis goes on into the first steps, a regression without the longest lags has rows
/// there.
pub(super) fn refit(score: &LinearScore, basis: Option<&Basis>, fits: &mut [Fit]) {
    let columns = &score.columns;
    let longer: Vec<Option<(Columns, Array2<f64>)>> = (0..columns.lag())
        .map(|lag| {
            let basis = basis.filter(|basis| basis.first() <= lag)?;
            Some((columns.shorter(lag)?, score.basis.starting(basis, lag)))
        })
        .collect();
    fits.par_iter_mut().enumerate().for_each_init(
        || (StepGrams::default(), ResidualSums::default()),
        |(grams, residuals), (target, fit)| {
            let weights = step_weights(score, target, fit, residuals);
            let mut which = fit.selected.clone();
            let lag = which.iter().map(|c| c / score.variables()).max().unwrap_or(0);
            which.push(target);
            let (columns, psi) = match longer.get(lag) {
                Some(Some((columns, psi))) => (columns, psi.view()),
                _ => (columns, score.basis.values()),
            };
            let early = columns.steps() - score.columns.steps();
            grams.fill(columns, &which);
            let normal = grams.collapse(psi, |t| weights[t.saturating_sub(early)]);
            fit.coefficients = eliminate(&normal, columns.rows());
        },
    );
}

/// One over the noise variance at each step, in units of its mean, where it pays to let it move.
fn step_weights(
    score: &LinearScore,
    target: usize,
    fit: &Fit,
    residuals: &mut ResidualSums,
) -> Vec<f64> {
    let mut sums = [Sums::default(); noise::BINS];
    let sums = &mut sums[..score.bins.len()];
    let regression =
        Regression { target, selected: &fit.selected, coefficients: &fit.coefficients };
    residuals.add_up(&score.columns, &score.basis, &score.bins, regression, sums);
    let noise = score.curves.fit(sums);
    let pooled = sums.iter().map(|s| s.square).sum::<f64>() / score.columns.rows();
    let mut weights = vec![1.0; score.columns.steps()];
    if noise.moves {
        for (bin, variance) in score.bins.iter().zip(&noise.variances) {
            weights[bin.clone()].fill(pooled / variance.max(1e-12 * pooled));
        }
    }
    weights
}

/// Backward elimination of single coefficients.
fn eliminate(normal: &Normal, rows: f64) -> Vec<f64> {
    let mut kept: Vec<usize> = (0..normal.size()).collect();
    loop {
        let solution = normal.solve(&kept);
        let noise = solution.residual / (rows - kept.len() as f64).max(1.0);
        let weakest = (0..kept.len())
            .map(|k| (k, solution.coefficients[k].powi(2) / (solution.variances[k] * noise)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((k, gain)) = weakest
            && gain < KEEP
        {
            kept.remove(k);
            continue;
        }
        let mut all = vec![0.0; normal.size()];
        kept.iter().zip(solution.coefficients).for_each(|(k, c)| all[*k] = c);
        return all;
    }
}
