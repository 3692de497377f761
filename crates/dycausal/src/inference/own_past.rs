//! How much of its own past each variable needs, and what pays for itself beside that.

use rayon::prelude::*;

use super::equation::{Data, Equation};
use crate::error::Result;

/// Gives every equation its own lags and leaves out what does not pay for itself beside them.
///
/// # Errors
/// If the run is cancelled.
pub(crate) fn settle(data: &Data<'_>, equations: &mut [Equation], orders: &[usize]) -> Result<()> {
    let changed: Vec<(usize, Vec<usize>)> = equations
        .par_iter()
        .map(|equation| {
            data.cancel.proceed()?;
            let full = Equation { own: orders[equation.to], ..equation.clone() };
            Ok(settled(data, full).unwrap_or_else(|| (equation.own, equation.selected.clone())))
        })
        .collect::<Result<_>>()?;
    for (equation, (own, selected)) in equations.iter_mut().zip(changed) {
        equation.own = own;
        equation.selected = selected;
    }
    Ok(())
}

/// How many functions the weights of all equations pay for: Σ n log s² + k log n. Where a variable's
/// own past was not accounted for, the search may have taken more to make up for it.
pub(crate) fn functions(data: &Data<'_>, equations: &[Equation]) -> usize {
    let of_one = |equation: &Equation| -> Option<Vec<f64>> {
        let mut regressors = equation.selected.clone();
        regressors.extend(data.own_lags(equation));
        let normal = data.normal(equation, &regressors);
        let (groups, all) = (regressors.len(), data.functions);
        let cost = |count: usize| {
            let total = normal.starts()[normal.regressors()];
            let kept: Vec<usize> =
                (0..total).filter(|k| *k >= groups * all || k % all < count).collect();
            let squares = normal.solve_single(&kept)?.squares;
            Some(normal.rows * squares.ln() + kept.len() as f64 * normal.rows.ln())
        };
        (1..=all).map(cost).collect()
    };
    let costs: Vec<Vec<f64>> = equations.par_iter().filter_map(of_one).collect();
    let total = |count: &usize| costs.iter().map(|of_one| of_one[*count - 1]).sum::<f64>();
    (1..=data.functions).min_by(|a, b| total(a).total_cmp(&total(b))).unwrap_or(data.functions)
}

/// The last own lag, and what is selected beside it.
fn settled(data: &Data<'_>, full: Equation) -> Option<(usize, Vec<usize>)> {
    let mut equation = full;
    equation.own = shortest(data, &equation)?;
    let mut regressors = equation.selected.clone();
    let selected = regressors.len();
    regressors.extend(data.own_lags(&equation));
    let normal = data.normal(&equation, &regressors);
    let penalty = normal.rows.ln();
    let may_go = |g: usize| g < selected && !equation.required.contains(&regressors[g]);
    let kept = normal.shrunk(may_go, penalty)?;
    let selected: Vec<usize> =
        kept.into_iter().filter(|g| *g < selected).map(|g| regressors[g]).collect();
    equation.selected.clone_from(&selected);
    // With fewer regressors the past of the variable itself may count for more.
    Some((equation.own.max(shortest(data, &equation)?), selected))
}

/// The last own lag that pays for itself: n log s² + log n for each beyond those of the columns.
fn shortest(data: &Data<'_>, full: &Equation) -> Option<usize> {
    let lag = data.columns.lag();
    if full.own <= lag {
        return Some(full.own);
    }
    let mut regressors = full.selected.clone();
    regressors.extend(data.own_lags(full));
    let normal = data.normal(full, &regressors);
    let cost = |own: usize| {
        let kept: Vec<usize> = (0..regressors.len() + own - lag).collect();
        let squares = normal.solve(&kept)?.squares;
        Some(normal.rows * squares.ln() + (own - lag) as f64 * normal.rows.ln())
    };
    let costs: Vec<f64> = (lag..=full.own).map(cost).collect::<Option<_>>()?;
    let best = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b]))?;
    Some(lag + best)
}
