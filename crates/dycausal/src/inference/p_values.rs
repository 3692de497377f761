//! p-values of what was selected.
//!
//! A score selects an edge because it explains something; whether it does so by chance is asked
//! here. Each selected edge v → i is tested in the regression of i on everything that was selected
//! *and* on everything else of v that the order admits, with the variable's own lags free; p-values
//! are Wald's with a covariance that holds whatever the variance of the noise ([`Covariance`]).

use super::covariance::{Covariance, Errors};
use super::equation::{Data, Equation};
use super::{counting_rows, wald_p};
use crate::regression::{Pieces, Regressor};

/// p of each selected regressor; `None` where rows are too few.
pub(crate) fn p_values(data: &Data<'_>, equation: &Equation) -> Vec<Option<f64>> {
    let d = data.columns.variables();
    let count = equation.selected.len();
    let mut found: Vec<Option<f64>> = vec![None; count];
    let mut causes: Vec<usize> = equation.selected.iter().map(|c| c % d).collect();
    causes.sort_unstable();
    causes.dedup();
    // All that any of the regressions has: their moments are added up once.
    let mut regressors = equation.selected.clone();
    regressors.extend(data.own_lags(equation));
    let kept = regressors.len();
    for from in &causes {
        let others = data.admitted(*from, equation.to).filter(|c| !regressors[..kept].contains(c));
        let others: Vec<usize> = others.collect();
        regressors.extend(others);
    }
    let sample = data.sample(equation, &regressors);
    let pieces = Pieces::of(&sample).filter(|_| data.covariance() != Covariance::BySeries);
    let sample = pieces.as_ref().map_or_else(|| sample.clone(), |pieces| pieces.sample(&sample));
    let normal = sample.normal();
    let all = sample.regressors.len();
    // Of a long series the leverage of all regressors together stands for that of fewer.
    let widest = pieces.as_ref().and_then(|_| normal.solve(&(0..all).collect::<Vec<_>>()));
    let leverage = widest.map(|widest| Errors::leverage(&sample, &widest));
    for from in causes {
        let its = |g: &usize| *g < kept || *g >= regressors.len() || regressors[*g] % d == from;
        let which: Vec<usize> = (0..all).filter(its).collect();
        let Some(fitted) = normal.solve(&which) else { continue };
        let sample = sample.with(&which);
        let known = leverage.as_deref();
        let errors = Errors::with_leverage(&sample, &fitted, data.covariance(), known);
        for g in (0..count).filter(|g| equation.selected[*g] % d == from) {
            let (covariance, freedom) = errors.covariance(g);
            let coefficients = &fitted.coefficients[fitted.starts[g]..fitted.starts[g + 1]];
            let p = wald_p(coefficients, &covariance, 0, freedom);
            found[g] = Some(p.max(least_p(&sample.regressors[g])));
        }
    }
    found
}

/// The least that a test of a regressor can say: nothing is left of the few rows that count where its weight
/// has a function for each, and so few would agree by chance this often.
fn least_p(regressor: &Regressor<'_>) -> f64 {
    let rows = counting_rows(regressor.values.iter().copied());
    if rows < regressor.functions as f64 { (-rows).exp2() } else { 0.0 }
}
