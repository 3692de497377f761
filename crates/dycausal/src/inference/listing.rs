//! Which of the selected edges are listed: those that stand up to a robust test.
//!
//! A score selects an edge because it explains something; whether it does so by chance is asked
//! here. Each selected edge v → i is tested in the regression of i on everything that was selected
//! *and* on everything else of v that the order admits, with the variable's own lags free; p-values
//! are Wald's with a covariance that holds whatever the variance of the noise ([`Covariance`]).
//! Edges between variables are one family of tests, effects of variables on themselves another:
//! within each, Benjamini and Hochberg's rule over every edge that could have been selected. What
//! fails is left out, and the rest tested again, until nothing changes.

use std::sync::Arc;

use ndarray::s;
use rayon::prelude::*;

use super::covariance::{Covariance, Errors};
use super::false_discovery::adjusted_among;
use super::partial::Partial;
use super::{counting_rows, wald_p};
use crate::design::Columns;
use crate::error::Result;
use crate::moments::TimeBasis;
use crate::regression::{NormalEquations, Pieces, Regressor, Sample};
use crate::run::Cancel;

/// Rounds of testing and leaving out, at most.
const ROUNDS: usize = 5;
/// Numbers of series for which covariances are taken by series.
const FEW_SERIES: std::ops::RangeInclusive<usize> = 4..=10;

/// One variable with what explains it.
#[derive(Debug, Clone)]
pub(crate) struct Equation {
    /// The variable.
    pub to: usize,
    /// Its selected regressors, as columns.
    pub selected: Vec<usize>,
    /// The last of its own lags; beyond the lag of the columns they are there to be accounted for,
    /// and are no edges.
    pub own: usize,
    /// One over the noise variance of each step that has rows, where it moves.
    pub precision: Option<Vec<f64>>,
    /// p and q of each selected regressor.
    pub tests: Vec<(f64, f64)>,
    /// Regressors that were required: they are selected, and stay.
    pub required: Vec<usize>,
    /// What is known of rows with missing cells; `None` where there are none.
    pub partial: Option<Arc<Partial>>,
}

impl Equation {
    /// Leaves out rows of which a selected cause was not observed: what is left of it beside its filling
    /// depends on everything that goes with it, so that whatever is not among the causes would seem to be
    /// one.
    pub fn keep_whole_rows(&mut self) {
        self.partial = self.partial.as_ref().map(|partial| Arc::new(partial.whole_rows()));
    }
}

/// How many edges there were at each stage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Counts {
    /// Selected by score.
    pub selected: usize,
    /// Of these, tested: rows were enough for a regression.
    pub tested: usize,
    /// Listed.
    pub listed: usize,
}

/// The data that equations are tested on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Data<'a> {
    /// The rows.
    pub columns: &'a Columns,
    /// How weights move.
    pub basis: &'a TimeBasis,
    /// How many of its functions weights have, from the first on.
    pub functions: usize,
    /// Where each variable stands in the order.
    pub position: &'a [usize],
    /// Whether to go on.
    pub cancel: &'a Cancel,
}

impl<'a> Data<'a> {
    /// The covariance that these data ask for.
    pub fn covariance(&self) -> Covariance {
        if self.columns.are_of_moments() {
            Covariance::Classical
        } else if FEW_SERIES.contains(&self.columns.series())
            && 2 * self.functions <= self.columns.series()
        {
            Covariance::BySeries
        } else {
            Covariance::Robust
        }
    }

    /// The rows of an equation with these regressors, and own lags beyond those of the columns.
    pub fn sample(&self, equation: &'a Equation, regressors: &[usize]) -> Sample<'a> {
        let columns = self.columns;
        let (d, lag) = (columns.variables(), columns.lag());
        let first = equation.own.max(lag);
        let skipped = first - lag;
        let whole = |column: usize| Regressor {
            values: self.cause(equation, column % d, column / d, first),
            functions: self.functions,
        };
        let own = |back: usize| Regressor {
            values: self.cause(equation, equation.to, back, first),
            functions: 1,
        };
        let series = columns.series();
        Sample {
            target: columns.lagged(equation.to, 0, first),
            regressors: regressors
                .iter()
                .map(|c| whole(*c))
                .chain((lag + 1..=equation.own).map(own))
                .collect(),
            psi: self.basis.values().slice_move(s![skipped.., ..]),
            series,
            weights: self.weights(equation, first),
            precision: equation.precision.as_deref().map(|p| &p[skipped..]),
            intercepts: columns.intercept_of(equation.to) as f64,
        }
    }

    /// The normal equations of these rows.
    fn normal(&self, equation: &'a Equation, regressors: &[usize]) -> NormalEquations {
        let sample = self.sample(equation, regressors);
        match Pieces::of(&sample) {
            Some(pieces) => pieces.sample(&sample).normal(),
            None => sample.normal(),
        }
    }

    /// A cause of an equation from step `first` of the panel on, as far as the equation may know it.
    pub fn cause(
        &self,
        equation: &'a Equation,
        variable: usize,
        back: usize,
        first: usize,
    ) -> &'a [f64] {
        let partial = equation.partial.as_ref().and_then(|p| p.cause(variable, back, first));
        partial.unwrap_or_else(|| self.columns.lagged(variable, back, first))
    }

    /// What the rows of an equation count from step `first` of the panel on, where not all the same.
    pub fn weights(&self, equation: &'a Equation, first: usize) -> Option<&'a [f64]> {
        let columns = self.columns;
        let skipped = first.saturating_sub(columns.lag()) * columns.series();
        match &equation.partial {
            Some(partial) => Some(partial.weights(first)),
            None => columns.weights().map(|w| &w[skipped..]),
        }
    }

    /// Tells equations what is known of rows with missing cells: whatever they may be regressed on
    /// from now on is filled from what was observed of it.
    pub fn know_partial_rows(&self, equations: &mut [Equation], orders: Option<&[usize]>) {
        if self.columns.observed().is_none() {
            return;
        }
        let d = self.columns.variables();
        equations.par_iter_mut().for_each(|equation| {
            // Whoever goes on with this asks again.
            if self.cancel.is_cancelled() {
                return;
            }
            let mut columns = equation.selected.clone();
            for from in equation.selected.iter().map(|c| c % d) {
                columns.extend(self.admitted(from, equation.to));
            }
            let own = orders.map_or(equation.own, |orders| orders[equation.to].max(equation.own));
            equation.partial = Partial::of(self, equation, &columns, own).map(Arc::new);
        });
    }

    /// Own lags of a variable that are no edges of it yet.
    fn own_lags(&self, equation: &Equation) -> Vec<usize> {
        let (d, lag) = (self.columns.variables(), self.columns.lag());
        let own = (1..=equation.own.min(lag)).map(|back| back * d + equation.to);
        own.filter(|column| !equation.selected.contains(column)).collect()
    }

    /// Everything of a variable that may be a cause, selected or not.
    fn admitted(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let (d, lag) = (self.columns.variables(), self.columns.lag());
        let first = usize::from(self.position[from] >= self.position[to]);
        (first..=lag).map(move |back| back * d + from)
    }
}

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

/// Tests and leaves out, until what is left stands.
///
/// # Errors
/// If the run is cancelled.
pub(crate) fn list(data: &Data<'_>, equations: &mut [Equation], alpha: f64) -> Result<Counts> {
    let selected = equations.iter().map(|e| e.selected.len()).sum();
    let mut counts = Counts { selected, ..Counts::default() };
    let mut changed = vec![true; equations.len()];
    for round in 0..ROUNDS {
        let tested: Vec<Option<Vec<Option<f64>>>> = equations
            .par_iter()
            .zip(&changed)
            .map(|(equation, changed)| {
                data.cancel.proceed()?;
                Ok(changed.then(|| p_values(data, equation)))
            })
            .collect::<Result<_>>()?;
        for (equation, found) in equations.iter_mut().zip(tested) {
            let Some(found) = found else { continue };
            if round == 0 {
                counts.tested += found.iter().flatten().count();
            }
            equation.tests = found.into_iter().map(|p| (p.unwrap_or(1.0), 1.0)).collect();
        }
        adjust(data.columns, equations);
        changed = leave_out(equations, alpha);
        if !changed.contains(&true) {
            break;
        }
    }
    counts.listed = equations.iter().map(|e| e.selected.len()).sum();
    Ok(counts)
}

/// p of each selected regressor; `None` where rows are too few.
fn p_values(data: &Data<'_>, equation: &Equation) -> Vec<Option<f64>> {
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

/// q-values: edges between variables and effects on oneself apart, among all that could be.
fn adjust(columns: &Columns, equations: &mut [Equation]) {
    let (d, lag) = (columns.variables(), columns.lag());
    let pairs = d * (d - 1);
    for (itself, possible) in [(false, pairs / 2 + lag * pairs), (true, lag * d)] {
        let family: Vec<(usize, usize)> = equations
            .iter()
            .enumerate()
            .flat_map(|(e, equation)| {
                let own = |g: &usize| {
                    let column = equation.selected[*g];
                    (column % d == equation.to) == itself && !equation.required.contains(&column)
                };
                (0..equation.selected.len()).filter(own).map(move |g| (e, g)).collect::<Vec<_>>()
            })
            .collect();
        adjust_family(equations, &family, possible);
    }
    // Edges that were required were not found: they are a family of their own.
    let given: Vec<(usize, usize)> = equations
        .iter()
        .enumerate()
        .flat_map(|(e, equation)| {
            let required = |g: &usize| equation.required.contains(&equation.selected[*g]);
            (0..equation.selected.len()).filter(required).map(move |g| (e, g)).collect::<Vec<_>>()
        })
        .collect();
    adjust_family(equations, &given, given.len());
}

/// q-values of some regressors, of so many that could be.
fn adjust_family(equations: &mut [Equation], family: &[(usize, usize)], possible: usize) {
    let p: Vec<f64> = family.iter().map(|(e, g)| equations[*e].tests[*g].0).collect();
    for ((e, g), q) in family.iter().zip(adjusted_among(&p, possible)) {
        equations[*e].tests[*g].1 = q;
    }
}

/// Leaves out what is not below `alpha`; tells which equations that changed.
fn leave_out(equations: &mut [Equation], alpha: f64) -> Vec<bool> {
    let one = |equation: &mut Equation| {
        let tested = equation.selected.iter().zip(&equation.tests);
        let stays = |(column, test): (&usize, &(f64, f64))| {
            alpha >= 1.0 || test.1 < alpha || equation.required.contains(column)
        };
        let keep: Vec<bool> = tested.map(stays).collect();
        let mut at = keep.iter();
        equation.selected.retain(|_| at.next().copied().unwrap_or(true));
        let mut at = keep.iter();
        equation.tests.retain(|_| at.next().copied().unwrap_or(true));
        keep.contains(&false)
    };
    equations.iter_mut().map(one).collect()
}
