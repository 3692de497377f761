//! What explains one variable in the end, by all rows.

use super::super::group_test::{GroupRows, own_lags, ratio_p};
use crate::scores::LocalScore;
use crate::scores::additive::{Fit, Scratch};
use crate::scores::gp::{Covariance, ProcessFit, ProcessScore, Sets, Task};

/// Evidence that an edge has to be worth.
const WORTH: f64 = 5.0;
/// Evidence below which a fit without the edge is made before it is kept.
const DOUBTFUL: f64 = 15.0;
/// Iterations with all rows, and after inputs were dropped.
const EXACT: (usize, usize) = (5, 4);
/// Units of −2 log likelihood per row by which a process beats the additive model where that is nearly as good.
const NEAR: f64 = 0.2;
/// Inputs that are looked at again with all rows.
const RETURNS: usize = 3;

/// What explains one variable in the end.
pub(super) struct Chosen {
    /// The process, or nothing where the additive model does.
    pub process: Option<ProcessFit>,
    /// The additive model.
    pub additive: Fit,
    /// Columns with −2 log likelihood that is lost without each.
    pub causes: Vec<(usize, f64)>,
}

impl Chosen {
    /// p of every cause. A process has no coefficients: what it loses without an input is compared with χ² of
    /// one degree of freedom, its relevance. The additive model is tested as ever, beside at most so many own
    /// lags.
    pub fn p_values(&self, score: &ProcessScore, to: usize, own: usize) -> Vec<Option<f64>> {
        if self.process.is_some() {
            return self.causes.iter().map(|(_, ratio)| Some(ratio_p(*ratio, 1))).collect();
        }
        let own = own_lags(&score.additive, to, &self.additive, own);
        let ratios = self.causes.iter().map(|(_, ratio)| *ratio);
        GroupRows::of(&score.additive, to, &self.additive.selected, own).p_values(ratios)
    }
}

/// The model with the most evidence on these inputs, and the inputs that it asks for; some of the others among
/// them, where all rows speak for one that few rows had nothing to say of.
pub(super) fn chosen(
    score: &ProcessScore,
    target: usize,
    (inputs, others): (&[usize], Vec<usize>),
    required: &[usize],
    (exact, allowed): (&Sets, &[Covariance]),
) -> Chosen {
    let simple = || {
        let among = |c: usize| inputs.contains(&c);
        score.additive.regress(target, among, required, &mut Scratch::default())
    };
    let additive = simple();
    let rows = score.additive.columns.rows();
    let plain = rows * additive.variance.max(1e-15).ln() + score.additive.cost_of(&additive);
    let task = Task { rows: &score.rows, sets: exact, target };
    let quick = score.task(target);
    // A committee knows less than the additive model, which has all rows: here it is asked again.
    let family = if inputs.is_empty() {
        None
    } else {
        let anew = || quick.best(allowed, inputs).map(|fit| fit.family);
        score.families[target].or_else(anew)
    };
    let explained = |family: Covariance, inputs: &[usize], others: &[usize]| {
        let rough = quick.fit(family, inputs, 10);
        let rough = task.joined_by(&rough, others, RETURNS);
        let fit = task.from(family, &rough.columns, rough.parameters, EXACT.0);
        let fit = task.pruned(fit, WORTH, EXACT.1, required);
        doubted(&task, fit, required)
    };
    let process = family.map(|family| {
        let first = explained(family, inputs, &others);
        // Where a sum of functions does nearly as well, what it selects is worth a fit of its own: relevances are
        // learned from many inputs at once, and one that is not a cause can take the place of one that is.
        let near = plain - score.as_score(first.0.value) < NEAR * rows;
        if !near || additive.selected.is_empty() || first.0.columns == additive.selected {
            return first;
        }
        let second = explained(family, &additive.selected, &[]);
        if worth(&second.0) < worth(&first.0) { second } else { first }
    });
    match process {
        Some((fit, losses)) if score.as_score(fit.value) < plain => {
            let causes = losses.into_iter().map(|(column, loss)| (column, 2.0 * loss));
            Chosen { causes: causes.collect(), process: Some(fit), additive }
        }
        _ => {
            let share = (rows - additive.coefficients.len() as f64).max(1.0) / rows;
            let statistic =
                |at: usize| share * rows * (additive.weights[at] / additive.variance).ln_1p();
            let causes = additive.selected.iter().enumerate();
            let causes = causes.map(|(at, c)| (*c, statistic(at))).collect();
            Chosen { causes, process: None, additive }
        }
    }
}

/// The negative log evidence of a process, and what its inputs have to be worth.
fn worth(fit: &ProcessFit) -> f64 {
    fit.value + WORTH * fit.columns.len() as f64
}

/// Fits without each doubtful input in turn, and drops it where that costs little; what each that stays costs.
fn doubted(
    task: &Task<'_>,
    mut fit: ProcessFit,
    required: &[usize],
) -> (ProcessFit, Vec<(usize, f64)>) {
    loop {
        let mut losses = task.losses(&fit);
        let mut doubtful: Vec<(usize, f64)> =
            losses.iter().copied().filter(|(_, loss)| *loss < DOUBTFUL).collect();
        doubtful.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut dropped = false;
        for (column, _) in doubtful {
            let at = fit.columns.iter().position(|c| *c == column).unwrap_or(0);
            let (mut columns, mut start) = (fit.columns.clone(), fit.parameters.clone());
            columns.remove(at);
            start.remove(at);
            let without = task.from(fit.family, &columns, start, EXACT.1);
            let cost = task.gain(&fit, &without);
            if cost < WORTH && !required.contains(&column) {
                fit = without;
                dropped = true;
                break;
            }
            if let Some(known) = losses.iter_mut().find(|(c, _)| *c == column) {
                known.1 = cost;
            }
        }
        if !dropped {
            return (fit, losses);
        }
    }
}
