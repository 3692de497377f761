//! A variable with the groups that explain it.

use std::collections::HashMap;

use rayon::prelude::*;

use super::group_test::{GroupRows, own_lags};
use crate::design::own_orders;
use crate::listing::{Candidate, Decision, Direction};
use crate::scores::LocalScore;
use crate::scores::additive::{AdditiveScore, Fit, Scratch};
use crate::search;

/// What is known of the graph, and memory for the search.
pub(super) type Given = search::Given<<AdditiveScore as LocalScore>::Scratch>;

/// A variable with what explains it.
#[derive(Debug)]
pub(super) struct Explained {
    /// The variable.
    pub to: usize,
    /// The groups that explain it.
    pub fit: Fit,
    /// The last of its own lags that is accounted for.
    own: usize,
    /// Columns that it has to have.
    required: Vec<usize>,
    /// What is known of the direction of each cause within the step.
    directions: HashMap<usize, Direction>,
}

impl Explained {
    /// What the search selected of every variable.
    pub fn all(
        score: &AdditiveScore,
        learned: &search::Learned<AdditiveScore>,
        given: &Given,
    ) -> Vec<Self> {
        let orders = own_orders(&score.columns);
        let mut directions: Vec<HashMap<usize, Direction>> =
            vec![HashMap::new(); score.variables()];
        for ((from, to), worse) in &learned.turns {
            directions[*to].insert(*from, Direction::of(*worse));
        }
        let one = |((to, fit), directions): ((usize, &Fit), HashMap<usize, Direction>)| Self {
            to,
            own: own_lags(score, to, fit, orders[to]),
            fit: fit.clone(),
            required: given.knowledge.required_columns(to),
            directions,
        };
        learned.fits.par_iter().enumerate().zip(directions).map(one).collect()
    }

    /// Its causes, by what is lost without each; not tested yet.
    pub fn candidates(&self, score: &AdditiveScore) -> Vec<Candidate> {
        let (d, rows) = (score.variables(), score.columns.rows());
        let scale = (rows - self.fit.coefficients.len() as f64).max(1.0) / rows;
        let candidate = |(column, weight): (&usize, &f64)| Candidate {
            from: column % d,
            to: self.to,
            lag: column / d,
            p: None,
            statistic: Some(scale * rows * (weight / self.fit.variance.max(1e-15)).ln_1p()),
            required: self.required.contains(column),
            direction: self.directions.get(column).copied(),
        };
        self.fit.selected.iter().zip(&self.fit.weights).map(candidate).collect()
    }

    /// The same with the p-value of each.
    pub fn tested(&self, score: &AdditiveScore) -> Vec<Candidate> {
        let candidates = self.candidates(score);
        let ratios = candidates.iter().map(|candidate| candidate.statistic.unwrap_or(0.0));
        let p = GroupRows::of(score, self.to, &self.fit.selected, self.own).p_values(ratios);
        let with = |(candidate, p): (&Candidate, Option<f64>)| Candidate { p, ..*candidate };
        candidates.iter().zip(p).map(with).collect()
    }

    /// Leaves out all causes but some.
    pub fn keep(&mut self, score: &AdditiveScore, kept: &[Decision]) {
        let column = |decision: &Decision| {
            decision.candidate.lag * score.variables() + decision.candidate.from
        };
        let columns: Vec<usize> = kept.iter().map(column).collect();
        self.fit = score.fit(self.to, &columns, &mut Scratch::default());
    }

    /// The weights of own lags beyond those of the columns, after a 0 for each of these.
    pub fn own_weights(&self, score: &AdditiveScore) -> Vec<f64> {
        GroupRows::of(score, self.to, &self.fit.selected, self.own).own_weights()
    }
}
