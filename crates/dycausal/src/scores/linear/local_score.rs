//! The linear model as the search sees it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::forward::Forward;
use super::noise::{self, Regression, ResidualSums, Sums, negentropy};
use super::rows::{RowCandidates, pool_key};
use super::shrink::{Fit, Shrink};
use super::together::JointRequest;
use super::{LinearScore, Source};
use crate::error::Result;
use crate::moments::{Gram, Rows, Unpacking, Workspace};
use crate::scores::{Found, LocalScore, Whole};

/// A variable with its candidates and their moments.
#[derive(Debug)]
pub(crate) struct LinearCandidates {
    /// All candidates as columns, those within the step first, and the variable itself last.
    columns: Vec<usize>,
    /// How many of them are within the step.
    within: usize,
    /// Which of them are required, as places among the candidates.
    required: Vec<usize>,
    gram: CandidateMoments,
}

/// The moments of a variable and its candidates.
#[derive(Debug)]
enum CandidateMoments {
    /// As they are.
    Whole(Gram),
    /// In little memory, where there are many variables.
    Packed(Arc<RowCandidates>),
}

impl LinearCandidates {
    /// The coefficients of a regression on candidates, solved for again where they were not kept.
    fn coefficients<'a>(&self, fit: &'a Fit, scratch: &mut Scratch) -> Cow<'a, [f64]> {
        let CandidateMoments::Packed(packed) = &self.gram else {
            return Cow::Borrowed(&fit.coefficients);
        };
        let place = |column: &usize| self.columns.iter().position(|c| c == column);
        let mut places: Vec<usize> = fit.selected.iter().filter_map(place).collect();
        places.push(self.columns.len() - 1);
        packed.gram.select(&places, &mut scratch.gram);
        Cow::Owned(scratch.shrink.solved(&scratch.gram).coefficients)
    }
}

/// What scoring needs besides the data.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) forward: Forward,
    pub(super) shrink: Shrink,
    /// For moments that are added up from the rows.
    pub(super) work: Workspace<f64>,
    /// The same where it has to be quick.
    pub(super) rough: Workspace<f32>,
    /// Those moments, or those of a node.
    pub(super) gram: Gram,
    fit: Fit,
    residuals: ResidualSums,
    /// Which candidates are admitted.
    admitted: Vec<bool>,
}

impl LocalScore for LinearScore {
    type Node = LinearCandidates;
    type Regression = Fit;
    type Scratch = Scratch;

    fn variables(&self) -> usize {
        self.columns.variables()
    }

    fn columns(&self) -> usize {
        self.columns.size()
    }

    fn proceed(&self) -> Result<()> {
        self.cancel.proceed()
    }

    fn cost(&self) -> f64 {
        self.penalty()
    }

    fn prepare(&self, target: usize, candidates: &[usize], required: &[usize]) -> LinearCandidates {
        let d = self.variables();
        let within = candidates.iter().filter(|c| **c < d).count();
        let place = |column: &usize| candidates.iter().position(|c| c == column);
        let required = required.iter().filter_map(place).collect();
        let mut columns = candidates.to_vec();
        columns.push(target);
        let gram = match &self.source {
            Source::All(gram) => CandidateMoments::Whole(gram.select(&columns)),
            Source::Rows(rows) => CandidateMoments::Packed(rows.candidates(self, &columns)),
        };
        LinearCandidates { columns, within, required, gram }
    }

    fn find(
        &self,
        node: &LinearCandidates,
        before: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> Found<Fit> {
        let target = node.columns.len() - 1;
        let admitted = &mut scratch.admitted;
        admitted.clear();
        admitted.extend(node.columns[..node.within].iter().map(|c| before(*c)));
        admitted.resize(target, true);
        admitted.push(false);
        let mut stop = self.stop(1.0, node.required.len());
        stop.most = stop.most.min(target);
        let Scratch { forward, shrink, gram, fit, admitted, .. } = scratch;
        let allowed = |c: usize| admitted.get(c).copied().unwrap_or(false);
        let mut search = |rows: &mut dyn Rows| {
            forward.select(rows, target, &allowed, &node.required, stop);
            shrink.backward(forward, rows.gram(), target, stop, fit);
        };
        match &node.gram {
            CandidateMoments::Whole(whole) => search(&mut &*whole),
            CandidateMoments::Packed(packed) => search(&mut Unpacking::new(&packed.gram, gram)),
        }
        // Where there are many variables, coefficients take most of the memory and are soon solved for again.
        let coefficients = match &node.gram {
            CandidateMoments::Whole(_) => fit.coefficients.clone(),
            CandidateMoments::Packed(_) => Vec::new(),
        };
        let within = fit.selected.iter().filter(|c| **c < node.within);
        let dropped = |c: &&usize| **c < node.within && !fit.selected.contains(c);
        let tried = forward.selected.iter().filter(dropped);
        let rows = self.columns.rows();
        let cost = self.penalty() * fit.selected.len() as f64;
        Found {
            parents: within.map(|c| node.columns[*c]).collect(),
            tried: Some(tried.map(|c| node.columns[*c]).collect()),
            score: rows * floored(fit.variance).ln() + cost,
            regression: Fit {
                selected: fit.selected.iter().map(|c| node.columns[*c]).collect(),
                coefficients,
                variance: fit.variance,
            },
        }
    }

    /// The same with what the residuals tell, for which all rows are gone through.
    fn whole(&self, node: &LinearCandidates, found: &Found<Fit>, scratch: &mut Scratch) -> Whole {
        let (rows, fit) = (self.columns.rows(), &found.regression);
        let coefficients = node.coefficients(fit, scratch);
        let mut sums = [Sums::default(); noise::BINS];
        let sums = &mut sums[..self.bins.len()];
        let regression = Regression {
            target: node.columns[node.columns.len() - 1],
            selected: &fit.selected,
            coefficients: &coefficients,
        };
        scratch.residuals.add_up(&self.columns, &self.basis, &self.bins, regression, sums);
        if self.columns.left_is_known() {
            noise::bring_to(sums, rows, fit.variance);
        }
        let noise = self.curves.fit(sums);
        let away = || 2.0 * rows * negentropy(sums, &noise.variances);
        let shape = if self.non_gaussian { away() } else { 0.0 };
        let cost = self.penalty() * fit.selected.len() as f64;
        Whole { score: noise.score + cost - shape, shape }
    }

    fn key(fit: &Fit) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        fit.selected.hash(&mut hasher);
        fit.coefficients.iter().for_each(|c| hasher.write_u64(c.to_bits()));
        Some(hasher.finish())
    }

    /// By forward selection.
    fn grow(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        share: f64,
        scratch: &mut Scratch,
    ) -> Vec<usize> {
        let Source::All(gram) = &self.source else {
            let everything: Vec<usize> = (0..self.columns.size()).collect();
            return self.grow_near(target, &everything, allowed, required, share, scratch);
        };
        // The last block of moments may have room for more columns than there are.
        let allowed = |c: usize| c < gram.size() && allowed(c);
        let stop = self.stop_of_many(share, required.len());
        scratch.forward.select(&mut &*gram, target, &allowed, required, stop);
        scratch.forward.selected.clone()
    }

    fn grow_near(
        &self,
        target: usize,
        near: &[usize],
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        share: f64,
        scratch: &mut Scratch,
    ) -> Vec<usize> {
        let Source::Rows(rows) = &self.source else {
            return self.grow(target, allowed, required, share, scratch);
        };
        let all = near.iter().chain(required).copied();
        let mut pool: Vec<usize> = all.filter(|c| allowed(*c)).collect();
        pool.sort_unstable();
        pool.dedup();
        let asked = JointRequest { allowed: &|_, _| true, required: &|_| required.to_vec(), share };
        let key = pool_key(target, &pool, required, share);
        rows.grown.get_or(key, || self.within(rows, target, &pool, &asked, false, scratch).selected)
    }

    fn grow_together(
        &self,
        allowed: &(dyn Fn(usize, usize) -> bool + Sync),
        required: &(dyn Fn(usize) -> Vec<usize> + Sync),
        share: f64,
    ) -> Result<Option<Vec<Vec<usize>>>> {
        let Source::Rows(rows) = &self.source else { return Ok(None) };
        let targets: Vec<usize> = (0..self.variables()).collect();
        let fits = self.grown(rows, &targets, &JointRequest { allowed, required, share })?;
        Ok(Some(fits.into_iter().map(|fit| fit.selected).collect()))
    }

    fn regress_some(
        &self,
        targets: &[usize],
        allowed: &(dyn Fn(usize, usize) -> bool + Sync),
        required: &(dyn Fn(usize) -> Vec<usize> + Sync),
    ) -> Result<Option<Vec<Fit>>> {
        self.some_grown(targets, allowed, required)
    }

    fn regress_together(
        &self,
        known: &[Vec<usize>],
        allowed: &(dyn Fn(usize, usize) -> bool + Sync),
        required: &(dyn Fn(usize) -> Vec<usize> + Sync),
    ) -> Result<Option<Vec<Fit>>> {
        let Source::Rows(rows) = &self.source else { return Ok(None) };
        let targets: Vec<usize> = (0..self.variables()).collect();
        let asked = JointRequest { allowed, required, share: 1.0 };
        self.regressed(rows, &targets, known, &asked).map(Some)
    }

    /// By grow-and-shrink.
    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        scratch: &mut Scratch,
    ) -> Fit {
        let stop = self.stop(1.0, required.len());
        let gram = match &self.source {
            Source::All(gram) => gram,
            Source::Rows(rows) => {
                let pool: Vec<usize> = (0..self.columns.size()).filter(|c| allowed(*c)).collect();
                let asked = JointRequest {
                    allowed: &|_, _| true,
                    required: &|_| required.to_vec(),
                    share: 1.0,
                };
                return self.within(rows, target, &pool, &asked, true, scratch);
            }
        };
        let allowed = |c: usize| c < gram.size() && allowed(c);
        scratch.forward.select(&mut &*gram, target, &allowed, required, stop);
        let mut fit = Fit::default();
        scratch.shrink.backward(&scratch.forward, gram, target, stop, &mut fit);
        fit
    }

    fn selected(fit: &Fit) -> &[usize] {
        &fit.selected
    }
}

/// A variance that is not below what rounding leaves of 1.
fn floored(variance: f64) -> f64 {
    variance.max(1e-15)
}
