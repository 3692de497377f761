//! Products of columns along cosines, worked out once for all models of a regression.
//!
//! Σ_t φ_k φ_l S_t is asked for by every model that has cosines, for every pair of columns; since products of
//! cosines are sums of cosines, c_m = Σ_t cos(mα_t) S_t for 2K frequencies gives it for all k and l.

use std::f64::consts::SQRT_2;

use super::dictionary::Dictionary;
use super::step_moments::StepMoments;
use crate::linear_algebra::dot;

/// Σ cos(mα) S over pieces, for every pair of columns.
#[derive(Debug)]
pub(super) struct Transforms {
    count: usize,
    values: Vec<f64>,
}

impl Transforms {
    /// Of all pairs.
    pub fn of(moments: &StepMoments, dictionary: &Dictionary) -> Self {
        let mut out = Self { count: 2 * dictionary.waves, values: Vec::new() };
        for j in 0..=moments.target() {
            (0..=j).for_each(|k| out.add(moments.pair(j, k), dictionary));
        }
        out
    }

    /// Of moments that have one more regressor, after the others.
    pub fn with(&self, moments: &StepMoments, dictionary: &Dictionary) -> Self {
        let (new, target) = (moments.target() - 1, moments.target());
        let known = new * (new + 1) / 2 * self.count;
        let mut out = Self { count: self.count, values: self.values[..known].to_vec() };
        (0..=new).for_each(|k| out.add(moments.pair(new, k), dictionary));
        out.values.extend_from_slice(&self.values[known..known + new * self.count]);
        out.add(moments.pair(target, new), dictionary);
        out.values.extend_from_slice(&self.values[known + new * self.count..]);
        out
    }

    fn add(&mut self, s: &[f64], dictionary: &Dictionary) {
        self.values.extend((0..self.count).map(|m| dot(dictionary.cosine(m), s)));
    }

    /// Those of two columns.
    pub fn pair(&self, j: usize, k: usize) -> &[f64] {
        let (high, low) = (j.max(k), j.min(k));
        let start = (high * (high + 1) / 2 + low) * self.count;
        &self.values[start..start + self.count]
    }
}

/// Σ φ_k S.
pub(super) fn along(transforms: &[f64], k: usize) -> f64 {
    if k == 0 { transforms[0] } else { SQRT_2 * transforms[k] }
}

/// Σ φ_k φ_l S.
pub(super) fn product(transforms: &[f64], k: usize, l: usize) -> f64 {
    match (k.max(l), k.min(l)) {
        (k, 0) => along(transforms, k),
        (k, l) => transforms[k - l] + transforms[k + l],
    }
}

/// All that models of a regression are asked by.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegressionModels<'a> {
    pub moments: &'a StepMoments,
    pub dictionary: &'a Dictionary,
    pub transforms: &'a Transforms,
}
