//! The additive model as the search sees it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use faer::Mat;

use super::sweep::Sweep;
use super::{AdditiveScore, MOST_GROUPS, ROWS_PER_COEFFICIENT};
use crate::error::Result;
use crate::scores::linear::noise::{self, Sums, negentropy};
use crate::scores::{Found, LocalScore, Whole};

/// Functions of a group up to which regressions are cheap.
const CHEAP: usize = 8;

/// A variable with its candidates.
#[derive(Debug)]
pub(crate) struct AdditiveCandidates {
    target: usize,
    candidates: Vec<usize>,
    required: Vec<usize>,
}

/// A regression on groups.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fit {
    /// The selected columns.
    pub selected: Vec<usize>,
    /// Their coefficients, group after group.
    pub coefficients: Vec<f64>,
    /// The mean square that is left.
    pub variance: f64,
    /// How much more would be left without each.
    pub weights: Vec<f64>,
}

/// Memory for one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sweep: Sweep,
    admitted: Vec<usize>,
    ranges: Vec<Range<usize>>,
    residuals: Vec<f64>,
}

impl LocalScore for AdditiveScore {
    type Node = AdditiveCandidates;
    type Regression = Fit;
    type Scratch = Scratch;

    fn variables(&self) -> usize {
        self.columns.variables()
    }

    fn columns(&self) -> usize {
        self.columns.size()
    }

    /// Groups of few functions are; the time of others grows with their square.
    fn is_cheap(&self) -> bool {
        self.features.values.ncols() <= CHEAP * self.columns.size()
    }

    fn proceed(&self) -> Result<()> {
        self.cancel.proceed()
    }

    fn cost(&self) -> f64 {
        self.penalty(0)
    }

    fn prepare(
        &self,
        target: usize,
        candidates: &[usize],
        required: &[usize],
    ) -> AdditiveCandidates {
        AdditiveCandidates { target, candidates: candidates.to_vec(), required: required.to_vec() }
    }

    fn find(
        &self,
        node: &AdditiveCandidates,
        before: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> Found<Fit> {
        let d = self.variables();
        scratch.admitted.clear();
        scratch.admitted.extend(node.candidates.iter().filter(|c| **c >= d || before(**c)));
        let fit = self.selected_among(node.target, &node.required, 1.0, true, scratch);
        Found {
            parents: fit.selected.iter().copied().filter(|c| *c < d).collect(),
            tried: None,
            score: self.columns.rows() * fit.variance.max(1e-15).ln() + self.cost_of(&fit),
            regression: fit,
        }
    }

    /// The same with what the residuals tell.
    fn whole(&self, node: &AdditiveCandidates, found: &Found<Fit>, scratch: &mut Scratch) -> Whole {
        let sums = self.sums(node.target, &found.regression, &mut scratch.residuals);
        let noise = self.curves.fit(&sums);
        let away = || 2.0 * self.columns.rows() * negentropy(&sums, &noise.variances);
        let shape = if self.non_gaussian { away() } else { 0.0 };
        Whole { score: noise.score + self.cost_of(&found.regression) - shape, shape }
    }

    fn key(fit: &Fit) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        fit.selected.hash(&mut hasher);
        fit.coefficients.iter().for_each(|c| hasher.write_u64(c.to_bits()));
        Some(hasher.finish())
    }

    fn grow(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        share: f64,
        scratch: &mut Scratch,
    ) -> Vec<usize> {
        scratch.admitted.clear();
        scratch.admitted.extend((0..self.columns.size()).filter(|c| allowed(*c)));
        self.selected_among(target, required, share, false, scratch).selected
    }

    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        scratch: &mut Scratch,
    ) -> Fit {
        scratch.admitted.clear();
        scratch.admitted.extend((0..self.columns.size()).filter(|c| allowed(*c)));
        self.selected_among(target, required, 1.0, true, scratch)
    }

    fn selected(fit: &Fit) -> &[usize] {
        &fit.selected
    }
}

impl AdditiveScore {
    /// What the groups of a regression cost.
    pub fn cost_of(&self, fit: &Fit) -> f64 {
        fit.selected.iter().map(|c| self.penalty(*c)).sum()
    }

    /// The regression on exactly these columns.
    pub fn fit(&self, target: usize, columns: &[usize], scratch: &mut Scratch) -> Fit {
        scratch.admitted.clear();
        scratch.admitted.extend(columns);
        self.selected_among(target, columns, 1.0, false, scratch)
    }

    /// The coefficients of a column's group in a regression, and their covariance.
    pub fn estimate(&self, target: usize, column: usize, fit: &Fit) -> (Vec<f64>, Mat<f64>) {
        let mut scratch = Scratch::default();
        let fit = self.fit(target, &fit.selected, &mut scratch);
        let rows = self.columns.rows();
        let freedom = (rows - fit.coefficients.len() as f64).max(1.0);
        let Some(at) = scratch.admitted.iter().position(|c| *c == column) else {
            return (Vec::new(), Mat::zeros(0, 0));
        };
        let own = scratch.sweep.coefficients(at);
        let unit = fit.variance / freedom;
        let covariance = Mat::from_fn(own.len(), own.len(), |k, l| {
            unit * scratch.sweep.inverse((at, k), (at, l))
        });
        (own, covariance)
    }

    /// Grow, then shrink where it is asked for, among the admitted columns.
    fn selected_among(
        &self,
        target: usize,
        required: &[usize],
        share: f64,
        shrink: bool,
        scratch: &mut Scratch,
    ) -> Fit {
        let Scratch { sweep, admitted, ranges, .. } = scratch;
        ranges.clear();
        ranges.extend(admitted.iter().map(|c| self.features.groups[*c].clone()));
        let y = self.features.values.ncols() + target;
        sweep.take(self.gram.as_ref(), ranges, y);
        let rows = self.columns.rows();
        let is_required = |group: usize| required.contains(&admitted[group]);
        let (mut order, mut used) = (Vec::new(), 0);
        for group in (0..admitted.len()).filter(|group| is_required(*group)) {
            if sweep.switch(group) {
                order.push(group);
                used += ranges[group].len();
            }
        }
        while order.len() < MOST_GROUPS.max(required.len()) {
            let Some((best, gain)) = self.best(sweep, admitted, share) else { break };
            used += ranges[best].len();
            let room = ROWS_PER_COEFFICIENT * used as f64 <= rows || order.is_empty();
            if gain <= 0.0 || !room || !sweep.switch(best) {
                break;
            }
            order.push(best);
        }
        if shrink {
            self.shrink(sweep, admitted, &mut order, (share, required));
        }
        order.sort_unstable_by_key(|group| admitted[*group]);
        Fit {
            selected: order.iter().map(|group| admitted[*group]).collect(),
            coefficients: order.iter().flat_map(|group| sweep.coefficients(*group)).collect(),
            variance: sweep.left(),
            weights: order.iter().map(|group| sweep.weight(*group)).collect(),
        }
    }

    /// Takes out what costs more than it gains, the least first; what is required stays.
    fn shrink(
        &self,
        sweep: &mut Sweep,
        admitted: &[usize],
        order: &mut Vec<usize>,
        (share, required): (f64, &[usize]),
    ) {
        let rows = self.columns.rows();
        loop {
            let left = sweep.left();
            let mut excess = |group: usize| {
                rows * (sweep.weight(group) / left).ln_1p() - share * self.penalty(admitted[group])
            };
            let may_go =
                order.iter().copied().filter(|group| !required.contains(&admitted[*group]));
            let weakest = may_go
                .map(|group| (group, excess(group)))
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .filter(|(_, excess)| *excess <= 0.0);
            let Some((group, _)) = weakest else { return };
            sweep.switch(group);
            order.retain(|other| *other != group);
        }
    }

    /// The group that gains most beyond `share` of its cost.
    fn best(&self, sweep: &mut Sweep, admitted: &[usize], share: f64) -> Option<(usize, f64)> {
        let (rows, left) = (self.columns.rows(), sweep.left());
        let mut best: Option<(usize, f64)> = None;
        for (group, column) in admitted.iter().enumerate() {
            if sweep.is_inside(group) {
                continue;
            }
            let explained = (sweep.weight(group) / left).min(1.0 - 1e-12);
            let gain = -rows * (-explained).ln_1p() - share * self.penalty(*column);
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((group, gain));
            }
        }
        best
    }

    /// What the data say for every column that is `allowed`, given the selected ones: −2 log likelihood that is
    /// lost without it, or gained with it; 0 for the others.
    pub fn statistics(
        &self,
        target: usize,
        selected: &[usize],
        allowed: impl Fn(usize) -> bool,
    ) -> Vec<f64> {
        let mut scratch = Scratch::default();
        let size = self.columns.size();
        scratch.admitted.extend((0..size).filter(|c| allowed(*c) || selected.contains(c)));
        let Scratch { sweep, admitted, ranges, .. } = &mut scratch;
        ranges.extend(admitted.iter().map(|c| self.features.groups[*c].clone()));
        sweep.take(self.gram.as_ref(), ranges, self.features.values.ncols() + target);
        for group in (0..admitted.len()).filter(|group| selected.contains(&admitted[*group])) {
            sweep.switch(group);
        }
        let (rows, left) = (self.columns.rows(), sweep.left().max(1e-15));
        let mut out = vec![0.0; size];
        for (group, column) in admitted.iter().enumerate() {
            let share = sweep.weight(group) / left;
            out[*column] = if sweep.is_inside(group) {
                rows * share.ln_1p()
            } else {
                -rows * (-share.min(1.0 - 1e-12)).ln_1p()
            };
        }
        out
    }

    /// The residuals of a regression at every row, each multiplied by the root of its weight.
    pub fn residuals(&self, target: usize, fit: &Fit, out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(self.features.targets.col_as_slice(target));
        let features = fit.selected.iter().flat_map(|c| self.features.groups[*c].clone());
        for (feature, coefficient) in features.zip(&fit.coefficients) {
            let x = self.features.values.col_as_slice(feature);
            out.iter_mut().zip(x).for_each(|(r, x)| *r -= coefficient * x);
        }
    }

    fn sums(&self, target: usize, fit: &Fit, residuals: &mut Vec<f64>) -> Vec<Sums> {
        self.residuals(target, fit, residuals);
        let series = self.columns.series();
        let weights = self.columns.weights();
        let of_bin = |bin: &Range<usize>| {
            let rows = bin.start * series..bin.end * series;
            noise::sums(&residuals[rows.clone()], weights.map(|w| &w[rows]))
        };
        self.bins.iter().map(of_bin).collect()
    }
}
