//! The stages of a run, from panel to graph.

use std::collections::{HashMap, HashSet};

use super::basis_size;
use super::engine::{self, Learned};
use super::forward::LARGEST_BASIS;
use super::problem::Problem;
use super::refit::refit;
use super::scratch::Pool;
use super::state::Scorer;
use super::undirected::undirected;
use super::{Ordered, output, stability};
use crate::basis::Basis;
use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::method::Run;
use crate::moments::{Columns, TimeBasis};
use crate::panel::{Panel, TimeIndex};

/// The size that the search for a basis begins with.
const FIRST_SIZE: usize = 4;
/// How often the basis may be changed.
const CHANGES: usize = 3;

/// What was learned, before it is a graph. Variables are numbered as in the sorted columns.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The data.
    pub problem: Problem,
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
    let pool = Pool::default();
    let (columns, before) = run.parallel(|| columns.sorted());
    warn_of_few_rows(&columns, run);
    let size = method.basis_size.number().unwrap_or(FIRST_SIZE);
    let (basis, problem) = prepared(method, columns, size, labels.steps(), run)?;
    run.stage("order", None);
    let learned = engine::learn(&problem, None, &pool, run)?;
    let (basis, problem, learned) = if method.basis_size.number().is_none() {
        sized(method, (basis, problem, learned), labels.steps(), &pool, run)?
    } else {
        (basis, problem, learned)
    };
    if method.order_changes.number() != Some(0) {
        run.stage("order changes", None);
        let changed =
            output::changed_orders(method, labels, &problem, &learned, &before, &pool, run)?;
        if let Some(graph) = changed {
            return Ok(graph);
        }
    }
    finish(method, labels, basis, problem, learned, before, &pool, run)
}

#[allow(clippy::too_many_arguments)] // one call; the parts have nothing else in common
fn finish(
    method: &Ordered,
    labels: Labels<'_>,
    basis: Basis,
    problem: Problem,
    mut learned: Learned,
    before: Vec<usize>,
    pool: &Pool,
    run: &mut Run,
) -> Result<DynamicGraph> {
    run.stage("directions", None);
    let undirected = run.parallel(|| {
        let mut scorer = Scorer::new(&problem, &learned.candidates, pool);
        undirected(&mut scorer, &learned.state, &learned.fits)
    });
    if !undirected.is_empty() {
        run.warn(format!(
            "{} instantaneous edge(s) could as well point the other way: the data do not tell (`undirected`)",
            undirected.len()
        ));
    }
    run.stage("weights", None);
    run.parallel(|| refit(&problem, Some(&basis), &mut learned.fits));
    let mut support = HashMap::new();
    if method.resamples > 0 {
        run.stage("resamples", Some(method.resamples as u64));
        let shared = &*run;
        support =
            stability::support(&problem, method.resamples, &learned.state.order, pool, shared)?;
    }
    let outcome = Outcome { problem, basis, before, learned, undirected, support };
    output::graph(method, labels, &outcome, run)
}

/// The moments on a basis of so many functions.
fn prepared(
    method: &Ordered,
    columns: Columns,
    size: usize,
    steps: usize,
    run: &Run,
) -> Result<(Basis, Problem)> {
    let basis = method.basis.basis(size, steps, method.lag)?;
    let inner = TimeBasis::new(&basis, &columns)?;
    Ok((basis, run.parallel(|| Problem::new(columns, inner, method.non_gaussian))))
}

/// What was learned on a basis.
type Fitted = (Basis, Problem, Learned);

/// Searches again with the size of basis that the score prefers, until it prefers no other.
fn sized(
    method: &Ordered,
    mut fitted: Fitted,
    steps: usize,
    pool: &Pool,
    run: &mut Run,
) -> Result<Fitted> {
    for _ in 0..CHANGES {
        run.stage("basis size", None);
        let best = run.parallel(|| preferred(method, &fitted.1, &fitted.2, steps))?;
        if best == fitted.0.size() {
            break;
        }
        fitted = again(method, &fitted, best, steps, pool, run)?;
    }
    Ok(fitted)
}

/// Searches with another size of basis, from the order that was found.
fn again(
    method: &Ordered,
    fitted: &Fitted,
    size: usize,
    steps: usize,
    pool: &Pool,
    run: &mut Run,
) -> Result<Fitted> {
    run.stage("order again", None);
    let columns = fitted.1.columns.clone();
    let (basis, problem) = prepared(method, columns, size, steps, run)?;
    let learned = engine::learn(&problem, Some(&fitted.2.state.order), pool, run)?;
    Ok((basis, problem, learned))
}

/// The size with the best score; growing as long as the largest tried is best.
fn preferred(
    method: &Ordered,
    problem: &Problem,
    learned: &Learned,
    steps: usize,
) -> Result<usize> {
    let most = LARGEST_BASIS.min(problem.columns.steps());
    let mut reach = problem.basis.size() + 2;
    loop {
        let bases = (1..=reach.min(most))
            .map(|size| {
                TimeBasis::new(&method.basis.basis(size, steps, method.lag)?, &problem.columns)
            })
            .collect::<Result<Vec<_>>>()?;
        let scores = basis_size::scores(problem, &learned.fits, &bases);
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
