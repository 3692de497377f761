//! The stages of a run, from panel to graph.

use std::collections::{HashMap, HashSet};

use super::refit::refit;
use super::undirected::undirected;
use super::{Ordered, basis_size, output, stability};
use crate::basis::Basis;
use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::method::Run;
use crate::moments::{Columns, TimeBasis};
use crate::panel::{Panel, TimeIndex};
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::scores::linear::forward::LARGEST_BASIS;
use crate::search::{self, Scorer};

/// What is known of the graph, and memory for the search.
pub(super) type Given = search::Given<<LinearScore as LocalScore>::Scratch>;
/// An order, and the regression of each variable in it.
pub(super) type Learned = search::Learned<LinearScore>;

/// The size that the search for a basis begins with.
const FIRST_SIZE: usize = 4;
/// How often the basis may be changed.
const CHANGES: usize = 3;

/// What was learned, before it is a graph. Variables are numbered as in the sorted columns.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The data.
    pub score: LinearScore,
    /// How weights move.
    pub basis: Basis,
    /// The number of each variable in the panel.
    pub before: Vec<usize>,
    /// Order and regressions.
    pub learned: Learned,
    /// Edges within the step without direction.
    pub undirected: HashSet<(usize, usize)>,
    /// Share of resamples with column → variable.
    pub support: HashMap<(usize, usize), f64>,
}

/// What the variables and steps of the graph are called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Labels<'a> {
    /// The variables.
    pub names: &'a [String],
    /// The steps.
    pub times: &'a TimeIndex,
}

impl Labels<'_> {
    /// How many steps.
    pub fn steps(&self) -> usize {
        self.times.len()
    }
}

/// Runs all stages on the rows of a panel.
pub(super) fn learn(method: &Ordered, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
    run.stage("moments", None);
    let columns = run.parallel(|| Columns::of(panel, method.lag))?;
    let labels = Labels { names: panel.names(), times: panel.times() };
    learn_columns(method, columns, labels, run)
}

/// Runs all stages on columns.
pub(super) fn learn_columns(
    method: &Ordered,
    columns: Columns,
    labels: Labels<'_>,
    run: &mut Run,
) -> Result<DynamicGraph> {
    let (columns, before) = run.parallel(|| columns.sorted());
    let given = Given::new(run.knowledge().renumbered(&before));
    warn_of_few_rows(&columns, run);
    let size = method.basis_size.number().unwrap_or(FIRST_SIZE);
    let (basis, score) = prepared(method, columns, size, labels.steps(), run)?;
    run.stage("order", None);
    let learned = search::learn(&score, None, &given, run)?;
    let (basis, score, learned) = if method.basis_size.number().is_none() {
        sized(method, (basis, score, learned), labels.steps(), &given, run)?
    } else {
        (basis, score, learned)
    };
    if method.order_changes.number() != Some(0) {
        run.stage("order changes", None);
        let changed =
            output::changed_orders(method, labels, &score, &learned, &before, &given, run)?;
        if let Some(graph) = changed {
            return Ok(graph);
        }
    }
    finish(method, labels, basis, score, learned, before, &given, run)
}

#[allow(clippy::too_many_arguments)] // one call; the parts have nothing else in common
fn finish(
    method: &Ordered,
    labels: Labels<'_>,
    basis: Basis,
    score: LinearScore,
    mut learned: Learned,
    before: Vec<usize>,
    given: &Given,
    run: &mut Run,
) -> Result<DynamicGraph> {
    run.stage("directions", None);
    let undirected = run.parallel(|| {
        let mut scorer = Scorer::new(&score, &learned.candidates, given);
        undirected(&mut scorer, &learned.state, &learned.fits)
    });
    if !undirected.is_empty() {
        run.warn(format!(
            "{} instantaneous edge(s) could as well point the other way: the data do not tell (`undirected`)",
            undirected.len()
        ));
    }
    run.stage("weights", None);
    run.parallel(|| refit(&score, Some(&basis), &mut learned.fits));
    let mut support = HashMap::new();
    if method.resamples > 0 {
        run.stage("resamples", Some(method.resamples as u64));
        let shared = &*run;
        support =
            stability::support(&score, method.resamples, &learned.state.order, given, shared)?;
    }
    let outcome = Outcome { score, basis, before, learned, undirected, support };
    output::graph(method, labels, &outcome, run)
}

/// The moments on a basis of so many functions.
fn prepared(
    method: &Ordered,
    columns: Columns,
    size: usize,
    steps: usize,
    run: &Run,
) -> Result<(Basis, LinearScore)> {
    let basis = method.basis.basis(size, steps, method.lag)?;
    let inner = TimeBasis::new(&basis, &columns)?;
    Ok((basis, run.parallel(|| LinearScore::new(columns, inner, method.non_gaussian))))
}

/// What was learned on a basis.
type Fitted = (Basis, LinearScore, Learned);

/// Searches again with the size of basis that the score prefers, until it prefers no other.
fn sized(
    method: &Ordered,
    mut fitted: Fitted,
    steps: usize,
    given: &Given,
    run: &mut Run,
) -> Result<Fitted> {
    for _ in 0..CHANGES {
        run.stage("basis size", None);
        let best = run.parallel(|| preferred(method, &fitted.1, &fitted.2, steps))?;
        if best == fitted.0.size() {
            break;
        }
        fitted = again(method, &fitted, best, steps, given, run)?;
    }
    Ok(fitted)
}

/// Searches with another size of basis, from the order that was found.
fn again(
    method: &Ordered,
    fitted: &Fitted,
    size: usize,
    steps: usize,
    given: &Given,
    run: &mut Run,
) -> Result<Fitted> {
    run.stage("order again", None);
    let columns = fitted.1.columns.clone();
    let (basis, score) = prepared(method, columns, size, steps, run)?;
    let learned = search::learn(&score, Some(&fitted.2.state.order), given, run)?;
    Ok((basis, score, learned))
}

/// The size with the best score; growing as long as the largest tried is best.
fn preferred(
    method: &Ordered,
    score: &LinearScore,
    learned: &Learned,
    steps: usize,
) -> Result<usize> {
    let most = LARGEST_BASIS.min(score.columns.steps());
    let mut reach = score.basis.size() + 2;
    loop {
        let bases = (1..=reach.min(most))
            .map(|size| {
                TimeBasis::new(&method.basis.basis(size, steps, method.lag)?, &score.columns)
            })
            .collect::<Result<Vec<_>>>()?;
        let scores = basis_size::scores(score, &learned.fits, &bases);
        let best = (0..scores.len()).min_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0);
        if best + 1 < bases.len() || bases.len() == most {
            return Ok(bases[best].size());
        }
        reach += 4;
    }
}

fn warn_of_few_rows(columns: &Columns, run: &mut Run) {
    let (rows, size) = (columns.rows(), columns.size());
    if rows < 10.0 * size as f64 {
        run.warn(format!(
            "{rows} rows for {size} possible regressors: regressions take no more coefficients than a third of the rows, so weak edges are missed"
        ));
    }
}
