//! A Gaussian process as the search sees it.

use super::{LOCAL, ProcessFit, ProcessScore, SCREENING};
use crate::error::Result;
use crate::scores::additive::{AdditiveScore, Fit};
use crate::scores::{Found, LocalScore};

/// A variable with its candidates.
#[derive(Debug)]
pub(crate) struct ProcessCandidates {
    additive: <AdditiveScore as LocalScore>::Node,
    target: usize,
    candidates: Vec<usize>,
}

/// What explains a variable best.
#[derive(Debug, Clone)]
pub(crate) struct Explained {
    /// The columns.
    pub selected: Vec<usize>,
    /// The process, where the variable has one.
    pub process: Option<ProcessFit>,
    /// The additive model.
    pub additive: Fit,
}

impl LocalScore for ProcessScore {
    type Node = ProcessCandidates;
    type Regression = Explained;
    type Scratch = <AdditiveScore as LocalScore>::Scratch;

    fn variables(&self) -> usize {
        self.additive.variables()
    }

    fn columns(&self) -> usize {
        self.additive.columns()
    }

    fn is_cheap(&self) -> bool {
        false
    }

    /// Evidence is as good without an input as with one of no relevance, but for where a fit was cut short.
    fn is_monotone(&self) -> bool {
        true
    }

    fn proceed(&self) -> Result<()> {
        self.additive.proceed()
    }

    /// Where there are many fits, each that was cut short may leave something open.
    fn least(&self) -> f64 {
        if self.is_large() { 1.0 } else { 1e-6 }
    }

    fn insertions_first(&self) -> bool {
        self.is_large()
    }

    /// Gains of a few units are within what a fit that was cut short leaves open.
    fn cost(&self) -> f64 {
        1.0
    }

    fn prepare(
        &self,
        target: usize,
        candidates: &[usize],
        required: &[usize],
    ) -> ProcessCandidates {
        ProcessCandidates {
            additive: self.additive.prepare(target, candidates, required),
            target,
            candidates: candidates.to_vec(),
        }
    }

    fn find(
        &self,
        node: &ProcessCandidates,
        before: impl Fn(usize) -> bool,
        scratch: &mut Self::Scratch,
    ) -> Found<Explained> {
        self.found(node, None, before, scratch)
    }

    fn find_near(
        &self,
        node: &ProcessCandidates,
        known: &Explained,
        before: impl Fn(usize) -> bool,
        scratch: &mut Self::Scratch,
    ) -> Found<Explained> {
        self.found(node, known.process.as_ref(), before, scratch)
    }

    /// What was screened.
    fn grow(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        share: f64,
        scratch: &mut Self::Scratch,
    ) -> Vec<usize> {
        if share >= 1.0 {
            return self.additive.grow(target, allowed, required, share, scratch);
        }
        self.candidates[target].iter().copied().filter(|c| allowed(*c)).collect()
    }

    /// Among candidates, which a process on everything was asked for, and what the additive model finds.
    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        scratch: &mut Self::Scratch,
    ) -> Explained {
        let additive = self.additive.regress(target, &allowed, required, scratch);
        let mut explained =
            Explained { selected: additive.selected.clone(), process: None, additive };
        if let Some(family) = self.families[target] {
            let mut columns: Vec<usize> =
                self.candidates[target].iter().copied().filter(|c| allowed(*c)).collect();
            columns.extend(&explained.selected);
            columns.sort_unstable();
            columns.dedup();
            let task = self.task(target);
            let fit = task.fit(family, &columns, SCREENING.0);
            let fit = task.pruned(fit, self.worth(), SCREENING.1, required);
            explained.selected = fit.relevant();
            explained.process = Some(fit);
        }
        explained
    }

    fn selected(explained: &Explained) -> &[usize] {
        &explained.selected
    }
}

impl ProcessScore {
    /// The model that the variable has; a process begins where one is known.
    fn found(
        &self,
        node: &ProcessCandidates,
        near: Option<&ProcessFit>,
        before: impl Fn(usize) -> bool,
        scratch: &mut <Self as LocalScore>::Scratch,
    ) -> Found<Explained> {
        let d = self.variables();
        let admitted: Vec<usize> =
            node.candidates.iter().copied().filter(|c| *c >= d || before(*c)).collect();
        let simple = self.additive.find(&node.additive, before, scratch);
        let mut score = simple.score;
        let mut explained = Explained {
            selected: simple.regression.selected.clone(),
            process: None,
            additive: simple.regression,
        };
        if let Some(family) = self.families[node.target].filter(|_| !admitted.is_empty()) {
            let task = self.task(node.target);
            let fit = match near.filter(|near| near.family == family) {
                Some(near) => task.from(family, &admitted, near.moved_to(&admitted), LOCAL.1),
                None => task.fit(family, &admitted, LOCAL.0),
            };
            score = self.as_score(fit.value);
            explained.selected = fit.relevant();
            explained.process = Some(fit);
        }
        let parents = explained.selected.iter().copied().filter(|c| *c < d).collect();
        Found { parents, tried: Some(Box::default()), score, regression: explained }
    }
}
