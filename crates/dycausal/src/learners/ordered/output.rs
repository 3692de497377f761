//! What was learned, as a graph in the data's units.

use std::collections::HashMap;

use super::Ordered;
use super::pipeline::{Given, Labels, Learned, Outcome};
use super::refit::refit;
use crate::error::Result;
use crate::graph::{Band, DynamicGraph, Edge, Mark, Presence, Tests, Trajectory, sort_or_cycle};
use crate::inference::{self, nested};
use crate::method::Run;
use crate::moments::TimeBasis;
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::scores::linear::shrink::Fit;
use crate::search;

/// Dense regressions of more coefficients than this are not made.
const MOST_REGRESSORS: usize = 6000;

/// The selected regressors as edges, with bands and tests where they are asked for.
pub(super) fn graph(
    method: &Ordered,
    labels: Labels<'_>,
    outcome: &Outcome,
    run: &mut Run,
) -> Result<DynamicGraph> {
    let score = &outcome.score;
    let (d, size) = (score.variables(), score.basis.size());
    let scale = score.columns.scale();
    let steps = labels.steps();
    let mut edges = Vec::new();
    for (to, fit) in outcome.learned.fits.iter().enumerate() {
        for (group, column) in fit.selected.iter().enumerate() {
            let (lag, from) = (column / d, column % d);
            let inner = &fit.coefficients[group * size..(group + 1) * size];
            let unit = scale[to] / scale[from];
            let coefficients = score.basis.to_basis(inner).iter().map(|c| c * unit).collect();
            let open = lag == 0 && outcome.undirected.contains(&(from, to));
            let mark = if open { Mark::Undirected } else { Mark::Directed };
            edges.push(Edge {
                mark,
                support: outcome
                    .support
                    .get(&(*column, to))
                    .copied()
                    .or((method.resamples > 0).then_some(0.0)),
                ..Edge::new(from, to, lag, Trajectory::Coefficients(coefficients), steps)
            });
        }
    }
    if method.bands {
        run.stage("bands", None);
        add_bands(method, outcome, &mut edges, steps, run)?;
    }
    for edge in &mut edges {
        (edge.from, edge.to) = (outcome.before[edge.from], outcome.before[edge.to]);
    }
    let names = labels.names.to_vec();
    DynamicGraph::new(names, labels.times.clone(), method.lag, outcome.basis.clone(), edges)
}

/// Gives every edge its band and tests from the dense regressions with one more basis function.
fn add_bands(
    method: &Ordered,
    outcome: &Outcome,
    edges: &mut [Edge],
    steps: usize,
    run: &mut Run,
) -> Result<()> {
    let columns = &outcome.score.columns;
    let more = (outcome.basis.size() + 1).min(columns.steps());
    let basis = method.basis.basis(more, steps, method.lag)?;
    let inner = TimeBasis::new(&basis, columns)?;
    let needed = nested::regressors(columns, inner.size());
    let spare = columns.rows() - columns.intercept() as f64 - needed as f64;
    if needed > MOST_REGRESSORS || spare < 0.1 * columns.rows() {
        run.warn(format!(
            "no bands: they need regressions on all {needed} coefficients at once, for which there are {} rows and a limit of {MOST_REGRESSORS}; fewer variables, lags or basis functions would do",
            columns.rows()
        ));
        return Ok(());
    }
    let order = &outcome.learned.state.order;
    let found = run.parallel(|| nested::estimates(columns, &inner, order, |_, _| true));
    let estimates = match found {
        Ok(estimates) => estimates,
        Err(error) => {
            run.warn(format!("no bands: {error}"));
            return Ok(());
        }
    };
    let absent: Vec<f64> = estimates.iter().map(|e| inference::wald(e, 0)).collect();
    let adjusted = inference::adjusted(&absent);
    let index: HashMap<(usize, usize), usize> =
        estimates.iter().enumerate().map(|(k, e)| ((e.column, e.to), k)).collect();
    let d = columns.variables();
    let mut unchanging = Vec::with_capacity(edges.len());
    for edge in edges.iter_mut() {
        let Some(k) = index.get(&(edge.lag * d + edge.from, edge.to)) else { continue };
        let estimate = &estimates[*k];
        unchanging.push(inference::wald(estimate, 1));
        let unit = columns.scale()[edge.to] / columns.scale()[edge.from];
        let path = inference::path(estimate, inner.values());
        // Steps before the first row hold its band.
        let at = |t: usize| {
            let (weight, error) = path[t.max(method.lag) - method.lag];
            (weight * unit, error * unit)
        };
        let narrow = inference::pointwise(method.level, estimate.freedom);
        let wide = inference::simultaneous(method.level, inner.size(), estimate.freedom);
        edge.band = Some(Band {
            level: method.level,
            low: (0..steps).map(|t| at(t).0 - narrow * at(t).1).collect(),
            high: (0..steps).map(|t| at(t).0 + narrow * at(t).1).collect(),
        });
        let certain = |t: usize| at(t).0.abs() - wide * at(t).1 > method.threshold;
        edge.tests = Some(Tests {
            absent: Some(absent[*k]),
            absent_adjusted: Some(adjusted[*k]),
            unchanging: unchanging.last().copied(),
            unchanging_adjusted: None,
            certain: Some(Presence::when(steps, certain)),
        });
    }
    let adjusted = inference::adjusted(&unchanging);
    let tests = edges.iter_mut().filter_map(|edge| edge.tests.as_mut());
    tests.zip(adjusted).for_each(|(tests, q)| tests.unchanging_adjusted = Some(q));
    Ok(())
}

/// The graph of an order that changes, if it does.
pub(super) fn changed_orders(
    method: &Ordered,
    labels: Labels<'_>,
    score: &LinearScore,
    learned: &Learned,
    before: &[usize],
    given: &Given,
    run: &mut Run,
) -> Result<Option<DynamicGraph>> {
    let changes = method.order_changes.number();
    let tree = search::cut(score, learned, changes, given, run)?;
    if let Some(asked) = changes.filter(|asked| tree.cuts() < *asked) {
        run.warn(format!(
            "{} of {asked} changes of order: what is left between them has too few rows for more",
            tree.cuts()
        ));
    }
    if tree.cuts() == 0 {
        return Ok(None);
    }
    let mut paths = Paths::new(labels.steps(), score.variables());
    let mut fits: HashMap<usize, Vec<Fit>> = HashMap::new();
    for v in 0..score.variables() {
        for piece in tree.pieces(v) {
            let fits = fits.entry(piece).or_insert_with(|| {
                let mut fits = tree.learned(piece).fits.clone();
                refit(tree.score(piece), None, &mut fits);
                fits
            });
            paths.add(tree.score(piece), v, &fits[v], tree.steps(piece), method.lag);
        }
    }
    if changes.is_none() && paths.one_order() {
        return Ok(None);
    }
    let label = |start: usize| labels.times.label(start + method.lag);
    let at: Vec<String> = tree.changes().into_iter().map(label).collect();
    run.warn(format!(
        "the causal order changes at {}; bands and tests are not given for orders that change",
        at.join(", ")
    ));
    let basis = crate::basis::Basis::constant(labels.steps())?;
    let edges = paths.edges(before);
    let names = labels.names.to_vec();
    DynamicGraph::new(names, labels.times.clone(), method.lag, basis, edges).map(Some)
}

/// Weights by step of edges that come and go.
struct Paths {
    steps: usize,
    variables: usize,
    known: HashMap<(usize, usize), Vec<Option<f64>>>,
}

impl Paths {
    fn new(steps: usize, variables: usize) -> Self {
        let known = HashMap::new();
        Self { steps, variables, known }
    }

    fn add(
        &mut self,
        score: &LinearScore,
        to: usize,
        fit: &Fit,
        steps: std::ops::Range<usize>,
        lag: usize,
    ) {
        let size = score.basis.size();
        let psi = score.basis.values();
        let scale = score.columns.scale();
        for (group, column) in fit.selected.iter().enumerate() {
            let unit = scale[to] / scale[column % self.variables];
            let c = &fit.coefficients[group * size..(group + 1) * size];
            let weight = |t: usize| unit * (0..size).map(|b| psi[[t, b]] * c[b]).sum::<f64>();
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
                let weights = path.iter().map(|w| w.unwrap_or(0.0)).collect();
                Edge {
                    presence,
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
