//! The graph of an order that changes: stretches of time, each with its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::courses::Courses;
use super::cut::cut;
use crate::basis::Basis;
use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::inference::equation::{Data, Equation};
use crate::learners::ordered::Ordered;
use crate::learners::ordered::listed::list;
use crate::learners::ordered::pipeline::{Fitted, Given, Labels, Learned};
use crate::learners::ordered::refit::{averages, equation};
use crate::movement::Mixture;
use crate::run::Run;
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;

/// The weights of an equation, each by its column.
type Mixtures = Vec<(usize, Mixture)>;

/// The graph of an order that changes so often, or as often as it pays; `None` where it does not.
pub(super) fn graph(
    changes: Option<usize>,
    method: &Ordered,
    labels: Labels<'_>,
    fitted: &Fitted,
    given: &Given,
    run: &mut Run,
) -> Result<Option<DynamicGraph>> {
    let (score, lag) = (&fitted.score, fitted.score.columns.lag());
    let tree = cut(score, &fitted.learned, changes, given, run)?;
    if let Some(asked) = changes.filter(|asked| tree.cuts() < *asked) {
        run.warn(format!(
            "{} of {asked} changes of order: what is left between them has too few rows for more",
            tree.cuts()
        ));
    }
    if tree.cuts() == 0 {
        return Ok(None);
    }
    let mut courses = Courses::new(labels.steps(), score.variables(), method.level);
    let mut known: HashMap<usize, Vec<Mixtures>> = HashMap::new();
    for v in 0..score.variables() {
        for piece in tree.pieces(v) {
            let weights =
                match known.entry(piece) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(run.parallel(|| {
                        listed(method, tree.score(piece), tree.learned(piece), given)
                    })?),
                };
            courses.add(tree.score(piece), v, &weights[v], tree.steps(piece), lag);
        }
    }
    if changes.is_none() && courses.one_order() {
        return Ok(None);
    }
    let label = |start: usize| labels.times.label(start + lag);
    let at: Vec<String> = tree.changes().into_iter().map(label).collect();
    run.warn(format!(
        "the causal order changes at {}; tests are not given for orders that change",
        at.join(", ")
    ));
    let basis = Basis::constant(labels.steps())?;
    let edges = courses.edges(&fitted.before);
    let names = labels.names.to_vec();
    DynamicGraph::new(names, labels.times.clone(), lag, basis, edges).map(Some)
}

/// The edges of a stretch of time that stand up to their tests, with their weights.
fn listed(
    method: &Ordered,
    score: &LinearScore,
    learned: &Learned,
    given: &Given,
) -> Result<Vec<Mixtures>> {
    let (columns, basis) = (&score.columns, &score.basis);
    let position = &learned.state.position;
    let data = Data { columns, basis, functions: basis.size(), position, cancel: &score.cancel };
    let fits = learned.fits.iter().enumerate();
    let mut equations: Vec<Equation> =
        fits.map(|(to, fit)| equation(score, to, fit, &given.knowledge)).collect();
    list(&data, &mut equations, method.alpha)?;
    let one = |equation: &Equation| {
        data.cancel.proceed()?;
        Ok(averages(&data, equation, method.bands.then_some(method.level)))
    };
    equations.iter().map(one).collect()
}
