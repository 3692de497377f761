//! The stages of a run, from panel to graph.

use super::{Ordered, basis_size, lag, output, series_effects};
use crate::basis::Basis;
use crate::design::{Columns, MissingCells, Preparation, Prepared, series_have_levels};
use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::inference::equation::Data;
use crate::moments::{TimeBasis, pairs};
use crate::panel::{Panel, TimeIndex};
use crate::run::memory::bytes;
use crate::run::{PanelShape, Run};
use crate::scores::LocalScore;
use crate::scores::linear::forward::LARGEST_BASIS;
use crate::scores::linear::{LinearScore, Source};
use crate::search::{self, Start};

/// What is known of the graph, and memory for the search.
pub(in crate::learners) type Given = search::Given<<LinearScore as LocalScore>::Scratch>;
/// An order, and the regression of each variable in it.
pub(in crate::learners) type Learned = search::Learned<LinearScore>;

/// The size that the search for a basis begins with.
pub(super) const FIRST_SIZE: usize = 4;
/// Candidates of a variable that are counted on.
const CANDIDATES: f64 = 64.0;
/// Bytes that a variable takes where moments come from the rows: of its candidates, and of its scores.
const FROM_ROWS: f64 = 40e3;
/// Columns that a look at all of them works on at once, on a few threads.
const AT_ONCE: f64 = 1024.0;
/// How often the basis may be changed.
const CHANGES: usize = 3;

/// What was learned on a basis. Variables are numbered as in the sorted columns.
#[derive(Debug)]
pub(in crate::learners) struct Fitted {
    /// How weights move.
    pub basis: Basis,
    /// The data.
    pub score: LinearScore,
    /// Order and regressions.
    pub learned: Learned,
    /// The number of each variable in the panel.
    pub before: Vec<usize>,
}

impl Fitted {
    /// What equations are tested on.
    pub fn data(&self) -> Data<'_> {
        Data {
            columns: &self.score.columns,
            basis: &self.score.basis,
            functions: self.score.basis.size(),
            position: &self.learned.state.position,
            cancel: &self.score.cancel,
        }
    }

    /// The order in the panel's numbers.
    pub fn order(&self) -> Vec<usize> {
        self.learned.state.order.iter().map(|v| self.before[*v]).collect()
    }
}

/// What the variables and steps of the graph are called.
#[derive(Debug, Clone, Copy)]
pub(in crate::learners) struct Labels<'a> {
    /// The variables.
    pub names: &'a [String],
    /// The steps.
    pub times: &'a TimeIndex,
}

impl<'a> Labels<'a> {
    /// Those of a panel.
    pub fn of(panel: &'a Panel) -> Self {
        Self { names: panel.names(), times: panel.times() }
    }

    /// How many steps.
    pub fn steps(&self) -> usize {
        self.times.len()
    }
}

/// Runs all stages on the rows of a panel.
pub(super) fn learn(method: &Ordered, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
    let (fitted, preparation) = fitted(method, panel, run)?;
    finish(method, Labels::of(panel), fitted, preparation, run)
}

/// One order for all steps of a panel with its regressions, and what was taken out of the data.
pub(in crate::learners) fn fitted(
    method: &Ordered,
    panel: &Panel,
    run: &mut Run,
) -> Result<(Fitted, Preparation)> {
    let labels = Labels::of(panel);
    run.stage("preparation", None);
    let mut preparation =
        run.parallel(|| Preparation::found(panel, method.season, method.breaks, run.cancel()))?;
    preparation.missing = MissingCells::of(panel, method.missing);
    preparation.levels = method.series_effects.levels() == Some(true) && panel.series() > 1;
    let prepare = |preparation: &Preparation, run: &Run| {
        run.parallel(|| Prepared::of(panel, preparation, &|| run.proceed()))
    };
    let mut data = prepare(&preparation, run)?;
    if method.series_effects.levels().is_none() && run.parallel(|| series_have_levels(&data)) {
        preparation.levels = true;
        data = prepare(&preparation, run)?;
    }
    let first = method.lag.value().unwrap_or(1.max(run.knowledge().longest_lag()));
    let columns = run.parallel(|| data.columns(first))?;
    // Who asks for no other lag holds the values once.
    let data = method.lag.value().is_none().then_some(data);
    warn_of_few_rows(&columns, run);
    let mut fitted = fit(method, columns, labels, None, run)?;
    if let Some(data) = data {
        let prepared = |lag: usize| data.columns(lag);
        run.stage("lag", None);
        let curve = run.parallel(|| lag::choose(method, &fitted, &prepared, panel, run))?;
        let chosen = curve.chosen;
        run.facts_mut().lag = Some(curve);
        if chosen != first {
            let columns = run.parallel(|| prepared(chosen))?;
            fitted = fit(method, columns, labels, Some(&fitted), run)?;
        }
    }
    run.stage("series effects", None);
    let lag = fitted.score.columns.lag();
    for _ in 0..2 {
        let effects = run.parallel(|| series_effects::found(method, &fitted, &preparation, panel));
        run.proceed()?;
        let Some(changed) = effects else { break };
        preparation = changed;
        let columns = prepare(&preparation, run)?.columns(lag)?;
        fitted = fit(method, columns, labels, Some(&fitted), run)?;
    }
    run.facts_mut().taken_out = Some(preparation.words(panel.names()));
    Ok((fitted, preparation))
}

/// Runs all stages on columns as they are.
pub(super) fn learn_columns(
    method: &Ordered,
    columns: Columns,
    labels: Labels<'_>,
    run: &mut Run,
) -> Result<DynamicGraph> {
    warn_of_few_rows(&columns, run);
    let fitted = fit(method, columns, labels, None, run)?;
    finish(method, labels, fitted, Preparation::default(), run)
}

/// The graph of what was learned: tests, directions, weights.
pub(in crate::learners) fn finish(
    method: &Ordered,
    labels: Labels<'_>,
    fitted: Fitted,
    preparation: Preparation,
    run: &mut Run,
) -> Result<DynamicGraph> {
    let given = Given::new(run.knowledge().renumbered(&fitted.before));
    output::graph(method, labels, fitted, preparation, &given, run)
}

/// Searches on columns, near an order that is known or from nothing, and chooses the basis.
fn fit(
    method: &Ordered,
    columns: Columns,
    labels: Labels<'_>,
    near: Option<&Fitted>,
    run: &mut Run,
) -> Result<Fitted> {
    let (columns, before) = run.parallel(|| columns.sorted());
    let given = Given::new(run.knowledge().renumbered(&before));
    let first = near.map_or(FIRST_SIZE, |fitted| fitted.basis.size());
    let size = method.basis_size.value().unwrap_or(first);
    let order = near.map(|fitted| {
        let mut now = vec![0; before.len()];
        before.iter().enumerate().for_each(|(new, old)| now[*old] = new);
        fitted.order().into_iter().map(|v| now[v]).collect::<Vec<usize>>()
    });
    let near = order.as_deref().map_or(Start::Anywhere, Start::Near);
    let whole = columns.well_observed();
    let order = match whole {
        Some(whole) => {
            let numbers = before.clone();
            let found = searched(method, whole, numbers, size, labels.steps(), near, &given, run)?;
            Some(found.learned.state.order)
        }
        None => None,
    };
    let start = order.as_deref().map_or(near, Start::Known);
    let columns = columns.by_information();
    let mut fitted = searched(method, columns, before, size, labels.steps(), start, &given, run)?;
    if method.basis_size.value().is_some() {
        return Ok(fitted);
    }
    for _ in 0..CHANGES {
        run.stage("basis size", None);
        let best = run.parallel(|| preferred(method, &fitted, labels.steps()))?;
        if best == fitted.basis.size() {
            break;
        }
        let Fitted { score, learned, before, .. } = fitted;
        let found = &learned.state.order[..];
        let start = if order.is_some() { Start::Known(found) } else { Start::Near(found) };
        fitted = searched(method, score.columns, before, best, labels.steps(), start, &given, run)?;
    }
    Ok(fitted)
}

/// Bytes of the moments of a search, those of the tiles that they are put together from included,
/// and of what every variable has of its candidates; where they come from the rows, of what looks at all
/// columns need.
pub(super) fn moments(shape: PanelShape, lag: usize, size: usize) -> f64 {
    let (columns, products) = (shape.columns(lag), pairs(size) as f64);
    if Source::is_rows(columns, size) {
        return FROM_ROWS * shape.variables as f64 + AT_ONCE * 8.0 * shape.rows();
    }
    let candidates = columns.min(CANDIDATES);
    let per_variable = shape.variables as f64 * candidates * candidates;
    8.0 * products * (1.5 * columns * columns + per_variable)
}

/// Searches with one size of basis.
#[allow(clippy::too_many_arguments)] // two calls; the parts have nothing else in common
fn searched(
    method: &Ordered,
    columns: Columns,
    before: Vec<usize>,
    size: usize,
    steps: usize,
    start: Start<'_>,
    given: &Given,
    run: &mut Run,
) -> Result<Fitted> {
    run.stage("moments", None);
    let made = |size: usize| {
        let basis = method.movement.family().basis(size, steps, columns.lag())?;
        TimeBasis::new(&basis, &columns).map(|inner| (basis, inner))
    };
    // Where the size is free, one that the rows can carry.
    let free = method.basis_size.value().is_none();
    let fewer = || (1..size).rev().filter(|_| free).find_map(|size| made(size).ok());
    let (basis, inner) = made(size).or_else(|reason| fewer().ok_or(reason))?;
    let shape = PanelShape {
        series: columns.series(),
        steps: columns.all_steps(),
        variables: columns.variables(),
    };
    let needed = bytes(moments(shape, columns.lag(), inner.size()));
    let what = format!("a basis of {} functions", inner.size());
    run.afford(&what, needed, "set a smaller `basis_size`, or leave variables out")?;
    let score =
        run.parallel(|| LinearScore::new(columns, inner, method.non_gaussian, run.cancel()))?;
    run.proceed()?;
    run.stage("order", None);
    let learned = search::learn(&score, start, given, run)?;
    Ok(Fitted { basis, score, learned, before })
}

/// The size with the best score; growing as long as the largest tried is best.
fn preferred(method: &Ordered, fitted: &Fitted, steps: usize) -> Result<usize> {
    let columns = &fitted.score.columns;
    let most = LARGEST_BASIS.min(columns.steps());
    let mut reach = fitted.basis.size() + 2;
    loop {
        // Steps without rows tell fewer functions apart than there are steps.
        let basis = |size| TimeBasis::for_size(method.movement.family(), size, steps, columns);
        let bases: Vec<TimeBasis> =
            (1..=reach.min(most)).map_while(|size| basis(size).ok()).collect();
        let most = if bases.len() < reach.min(most) { bases.len() } else { most };
        let scores = basis_size::scores(&fitted.score, &fitted.learned.fits, &bases)?;
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
            "{rows} rows for {size} possible causes of each variable: weak edges are missed, and where rows are too few for a test an edge is not listed"
        ));
    }
}
