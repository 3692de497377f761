//! The weights that are reported: the selected regressions once more, with more care.
//!
//! Where the noise moves, rows count by one over the noise variance of their time (generalised
//! least squares). Then single coefficients that explain less than `KEEP` times the noise variance
//! are left out, the least first: a weight that moves like a parabola does not pay for a cubic,
//! which costs most at the ends of the series.

use ndarray::Array2;
use rayon::prelude::*;

use super::local::{Normal, StepGrams};
use super::noise::{self, Regression, Residuals, Sums};
use super::problem::Problem;
use super::shrink::Fit;
use crate::basis::Basis;
use crate::moments::Columns;

/// What a coefficient has to lower −2 log likelihood by.
const KEEP: f64 = 2.0;

/// Refits every regression; coefficients left out are 0.
///
/// Where the basis goes on into the first steps, a regression without the longest lags has rows
/// there.
pub(super) fn refit(problem: &Problem, basis: Option<&Basis>, fits: &mut [Fit]) {
    let columns = &problem.columns;
    let longer: Vec<Option<(Columns, Array2<f64>)>> = (0..columns.lag())
        .map(|lag| {
            let basis = basis.filter(|basis| basis.first() <= lag)?;
            Some((columns.shorter(lag)?, problem.basis.starting(basis, lag)))
        })
        .collect();
    fits.par_iter_mut().enumerate().for_each_init(
        || (StepGrams::default(), Residuals::default()),
        |(grams, residuals), (target, fit)| {
            let weights = step_weights(problem, target, fit, residuals);
            let mut which = fit.selected.clone();
            let lag = which.iter().map(|c| c / problem.variables()).max().unwrap_or(0);
            which.push(target);
            let (columns, psi) = match longer.get(lag) {
                Some(Some((columns, psi))) => (columns, psi.view()),
                _ => (columns, problem.basis.values()),
            };
            let early = columns.steps() - problem.columns.steps();
            grams.fill(columns, &which);
            let normal = grams.collapse(psi, |t| weights[t.saturating_sub(early)]);
            fit.coefficients = eliminate(&normal, columns.rows());
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
