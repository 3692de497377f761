//! The graph of an order that changes: stretches of time, each with its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use super::Ordered;
use super::pipeline::{Fitted, Given, Labels, Learned};
use super::refit::{Manner, Path, Weight, equation, weights};
use crate::basis::Basis;
use crate::error::Result;
use crate::graph::{Band, Bounds, DynamicGraph, Edge, Presence, Trajectory};
use crate::inference::listing::{Data, Equation, list};
use crate::movement::Masses;
use crate::order::sort_or_cycle;
use crate::run::Run;
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::search;

/// The graph of an order that changes, if it does.
pub(super) fn changed_orders(
    method: &Ordered,
    labels: Labels<'_>,
    fitted: &Fitted,
    given: &Given,
    run: &mut Run,
) -> Result<Option<DynamicGraph>> {
    let (score, lag) = (&fitted.score, fitted.score.columns.lag());
    let changes = method.order_changes.value();
    let tree = search::cut(score, &fitted.learned, changes, given, run)?;
    if let Some(asked) = changes.filter(|asked| tree.cuts() < *asked) {
        run.warn(format!(
            "{} of {asked} changes of order: what is left between them has too few rows for more",
            tree.cuts()
        ));
    }
    if tree.cuts() == 0 {
        return Ok(None);
    }
    let mut paths = Paths::new(labels.steps(), score.variables(), method.level);
    let mut known: HashMap<usize, Vec<Vec<Weight>>> = HashMap::new();
    for v in 0..score.variables() {
        for piece in tree.pieces(v) {
            let weights =
                match known.entry(piece) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(run.parallel(|| {
                        listed(method, tree.score(piece), tree.learned(piece), given)
                    })?),
                };
            paths.add(tree.score(piece), v, &weights[v], tree.steps(piece), lag);
        }
    }
    if changes.is_none() && paths.one_order() {
        return Ok(None);
    }
    let label = |start: usize| labels.times.label(start + lag);
    let at: Vec<String> = tree.changes().into_iter().map(label).collect();
    run.warn(format!(
        "the causal order changes at {}; tests are not given for orders that change",
        at.join(", ")
    ));
    let basis = Basis::constant(labels.steps())?;
    let edges = paths.edges(&fitted.before);
    let names = labels.names.to_vec();
    DynamicGraph::new(names, labels.times.clone(), lag, basis, edges).map(Some)
}

/// The edges of a stretch of time that stand up to their tests, with their weights.
fn listed(
    method: &Ordered,
    score: &LinearScore,
    learned: &Learned,
    given: &Given,
) -> Result<Vec<Vec<Weight>>> {
    let (columns, basis) = (&score.columns, &score.basis);
    let position = &learned.state.position;
    let data = Data { columns, basis, functions: basis.size(), position, cancel: &score.cancel };
    let fits = learned.fits.iter().enumerate();
    let mut equations: Vec<Equation> =
        fits.map(|(to, fit)| equation(score, to, fit, &given.knowledge)).collect();
    list(&data, &mut equations, method.alpha)?;
    let manner = Manner {
        movement: method.movement,
        basis: None,
        functions: basis.size(),
        level: method.bands.then_some(method.level),
        mend: None,
        masses: Masses::default(),
        brief: false,
    };
    let one = |equation: &Equation| {
        data.cancel.proceed()?;
        Ok(weights(&data, equation, None, manner).weights)
    };
    equations.iter().map(one).collect()
}

/// Weights by step of edges that come and go.
struct Paths {
    steps: usize,
    variables: usize,
    level: f64,
    known: HashMap<(usize, usize), Vec<Option<Known>>>,
}

/// A weight between its bounds; these are NaN where there is no band.
type Known = (f64, f64, f64);

impl Paths {
    fn new(steps: usize, variables: usize, level: f64) -> Self {
        let known = HashMap::new();
        Self { steps, variables, level, known }
    }

    fn add(
        &mut self,
        score: &LinearScore,
        to: usize,
        weights: &[Weight],
        steps: Range<usize>,
        lag: usize,
    ) {
        let psi = score.basis.values();
        let scale = score.columns.scale();
        for Weight { column, path: moves } in weights {
            let unit = scale[to] / scale[column % self.variables];
            let weight = |t: usize| {
                let (low, weight, high) = match moves {
                    Path::Basis(path) => path.interval(psi.row(t), self.level),
                    Path::Average(told) => told.mixture.interval(t + lag, self.level),
                };
                (unit * low, unit * weight, unit * high)
            };
            let path = self.known.entry((*column, to)).or_insert_with(|| vec![None; self.steps]);
            for t in steps.clone() {
                path[t + lag] = Some(weight(t));
            }
            if steps.start == 0 {
                path[..lag].fill(Some(weight(0)));
            }
        }
    }

    /// Whether one order would do for all steps: then weights change, but not the order.
    fn one_order(&self) -> bool {
        let d = self.variables;
        let within = self.known.keys().copied().filter(|(column, _)| *column < d);
        sort_or_cycle(d, &within.collect::<Vec<_>>()).is_ok()
    }

    fn edges(self, before: &[usize]) -> Vec<Edge> {
        let d = self.variables;
        self.known
            .into_iter()
            .map(|((column, to), path)| {
                let presence = Presence::when(self.steps, |t| path[t].is_some());
                let weights = path.iter().map(|known| known.map_or(0.0, |(_, w, _)| w)).collect();
                let bound = |which: fn(Known) -> f64| -> Vec<f64> {
                    path.iter().map(|known| known.map_or(f64::NAN, which)).collect()
                };
                let (low, high) = (bound(|known| known.0), bound(|known| known.2));
                let banded = low.iter().any(|bound| bound.is_finite());
                let band = Band { level: self.level, bounds: Bounds::Steps { low, high } };
                Edge {
                    presence,
                    band: banded.then_some(band),
                    ..Edge::new(
                        before[column % d],
                        before[to],
                        column / d,
                        Trajectory::Steps(weights),
                        self.steps,
                    )
                }
            })
            .collect()
    }
}
