//! Effects of any shape, products of causes among them: Gaussian processes as local scores.
//!
//! s(i, P) = 2 (−log evidence) of the best process for x_i on its candidates in P and at earlier steps; both
//! it and the [additive](super::additive) score, which a variable has that needs no process, are in units of
//! −2 log likelihood. Relevance of an input is a parameter: what is not needed goes to 0, so that no cost per
//! parent is added. Which [family](Covariance) of covariances a variable has, evidence tells.
//!
//! At relevance 0 the gradient is 0, and an input that was dropped once would never come back: a fit that begins
//! at another lifts what did nothing there.

mod entries;
mod family;
mod fit;
mod held_out;
mod local_score;
mod posterior;
mod process;
mod rows;

use std::f64::consts::TAU;

use rayon::prelude::*;

pub use family::Covariance;
pub(crate) use fit::{ProcessFit, Task};
pub(crate) use posterior::Posterior;
pub(crate) use rows::{Rows, Sets};

use super::LocalScore;
use super::additive::{AdditiveScore, Scratch};
use crate::error::Result;
use crate::knowledge::Knowledge;

/// Iterations of a fit to all columns, and after inputs were dropped.
const SCREENING: (usize, usize) = (12, 6);
/// Iterations of a local fit, and of one that begins at another.
const LOCAL: (usize, usize) = (10, 5);
/// Evidence that an input has to be worth to stay a candidate.
const CANDIDATE: f64 = 0.5;
/// Columns up to which that holds. With more, an input is the less likely a cause: its odds fall as their number
/// grows, and what chance gives stays as rare as it was.
const COLUMNS: usize = 120;
/// Inputs that are then looked at one by one, at most: the most relevant of all.
const SHORTLIST: usize = 64;
/// Evidence by which a process has to beat the additive model for its variable to get one.
const MARGIN: f64 = 3.0;

/// The data of one search.
#[derive(Debug)]
pub(crate) struct ProcessScore {
    /// The additive model of the same data, where nothing moves.
    pub additive: AdditiveScore,
    /// The rows.
    pub rows: Rows,
    /// Sets of rows for the search.
    pub committee: Sets,
    /// Candidates of each variable.
    pub candidates: Vec<Vec<usize>>,
    /// The covariance of each variable; `None` where the additive model does.
    pub families: Vec<Option<Covariance>>,
}

impl ProcessScore {
    /// Screens candidates, and chooses a family for each variable.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn new(
        additive: AdditiveScore,
        rows: Rows,
        allowed: &[Covariance],
        knowledge: &Knowledge,
    ) -> Result<Self> {
        let d = additive.variables();
        let committee = rows.committee();
        let mut score =
            Self { additive, rows, committee, candidates: Vec::new(), families: vec![None; d] };
        let all = |target: usize| score.screened(target, allowed, knowledge);
        score.candidates = (0..d).into_par_iter().map(all).collect::<Result<_>>()?;
        super::make_symmetric(&mut score.candidates, d);
        let exact = score.rows.exact();
        let best = |target: usize| {
            score.proceed()?;
            Ok(score.family(target, &score.candidates[target], &exact, allowed))
        };
        score.families = (0..d).into_par_iter().map(best).collect::<Result<_>>()?;
        Ok(score)
    }

    /// A variable with the rows of the search.
    pub fn task(&self, target: usize) -> Task<'_> {
        Task { rows: &self.rows, sets: &self.committee, target }
    }

    /// Whether there are so many columns, or more rows than a committee sees, that fits have to be saved.
    fn is_large(&self) -> bool {
        let seen: usize = self.committee.iter().map(Vec::len).sum();
        self.columns() > COLUMNS || seen < self.rows.kept.len()
    }

    /// Evidence that an input has to be worth to stay a candidate: ½ + log(columns / 120), where there are more.
    fn worth(&self) -> f64 {
        CANDIDATE + (self.columns() as f64 / COLUMNS as f64).ln().max(0.0)
    }

    /// Columns that a process on everything, or the additive model, would keep.
    fn screened(
        &self,
        target: usize,
        allowed: &[Covariance],
        knowledge: &Knowledge,
    ) -> Result<Vec<usize>> {
        let d = self.variables();
        let may = |c: usize| c != target && knowledge.allows_column(c, target, d);
        let columns: Vec<usize> = (0..self.columns()).filter(|c| may(*c)).collect();
        let required = knowledge.required_columns(target);
        let mut found = self.additive.grow(target, may, &required, 0.5, &mut Scratch::default());
        let Some(family) = self.screening_family(target, &columns, allowed) else {
            return Ok(found);
        };
        let lagged: Vec<usize> = columns.iter().copied().filter(|c| *c >= d).collect();
        for columns in [columns, lagged] {
            self.proceed()?;
            let task = self.task(target);
            let mut fit = task.fit(family, &columns, SCREENING.0);
            if self.is_large() {
                fit = fit.shortened(SHORTLIST, &required);
            }
            found.extend(task.pruned(fit, self.worth(), SCREENING.1, &required).relevant());
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The family that is asked what may matter: of those that take little time with many inputs the one that a
    /// glance at few rows speaks for. Products hide from sums of sigmoids, and saturation from smooth functions.
    fn screening_family(
        &self,
        target: usize,
        columns: &[usize],
        allowed: &[Covariance],
    ) -> Option<Covariance> {
        let quick = [Covariance::Arcsine, Covariance::Smooth];
        let quick: Vec<Covariance> = quick.into_iter().filter(|f| allowed.contains(f)).collect();
        match quick[..] {
            [] => allowed.first().copied(),
            [one] => Some(one),
            _ => Some(self.task(target).at_a_glance(&quick, columns)?.family),
        }
    }

    /// The family with the most evidence on these inputs, if it beats the additive model on the rows of `exact`:
    /// every member of a committee has to learn the function anew, and the additive model has all rows.
    fn family(
        &self,
        target: usize,
        columns: &[usize],
        exact: &Sets,
        allowed: &[Covariance],
    ) -> Option<Covariance> {
        if columns.is_empty() {
            return None;
        }
        let best = self.task(target).best(allowed, columns)?;
        let value = Task { sets: exact, ..self.task(target) }.value(&best);
        let additive = self.additive_score(target, columns);
        (self.as_score(value) < additive - 2.0 * MARGIN).then_some(best.family)
    }

    /// The additive score on some of these columns, as it compares with [`ProcessScore::as_score`].
    pub fn additive_score(&self, target: usize, columns: &[usize]) -> f64 {
        let among = |c: usize| columns.contains(&c);
        let fit = self.additive.regress(target, among, &[], &mut Scratch::default());
        let rows = self.additive.columns.rows();
        rows * fit.variance.max(1e-15).ln() + self.additive.cost_of(&fit)
    }

    /// −2 log evidence without the constants that n log s² leaves out, in the same unit.
    pub fn as_score(&self, value: f64) -> f64 {
        let (rows, kept) = (self.additive.columns.rows(), self.rows.kept.len().max(1) as f64);
        2.0 * value * rows / kept - rows * (1.0 + TAU.ln())
    }
}

#[cfg(test)]
mod tests;
