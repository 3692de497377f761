//! What every method is.

use serde::Serialize;

use super::run::Run;
use crate::design::{Missing, MissingCells};
use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::inspect;
use crate::panel::Panel;

/// What a method looks for, and what it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

    /// Checks parameters and data, learns a graph, and makes sure that it is what was promised.
    ///
    /// # Errors
    /// As [`Discover::check`], [`Panel::check_for_fit`] and [`Discover::learn`]; and if the graph
    /// has a cycle within a step, or an edge outside the method's scope.
    fn discover(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        self.check()?;
        panel.check_for_fit(self.lag())?;
        if panel.missing() > 0 && !self.scope().missing {
            let method = self.name().to_owned();
            return Err(Error::MissingNotSupported { method, missing: panel.missing() });
        }
        run.proceed()?;
        for warning in inspect::warnings(panel, self.lag(), self.missing())? {
            run.warn(warning);
        }
        if let Some(cells) = MissingCells::of(panel, self.missing()) {
            run.tell("missing", cells);
        }
        let graph = self.learn(panel, run)?;
        honours(self.name(), self.scope(), &graph)?;
        graph.with_finite_scale(panel.summaries().iter().map(|summary| summary.sd).collect())
    }
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
