//! Terms averaged over steps, as columns.

use ndarray::ArrayView1;

use super::rows::{Rows, centre};
use super::settings::Scheme;
use super::terms::Term;
use crate::basis::Basis;
use crate::linear_algebra::dot;

/// A term times a function of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moving {
    /// The term.
    pub term: Term,
    /// The number of the function; 0 is constant.
    pub function: usize,
}

/// Columns of mean 0 and length 1.
#[derive(Debug)]
pub(super) struct Design {
    /// What each column is.
    pub terms: Vec<Moving>,
    /// The columns.
    pub columns: Vec<Vec<f64>>,
    /// What each was divided by; 0 where it does not move.
    pub lengths: Vec<f64>,
    /// The mean of each before.
    pub means: Vec<f64>,
}

impl Design {
    /// The columns of some terms.
    pub fn of(rows: &Rows, terms: &[Term], scheme: Scheme, basis: &Basis) -> Self {
        let states = if scheme == Scheme::Smoothed { &rows.smoothed } else { &rows.states };
        let weights = scheme.weights();
        let mut design =
            Self { terms: Vec::new(), columns: Vec::new(), lengths: Vec::new(), means: Vec::new() };
        // One value per step and series, whatever the number of windows it is in.
        let (series, steps, _) = states.dim();
        let mut values = vec![0.0; series * steps];
        for term in terms {
            for (place, value) in values.iter_mut().enumerate() {
                let state: ArrayView1<'_, f64> =
                    states.slice(ndarray::s![place / steps, place % steps, ..]);
                *value = state.as_slice().map_or(f64::NAN, |state| term.value(state));
            }
            for function in 0..basis.size() {
                let row = |w: &super::rows::Window| {
                    let at = |k: usize| {
                        let step = w.step + k - 1;
                        weights[k] * values[w.series * steps + step] * basis.at(step)[function]
                    };
                    (0..4).filter(|k| weights[*k] != 0.0).map(at).sum::<f64>()
                };
                let column = rows.windows.iter().map(row).collect();
                design.push(Moving { term: *term, function }, column);
            }
        }
        design
    }

    /// One more column, as it is.
    pub fn push(&mut self, term: Moving, mut column: Vec<f64>) {
        let mean = centre(&mut column);
        let length = dot(&column, &column).sqrt();
        let moves = length.is_finite() && length > 1e-10 * (1.0 + mean.abs());
        let unit = if moves { 1.0 / length } else { 0.0 };
        for x in &mut column {
            *x = if moves { *x * unit } else { 0.0 };
        }
        self.terms.push(term);
        self.columns.push(column);
        self.lengths.push(if moves { length } else { 0.0 });
        self.means.push(if mean.is_finite() { mean } else { 0.0 });
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Which columns move.
    pub fn moving(&self) -> impl Iterator<Item = usize> {
        (0..self.terms.len()).filter(|k| self.lengths[*k] > 0.0)
    }
}
