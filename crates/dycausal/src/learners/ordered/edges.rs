//! One edge of the graph, in the data's units.

use super::Ordered;
use super::on_basis::OnBasis;
use super::refit::{Path, Weight};
use crate::basis::Basis;
use crate::graph::{Band, Bounds, Edge, Presence, Tests, Trajectory};
use crate::inference;
use crate::inference::equation::Equation;
use crate::moments::TimeBasis;
use crate::movement::{Told, whole_path};

/// What brings numbers of the search back to those of the data.
#[derive(Debug)]
pub(super) struct Units {
    /// The number of each variable in the panel.
    pub before: Vec<usize>,
    /// The standard deviation of each variable.
    pub scale: Vec<f64>,
    /// The basis of the weights, as regressions have it.
    pub inner: TimeBasis,
}

/// An edge with its weight, band and tests.
pub(super) fn edge(
    method: &Ordered,
    units: &Units,
    equation: &Equation,
    weight: Weight,
    basis: &Basis,
    seed: u64,
) -> Edge {
    let Units { before, scale, inner } = units;
    let (d, steps) = (scale.len(), basis.steps());
    let (from, to) = (weight.column % d, equation.to);
    let unit = scale[to] / scale[from];
    let place = equation.selected.iter().position(|c| *c == weight.column);
    let (p, q) = place.and_then(|at| equation.tests.get(at)).copied().unwrap_or((1.0, 1.0));
    let tests = Tests { absent: Some(p), absent_adjusted: Some(q), ..Tests::default() };
    let trajectory = Trajectory::Constant(0.0);
    let mut edge = Edge::new(before[from], before[to], weight.column / d, trajectory, steps);
    edge.tests = Some(tests);
    match weight.path {
        Path::Basis(path) => along_basis(method, inner, &path, unit, basis, &mut edge),
        Path::Average(told) => averaged(method, *told, unit, steps, seed, &mut edge),
    }
    // What the score selected is listed whatever becomes of it, where nothing is tested.
    let stays = method.alpha >= 1.0 && edge.presence.is_empty();
    if stays || equation.required.contains(&weight.column) {
        edge.presence = Presence::always(steps);
    }
    edge
}

/// A weight that moves along the graph's basis.
fn along_basis(
    method: &Ordered,
    inner: &TimeBasis,
    path: &OnBasis,
    unit: f64,
    basis: &Basis,
    edge: &mut Edge,
) {
    let scaled = |c: &[f64]| inner.to_basis(c).iter().map(|c| c * unit).collect();
    edge.trajectory = Trajectory::Coefficients(scaled(&path.coefficients));
    let Some(spread) = &path.spread else { return };
    let covariance = inner.covariance_to_basis(&spread.covariance);
    let bounds = Bounds::Gaussian {
        centre: scaled(&spread.centre),
        covariance: covariance.iter().map(|v| v * unit * unit).collect(),
        reach: inference::pointwise(method.level, spread.freedom),
        simultaneous: inference::simultaneous(method.level, spread.centre.len(), spread.freedom),
    };
    edge.band = Some(Band { level: method.level, bounds });
    let still = inference::wald_p(&spread.centre, &spread.covariance, 1, spread.freedom);
    let is_certain = |step: usize| {
        let bounds = edge.simultaneous_bounds(basis, step);
        bounds.is_some_and(|(low, high)| low > method.threshold || high < -method.threshold)
    };
    let certain = Presence::when(basis.steps(), is_certain);
    if let Some(tests) = &mut edge.tests {
        tests.certain = Some(certain);
        tests.unchanging = Some(still);
    }
}

/// A weight that is an average over models.
fn averaged(method: &Ordered, told: Told, unit: f64, steps: usize, seed: u64, edge: &mut Edge) {
    let mixture = told.mixture.times(unit).rounded(told.digits);
    let probes = mixture.probes();
    let known: Vec<(usize, (f64, f64, f64))> =
        probes.iter().map(|step| (*step, mixture.interval(*step, method.level))).collect();
    let at = |step: usize| match known.binary_search_by_key(&step, |known| known.0) {
        Ok(index) => known[index].1,
        Err(_) => mixture.interval(step, method.level),
    };
    mixture.remember(method.level, &known);
    // Where models that are 0 hold the median, there is no edge.
    let there = Presence::probed(steps, &probes, |step| at(step).1 != 0.0);
    edge.presence = there;
    edge.motion = Some(told.motion);
    let mut certain = None;
    if method.bands {
        let path = whole_path(&mixture, &known, method.level, seed);
        let bounds =
            Bounds::Quantiles { simultaneous: path.factor, least: path.least, within: path.within };
        let is_certain = |step: usize| {
            let (low, high) = path.at(step, steps, at);
            low > method.threshold || high < -method.threshold
        };
        certain = Some(Presence::probed(steps, &probes, is_certain));
        edge.band = Some(Band { level: method.level, bounds });
    }
    edge.trajectory = Trajectory::Mixture(mixture);
    if let Some(tests) = &mut edge.tests {
        tests.unchanging = Some(told.unchanging);
        tests.certain = certain;
    }
}
