//! One edge of the graph, in the data's units.

use super::Ordered;
use super::on_basis::OnBasis;
use super::refit::{Path, Weight};
use crate::basis::Basis;
use crate::graph::{Band, Bounds, Edge, Presence, Tests, Trajectory};
use crate::inference;
use crate::inference::listing::{Data, Equation};
use crate::movement::Told;

/// An edge with its weight, band and tests.
pub(super) fn edge(
    method: &Ordered,
    before: &[usize],
    data: &Data<'_>,
    equation: &Equation,
    weight: &Weight,
    basis: &Basis,
) -> Edge {
    let (columns, steps) = (data.columns, basis.steps());
    let d = columns.variables();
    let (from, to) = (weight.column % d, equation.to);
    let unit = columns.scale()[to] / columns.scale()[from];
    let place = equation.selected.iter().position(|c| *c == weight.column);
    let (p, q) = place.and_then(|at| equation.tests.get(at)).copied().unwrap_or((1.0, 1.0));
    let tests = Tests { absent: Some(p), absent_adjusted: Some(q), ..Tests::default() };
    let trajectory = Trajectory::Constant(0.0);
    let mut edge = Edge::new(before[from], before[to], weight.column / d, trajectory, steps);
    edge.tests = Some(tests);
    match &weight.path {
        Path::Basis(path) => along_basis(method, data, path, unit, basis, &mut edge),
        Path::Average(told) => averaged(method, told, unit, basis, &mut edge),
    }
    edge
}

/// A weight that moves along the graph's basis.
fn along_basis(
    method: &Ordered,
    data: &Data<'_>,
    path: &OnBasis,
    unit: f64,
    basis: &Basis,
    edge: &mut Edge,
) {
    let scaled = |c: &[f64]| data.basis.to_basis(c).iter().map(|c| c * unit).collect();
    edge.trajectory = Trajectory::Coefficients(scaled(&path.coefficients));
    let Some(spread) = &path.spread else { return };
    let covariance = data.basis.covariance_to_basis(&spread.covariance);
    let bounds = Bounds::Gaussian {
        centre: scaled(&spread.centre),
        covariance: covariance.iter().map(|v| v * unit * unit).collect(),
        reach: inference::pointwise(method.level, spread.freedom),
        simultaneous: inference::simultaneous(method.level, spread.centre.len(), spread.freedom),
    };
    edge.band = Some(Band { level: method.level, bounds });
    let still = inference::wald_p(&spread.centre, &spread.covariance, 1, spread.freedom);
    let certain = Presence::when(basis.steps(), |t| is_certain(method, edge, basis, t));
    if let Some(tests) = &mut edge.tests {
        tests.certain = Some(certain);
        tests.unchanging = Some(still);
    }
}

/// A weight that is an average over models.
fn averaged(method: &Ordered, told: &Told, unit: f64, basis: &Basis, edge: &mut Edge) {
    let steps = basis.steps();
    let mixture = told.mixture.clone().times(unit).rounded();
    let probes = mixture.probes();
    // Where models that are 0 hold the median, there is no edge.
    let there = Presence::probed(steps, &probes, |t| mixture.median(t) != 0.0);
    if !there.is_empty() {
        edge.presence = there;
    }
    edge.motion = Some(told.motion.clone());
    edge.trajectory = Trajectory::Mixture(mixture);
    let unchanging = Some(told.unchanging);
    let mut certain = None;
    if let Some(path) = told.whole_path {
        let least = path.least * unit.abs();
        let bounds = Bounds::Quantiles { simultaneous: path.factor, least };
        edge.band = Some(Band { level: method.level, bounds });
        certain = Some(Presence::probed(steps, &probes, |t| is_certain(method, edge, basis, t)));
    }
    if let Some(tests) = &mut edge.tests {
        tests.unchanging = unchanging;
        tests.certain = certain;
    }
}

/// Whether the band that holds the whole path leaves out weights up to the threshold.
fn is_certain(method: &Ordered, edge: &Edge, basis: &Basis, step: usize) -> bool {
    let bounds = edge.simultaneous_bounds(basis, step);
    bounds.is_some_and(|(low, high)| low > method.threshold || high < -method.threshold)
}
