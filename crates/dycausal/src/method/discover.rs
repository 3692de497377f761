//! What every method is.

use serde::Serialize;

use super::answer;
use crate::design::{Missing, MissingCells};
use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::inspect;
use crate::panel::Panel;
use crate::run::Run;
use crate::run::facts::{CellCounts, StatedKnowledge};
use crate::run::memory::{PanelShape, bytes, what_fits};

/// What a method looks for, and what it gives: nothing that is not said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(clippy::struct_excessive_bools)]
pub struct Scope {
    /// Finds causes within a step (lag 0).
    pub instantaneous: bool,
    /// Finds causes from earlier steps.
    pub lagged: bool,
    /// Weights may move with time.
    pub time_varying: bool,
    /// Gives bands or p-values.
    pub inference: bool,
    /// Works with missing cells.
    pub missing: bool,
    /// Honours what is known of the graph ([`crate::Knowledge`]).
    pub knowledge: bool,
    /// Honours also what is known of a period alone.
    pub periods: bool,
}

/// A method that learns a [`DynamicGraph`] from a [`Panel`].
///
/// A method is its parameters: a plain struct, never changed by what it learns. Implementors write
/// [`Discover::learn`]; users call [`Discover::discover`], which checks parameters and data first
/// and the answer after.
pub trait Discover: Send + Sync {
    /// The method's name on the command line.
    fn name(&self) -> &'static str;

    /// What it looks for.
    fn scope(&self) -> Scope;

    /// What it does about missing cells, if it works with them.
    fn missing(&self) -> Missing {
        Missing::CompleteRows
    }

    /// The longest lag it looks at.
    fn lag(&self) -> usize;

    /// The longest lag that an edge can have; `None` where the data decide.
    fn longest_lag(&self) -> Option<usize> {
        Some(self.lag())
    }

    /// About how many bytes [`Discover::learn`] needs beside the panel: more than that are refused
    /// where the system does not have them.
    fn memory(&self, shape: PanelShape) -> u64 {
        bytes(4.0 * shape.values() + 8.0 * shape.columns(self.lag()).powi(2))
    }

    /// Whether the parameters make sense.
    ///
    /// # Errors
    /// Names the parameter, its value and what it has to be.
    fn check(&self) -> Result<()>;

    /// Learns a graph; parameters and data have been checked.
    ///
    /// # Errors
    /// If the data do not support an answer, the numbers fail, or the run is cancelled.
    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph>;

    /// Whether the method can take this data and what is known of its graph.
    ///
    /// # Errors
    /// If it cannot, or there is not enough memory.
    fn suits(&self, panel: &Panel, run: &mut Run) -> Result<()> {
        self.check()?;
        panel.check_for_fit(self.lag())?;
        has_room(self.name(), PanelShape::of(panel), run, |shape| self.memory(shape))?;
        if panel.missing() > 0 && !self.scope().missing {
            let method = self.name().to_owned();
            return Err(Error::MissingNotSupported { method, missing: panel.missing() });
        }
        can_honour(self.name(), self.scope(), self.longest_lag(), panel.variables(), run)
    }

    /// Checks parameters and data, learns a graph, and makes sure that it is what was promised.
    ///
    /// # Errors
    /// As [`Discover::check`], [`Panel::check_for_fit`] and [`Discover::learn`]; if there is not enough
    /// memory; and if the graph has a cycle within a step, an edge outside the method's scope, or one that is known not to be.
    fn discover(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        self.suits(panel, run)?;
        run.proceed()?;
        let warnings = run.parallel(|| inspect::warnings(panel, self.lag(), self.missing()))?;
        for warning in warnings {
            run.warn(warning);
        }
        if let Some(cells) = MissingCells::of(panel, self.missing()) {
            run.facts_mut().missing = Some(CellCounts {
                how: cells.how.word().to_owned(),
                missing: cells.missing,
                filled: cells.filled,
                rows_left_out: cells.rows_left_out,
            });
        }
        let graph = self.learn(panel, run)?;
        honours(self.name(), self.scope(), &graph)?;
        let graph = agreeing(self.name(), graph, run)?;
        graph.with_finite_scale(panel.summaries().iter().map(|summary| summary.sd).collect())
    }
}

/// Refuses data that a method has no memory for.
fn has_room(
    method: &str,
    shape: PanelShape,
    run: &Run,
    needed: impl Fn(PanelShape) -> u64,
) -> Result<()> {
    let needed = |shape| needed(shape).max(inspect::memory_of_warnings(shape));
    let Some(limit) = run.memory() else { return Ok(()) };
    let help = what_fits(shape, limit.bytes, needed);
    let PanelShape { series, steps, variables } = shape;
    let what =
        format!("method `{method}` on {variables} variables, {steps} steps, {series} series");
    run.afford(&what, needed(shape), help)
}

/// Refuses knowledge that a method cannot honour, and keeps a record of what it can.
pub(crate) fn can_honour(
    method: &str,
    scope: Scope,
    lag: Option<usize>,
    variables: usize,
    run: &mut Run,
) -> Result<()> {
    let known = run.knowledge();
    if known.is_empty() {
        return Ok(());
    }
    let refused = |what: &str| {
        let (method, source_name) = (method.to_owned(), known.source().to_owned());
        Err(Error::KnowledgeNotSupported { method, what: what.to_owned(), source_name })
    };
    if known.variables() != variables {
        let expected = format!("{variables}, as in the data");
        return Err(Error::shape("variables of the knowledge", known.variables(), expected));
    }
    if !scope.knowledge {
        return refused("what is known of the graph");
    }
    if known.has_periods() && !scope.periods {
        return refused("what is known of a period alone (`since`, `until`)");
    }
    let needs = |lagged: bool| known.required().iter().any(|edge| (edge.lag > 0) == lagged);
    if !scope.instantaneous && needs(false) {
        return refused("edges that are required within a step (lag 0)");
    }
    if !scope.lagged && needs(true) {
        return refused("edges that are required from earlier steps");
    }
    if let Some(lag) = lag.filter(|lag| known.longest_lag() > *lag) {
        let expected = format!("at least {}: an edge is required at that lag", known.longest_lag());
        return Err(Error::parameter("lag", lag, expected));
    }
    let (source, statements) = (known.source().to_owned(), known.statements().to_vec());
    run.facts_mut().knowledge = Some(StatedKnowledge { source, statements });
    Ok(())
}

/// The graph with what was given of it marked, if it agrees with what is known.
pub(crate) fn agreeing(method: &str, graph: DynamicGraph, run: &Run) -> Result<DynamicGraph> {
    answer::honours(method, run.knowledge(), &graph)?;
    answer::marked(run.knowledge(), graph)
}

/// Refuses a graph that its method did not promise: a defect of the method, never of the data.
fn honours(method: &str, scope: Scope, graph: &DynamicGraph) -> Result<()> {
    let broken = |what: String| Err(Error::numerical(method, what));
    for edge in graph.edges() {
        if (edge.lag == 0 && !scope.instantaneous) || (edge.lag > 0 && !scope.lagged) {
            return broken(format!("found an edge at lag {}, outside its scope", edge.lag));
        }
    }
    let certificate = graph.certify();
    if !certificate.is_acyclic() {
        return broken(format!("returned a cyclic graph: {certificate}"));
    }
    Ok(())
}
