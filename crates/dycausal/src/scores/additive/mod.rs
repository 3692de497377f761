//! Effects that bend, add up, and may move in time.
//!
//! x_i(t) = Σ_j f_ij(x_j, t) + noise with f_ij(x, t) = Σ_{f,b} c_fb s_f(x) ψ_b(t), splines s times functions
//! of time ψ. s(i, P) = L + (g + √(2g) ln n) · |parents|, g functions each: a group of g functions gains g by
//! chance alone, and more by about √(2g). L and the term for the shape of the noise are those of the linear
//! score ([`super::linear`]).

mod features;
mod held_out;
mod local_score;
mod splines;
pub(crate) mod sweep;

use std::ops::Range;

use faer::Mat;

pub(crate) use features::Features;
pub(crate) use local_score::{Fit, Scratch};

use super::linear::noise;
use super::linear::variance::VarianceCurves;
use crate::design::Columns;
use crate::moments::TimeBasis;
use crate::run::Cancel;

/// Rows that a coefficient has, at least.
const ROWS_PER_COEFFICIENT: f64 = 4.0;
/// Groups that a regression selects, at most.
const MOST_GROUPS: usize = 32;

/// The data of one search: features, their moments, and what a group costs.
#[derive(Debug)]
pub(crate) struct AdditiveScore {
    /// The rows.
    pub columns: Columns,
    /// How effects move.
    pub basis: TimeBasis,
    /// What effects are made of.
    pub features: Features,
    /// Inner products of features and targets.
    gram: Mat<f64>,
    bins: Vec<Range<usize>>,
    curves: VarianceCurves,
    non_gaussian: bool,
    cancel: Cancel,
}

impl AdditiveScore {
    /// Features and moments of the columns, with so many functions of each.
    pub fn new(
        columns: Columns,
        basis: TimeBasis,
        functions: usize,
        non_gaussian: bool,
        cancel: &Cancel,
    ) -> Self {
        let features = Features::of(&columns, &basis, functions);
        let gram = features.gram(columns.rows());
        let bins = noise::bins(&columns);
        let curves = VarianceCurves::new(&columns, &bins);
        Self { columns, basis, features, gram, bins, curves, non_gaussian, cancel: cancel.clone() }
    }

    /// g + √(2g) ln n: what the group of a column costs.
    fn penalty(&self, column: usize) -> f64 {
        let size = self.features.groups[column].len() as f64;
        size + (2.0 * size).sqrt() * self.columns.rows().ln()
    }
}
