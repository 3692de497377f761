//! The weights that are reported: the selected regressions once more, with more care.
//!
//! Where the noise moves, rows count by one over the noise variance of their time (generalised
//! least squares). Then single coefficients that explain less than `KEEP` times the noise variance
//! are left out, the least first: a weight that moves like a parabola does not pay for a cubic,
//! which costs most at the ends of the series.

use rayon::prelude::*;

use super::local::{Normal, StepGrams};
use super::noise::{self, Regression, Residuals, Sums};
use super::problem::Problem;
use super::shrink::Fit;

/// What a coefficient has to lower −2 log likelihood by.
const KEEP: f64 = 2.0;

/// Refits every regression; coefficients left out are 0.
pub(super) fn refit(problem: &Problem, fits: &mut [Fit]) {
    fits.par_iter_mut().enumerate().for_each_init(
        || (StepGrams::default(), Residuals::default()),
        |(grams, residuals), (target, fit)| {
            let weights = step_weights(problem, target, fit, residuals);
            let mut which = fit.selected.clone();
            which.push(target);
            grams.fill(&problem.columns, &which);
            let normal = grams.collapse(problem.basis.values(), |t| weights[t]);
            fit.coefficients = eliminate(&normal, problem.columns.rows());
        },
    );
}

/// One over the noise variance at each step, in units of its mean, where it pays to let it move.
fn step_weights(
    problem: &Problem,
    target: usize,
    fit: &Fit,
    residuals: &mut Residuals,
) -> Vec<f64> {
    let mut sums = [Sums::default(); noise::BINS];
    let sums = &mut sums[..problem.bins.len()];
    let regression =
        Regression { target, selected: &fit.selected, coefficients: &fit.coefficients };
    residuals.sums(&problem.columns, &problem.basis, &problem.bins, regression, sums);
    let noise = problem.curves.fit(sums);
    let pooled = sums.iter().map(|s| s.square).sum::<f64>() / problem.columns.rows();
    let mut weights = vec![1.0; problem.columns.steps()];
    if noise.moves {
        for (bin, variance) in problem.bins.iter().zip(&noise.variances) {
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
