//! Equations as a flow, with coefficients that only some rows tell.

use super::rows::{Rows, Window};
use super::system::{OneEquation, Setup};
use super::terms::Term;
use crate::basis::Basis;
use crate::learners::flow::Flow;
use crate::linear_algebra::symmetric_inverse;

/// What was learned.
pub(crate) struct Equations {
    pub(super) rows: Rows,
    pub(super) setup: Setup,
    pub(super) found: Vec<OneEquation>,
}

/// A term with the function of time it is multiplied by, and its coefficient.
type Part = (Term, usize, f64);

/// Equations with their coefficients, in units of standard deviations.
struct Followed<'a> {
    scale: &'a [f64],
    interval: f64,
    basis: &'a Basis,
    /// A constant and the terms of each variable.
    equations: Vec<(f64, Vec<Part>)>,
}

impl Equations {
    /// The flow of the equations with coefficients from the changes that are `seen`, by series and step.
    pub fn flow(&self, seen: &dyn Fn(usize, usize) -> bool) -> Box<dyn Flow + '_> {
        let chosen = |w: &Window| seen(w.series, w.step + 1);
        let kept: Vec<usize> =
            (0..self.rows.windows.len()).filter(|row| chosen(&self.rows.windows[*row])).collect();
        Box::new(Followed {
            scale: &self.rows.scale,
            interval: self.rows.interval,
            basis: &self.setup.basis,
            equations: self.found.iter().map(|one| self.coefficients(one, &kept)).collect(),
        })
    }

    /// Least squares on some rows.
    fn coefficients(&self, one: &OneEquation, kept: &[usize]) -> (f64, Vec<Part>) {
        let OneEquation { design, change, allowed, fitted, .. } = one;
        let size = fitted.terms.len() + 1;
        let entry = |row: usize, k: usize| {
            fitted.terms.get(k).map_or(1.0, |column| design.columns[*column][row])
        };
        let sum = |f: &dyn Fn(usize) -> f64| kept.iter().map(|row| f(*row)).sum::<f64>();
        let gram =
            (0..size * size).map(|e| sum(&|row| entry(row, e / size) * entry(row, e % size)));
        let cross: Vec<f64> = (0..size).map(|k| sum(&|row| entry(row, k) * change[row])).collect();
        let Some(inverse) = symmetric_inverse(gram.collect(), size) else {
            return (0.0, Vec::new());
        };
        let solved = |k: usize| (0..size).map(|l| inverse[k * size + l] * cross[l]).sum::<f64>();
        let mut constant = solved(size - 1) + self.mean_change(allowed.effect);
        let mut parts = Vec::with_capacity(size - 1);
        for (k, column) in fitted.terms.iter().enumerate() {
            let coefficient = solved(k) / design.lengths[*column];
            constant -= coefficient * design.means[*column];
            let moving = design.terms[*column];
            parts.push((moving.term, moving.function, coefficient));
        }
        (constant, parts)
    }

    /// What was taken out of the changes of a variable.
    pub(super) fn mean_change(&self, variable: usize) -> f64 {
        mean_change(&self.rows, variable)
    }
}

/// The mean of the changes of a variable.
pub(super) fn mean_change(rows: &Rows, variable: usize) -> f64 {
    let change = |w: &Window| {
        let at = |step: usize| rows.states[[w.series, step, variable]];
        (at(w.step + 1) - at(w.step)) / rows.interval
    };
    rows.windows.iter().map(change).sum::<f64>() / rows.windows.len().max(1) as f64
}

impl Flow for Followed<'_> {
    fn slope(&self, state: &[f64], step: usize, slope: &mut [f64]) {
        let x: Vec<f64> = state.iter().zip(self.scale).map(|(x, scale)| x / scale).collect();
        let along = self.basis.at(step);
        for (v, (constant, parts)) in self.equations.iter().enumerate() {
            let part = |(term, function, c): &Part| c * along[*function] * term.value(&x);
            let sum: f64 = parts.iter().map(part).sum();
            slope[v] = (constant + sum) * self.scale[v] * self.interval;
        }
    }
}
