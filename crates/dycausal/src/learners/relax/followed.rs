//! What was learned as a flow, with weights that only some trajectories tell.

use ndarray::{Array3, Axis};

use super::integral::Integral;
use super::significance::weights;
use crate::learners::flow::Flow;

/// What was learned.
pub(crate) struct Relaxation {
    /// Values from the first step to the horizon, from rest and in standard deviations.
    pub(super) values: Array3<f64>,
    /// What they were counted from, and divided by.
    pub(super) rest: Vec<f64>,
    pub(super) scale: Vec<f64>,
    /// The decay of each variable.
    pub(super) decays: Vec<f64>,
    /// The causes of each.
    pub(super) causes: Vec<Vec<usize>>,
}

/// x' = −λ x + Σ w x + c, in standard deviations from rest.
struct Followed<'a> {
    of: &'a Relaxation,
    weights: Vec<Vec<f64>>,
    constants: Vec<f64>,
}

impl Relaxation {
    /// The flow with weights from the series that are `seen`.
    pub fn flow(&self, seen: &dyn Fn(usize) -> bool) -> Box<dyn Flow + '_> {
        let kept: Vec<usize> = (0..self.values.dim().0).filter(|n| seen(*n)).collect();
        let values = self.values.select(Axis(0), &kept);
        let mut tried: Vec<f64> = self.decays.clone();
        tried.sort_unstable_by(f64::total_cmp);
        tried.dedup();
        let mut found = vec![Vec::new(); self.decays.len()];
        for decay in tried {
            let integral = Integral::at(decay, values.view());
            let its = (0..self.decays.len()).filter(|v| self.decays[*v].total_cmp(&decay).is_eq());
            its.for_each(|v| found[v] = weights(&integral, v, &self.causes[v]));
        }
        let mut flow =
            Followed { of: self, weights: found, constants: vec![0.0; self.decays.len()] };
        flow.constants = flow.drift(&values);
        Box::new(flow)
    }
}

impl Followed<'_> {
    /// What is left of a step on average.
    fn drift(&self, values: &Array3<f64>) -> Vec<f64> {
        let (series, steps, d) = values.dim();
        let mut sums = vec![0.0; d];
        for (n, t) in (0..series).flat_map(|n| (1..steps).map(move |t| (n, t))) {
            let mut state: Vec<f64> =
                (0..d).map(|v| self.of.outer(v, values[[n, t - 1, v]])).collect();
            self.ahead(&mut state, t - 1);
            for (v, sum) in sums.iter_mut().enumerate() {
                *sum += values[[n, t, v]] - (state[v] - self.of.rest[v]) / self.of.scale[v];
            }
        }
        let count = (series * steps.saturating_sub(1)).max(1) as f64;
        let whole = |v: usize| {
            let decay = self.of.decays[v];
            decay / -(-decay).exp_m1()
        };
        sums.iter().enumerate().map(|(v, sum)| whole(v) * sum / count).collect()
    }
}

impl Relaxation {
    /// A value in the data's units.
    fn outer(&self, v: usize, value: f64) -> f64 {
        self.rest[v] + self.scale[v] * value
    }
}

impl Flow for Followed<'_> {
    fn slope(&self, state: &[f64], _step: usize, slope: &mut [f64]) {
        let Relaxation { rest, scale, decays, causes, .. } = self.of;
        let x: Vec<f64> =
            state.iter().zip(rest.iter().zip(scale)).map(|(x, (r, s))| (x - r) / s).collect();
        for (v, slope) in slope.iter_mut().enumerate() {
            let driven: f64 = causes[v].iter().zip(&self.weights[v]).map(|(c, w)| w * x[*c]).sum();
            *slope = scale[v] * (self.constants[v] + driven - decays[v] * x[v]);
        }
    }
}
