//! The answer: which variable causes which, how much, how much later, and when.

mod certificate;
mod changing;
mod check;
mod compact;
mod compare;
mod dense;
mod edge;
mod effect;
mod given;
mod knots;
mod mark;
pub mod orientation;
mod presence;
mod prune;
mod rank;
mod ranking;
mod regimes;
mod strength;
pub mod table;

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use certificate::Certificate;
pub use compare::Difference;
pub use edge::{Band, Bounds, Edge, Tests, Trajectory};
pub use effect::{Effect, EffectCurve};
pub use given::Given;
pub use knots::{Knots, spaced};
pub use mark::Mark;
pub use presence::Presence;
pub use prune::Repair;
pub use ranking::{Ranking, Sources};
pub use regimes::Regime;

use crate::basis::Basis;
use crate::design::{Missing, MissingCells, Preparation};
use crate::error::{Error, Result};
use crate::knowledge::Knowledge;
use crate::panel::{Panel, TimeIndex};
use crate::prepare::Prepared;

/// Edges (from, to, lag) between named variables, each with a weight that moves in time.
///
/// Memory grows with the number of edges. Order everywhere: time, lag, from, to; cause first.
///
/// ```
/// use dycausal::graph::{DynamicGraph, Edge, Trajectory};
/// use dycausal::{Basis, TimeIndex};
///
/// let names = vec!["rain".to_owned(), "river".to_owned()];
/// let rises = Edge::new(0, 1, 1, Trajectory::Steps(vec![0.1, 0.5, 0.9]), 3);
/// let graph = DynamicGraph::new(names, TimeIndex::Steps(3), 1, Basis::constant(3)?, vec![rises])?;
/// assert_eq!(graph.weight(2, 1, 0, 1), 0.9);
/// assert!(graph.certify().is_acyclic());
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct DynamicGraph {
    names: Vec<String>,
    times: TimeIndex,
    lag: usize,
    basis: Basis,
    edges: Vec<Edge>,
    scale: Option<Vec<f64>>,
    preparation: Option<Preparation>,
    known: Option<PriorStatements>,
    prepared: Option<Prepared>,
    /// Not in the file of the graph: it grows with the square of the variables.
    ranking: Option<Arc<Ranking>>,
}

/// What the user said before the graph was learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PriorStatements {
    /// Where it was written.
    pub source: String,
    /// What was said.
    pub statements: Vec<String>,
}

impl DynamicGraph {
    /// A graph of these edges; edges that are never there are left out.
    ///
    /// # Errors
    /// If an edge names a variable or lag that is not there, stands twice, is a variable's
    /// instantaneous effect on itself, or has numbers that are not finite or not as many as the
    /// basis or the steps ask for.
    pub fn new(
        names: Vec<String>,
        times: TimeIndex,
        lag: usize,
        basis: Basis,
        mut edges: Vec<Edge>,
    ) -> Result<Self> {
        if basis.steps() != times.len() {
            let expected = format!("{}, the number of times", times.len());
            return Err(Error::shape("steps of the basis", basis.steps(), expected));
        }
        let mut seen = HashSet::new();
        for edge in &edges {
            check::edge(edge, names.len(), lag, &basis)?;
            if !seen.insert((edge.lag, edge.from, edge.to)) {
                return Err(Error::shape("edge", check::label(edge), "each edge once"));
            }
        }
        edges.retain(|edge| !edge.presence.is_empty());
        edges.sort_by_key(|edge| (edge.lag, edge.from, edge.to));
        Ok(Self {
            names,
            times,
            lag,
            basis,
            edges,
            scale: None,
            preparation: None,
            known: None,
            prepared: None,
            ranking: None,
        })
    }

    /// The variables' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The time of each step.
    pub fn times(&self) -> &TimeIndex {
        &self.times
    }

    /// The longest lag looked at.
    pub fn lag(&self) -> usize {
        self.lag
    }

    /// What coefficients of trajectories refer to.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The edges, by lag, cause and effect.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.names.len()
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.times.len()
    }

    /// The edges within a step.
    pub fn instantaneous(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|edge| edge.lag == 0)
    }

    /// The edge from one variable to another at a lag, if there is one.
    pub fn edge(&self, lag: usize, from: usize, to: usize) -> Option<&Edge> {
        let key = |edge: &Edge| (edge.lag, edge.from, edge.to);
        let found = self.edges.binary_search_by_key(&(lag, from, to), key);
        found.ok().map(|index| &self.edges[index])
    }

    /// The weight at a step; 0 where there is no edge.
    pub fn weight(&self, step: usize, lag: usize, from: usize, to: usize) -> f64 {
        self.edge(lag, from, to).map_or(0.0, |edge| edge.weight(&self.basis, step))
    }

    /// The edges that are there at a step, with their weights then.
    pub fn at(&self, step: usize) -> Vec<(&Edge, f64)> {
        let here = self.edges.iter().filter(|edge| edge.presence.contains(step));
        here.map(|edge| (edge, edge.trajectory.value(&self.basis, step))).collect()
    }

    /// What was taken out of the data before the graph was learned, where the method tells.
    pub fn preparation(&self) -> Option<&Preparation> {
        self.preparation.as_ref()
    }

    /// The same graph, telling what was taken out of the data.
    pub fn with_preparation(self, preparation: Preparation) -> Self {
        Self { preparation: Some(preparation), ..self }
    }

    /// The same graph, telling what was done about the missing cells of a panel of which nothing was taken out; for
    /// what checks or draws it.
    pub fn with_missing(self, panel: &Panel, how: Missing) -> Self {
        match MissingCells::of(panel, how) {
            None => self,
            missing => self.with_preparation(Preparation { missing, ..Preparation::plain(panel) }),
        }
    }

    /// What the user had done to the columns before, where anything was.
    pub fn prepared(&self) -> Option<&Prepared> {
        self.prepared.as_ref()
    }

    /// The same graph, telling what was done to the columns before.
    ///
    /// # Errors
    /// If the record is of another number of columns.
    pub fn with_prepared(self, prepared: Prepared) -> Result<Self> {
        if prepared.columns.len() != self.variables() {
            let expected = format!("{}, one per variable", self.variables());
            return Err(Error::shape(
                "columns that were prepared",
                prepared.columns.len(),
                expected,
            ));
        }
        Ok(Self { prepared: Some(prepared), ..self })
    }

    /// A statistic for every possible edge, listed or not, where the method gives one.
    pub fn ranking(&self) -> Option<&Ranking> {
        self.ranking.as_deref()
    }

    /// The same graph with a statistic for every possible edge.
    ///
    /// # Errors
    /// If the ranking is of other variables or lags.
    pub fn with_ranking(self, ranking: Ranking) -> Result<Self> {
        let found = (ranking.variables(), ranking.lag());
        if found != (self.variables(), self.lag) {
            let found = format!("{} variables and lag {}", found.0, found.1);
            let expected = format!("{} and {}", self.variables(), self.lag);
            return Err(Error::shape("ranking", found, expected));
        }
        Ok(Self { ranking: Some(Arc::new(ranking)), ..self })
    }

    /// The weight of an edge at a step in the units that the columns had before they were prepared;
    /// None where nothing was done that changes units, or a column has no fixed unit any more.
    pub fn original_weight(&self, edge: &Edge, step: usize) -> Option<f64> {
        self.in_original_units(edge, edge.weight(&self.basis, step))
    }

    /// A weight of an edge in the units of before.
    fn in_original_units(&self, edge: &Edge, weight: f64) -> Option<f64> {
        let prepared = self.prepared.as_ref().filter(|prepared| prepared.rescales())?;
        Some(weight * prepared.unit(edge.from, edge.to)?)
    }

    /// What was known before it was learned, where anything was.
    pub fn known(&self) -> Option<&PriorStatements> {
        self.known.as_ref()
    }

    /// The same graph, telling what was known before.
    pub(crate) fn with_knowledge(self, knowledge: &Knowledge) -> Self {
        let (source, statements) = (knowledge.source().into(), knowledge.statements().to_vec());
        Self { known: Some(PriorStatements { source, statements }), ..self }
    }

    /// The same graph with other edges.
    ///
    /// # Errors
    /// As [`DynamicGraph::new`].
    pub fn with_edges(&self, edges: Vec<Edge>) -> Result<Self> {
        let (names, times) = (self.names.clone(), self.times.clone());
        let graph = Self::new(names, times, self.lag, self.basis.clone(), edges)?;
        let preparation = self.preparation.clone();
        let (scale, known) = (self.scale.clone(), self.known.clone());
        let (prepared, ranking) = (self.prepared.clone(), self.ranking.clone());
        Ok(Self { scale, preparation, known, prepared, ranking, ..graph })
    }
}

/// The longest lag of a graph that is read from a file.
const LONGEST_LAG: usize = 100_000;

/// What a graph is in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    variables: Vec<String>,
    lag: usize,
    times: TimeIndex,
    basis: Basis,
    edges: Vec<Edge>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scale: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preparation: Option<Preparation>,
    #[serde(default, rename = "knowledge", skip_serializing_if = "Option::is_none")]
    known: Option<PriorStatements>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prepared: Option<Prepared>,
}

impl From<DynamicGraph> for Plain {
    fn from(graph: DynamicGraph) -> Self {
        let DynamicGraph {
            names,
            times,
            lag,
            basis,
            edges,
            scale,
            preparation,
            known,
            prepared,
            ..
        } = graph;
        Self { variables: names, lag, times, basis, edges, scale, preparation, known, prepared }
    }
}

impl TryFrom<Plain> for DynamicGraph {
    type Error = Error;

    fn try_from(plain: Plain) -> Result<Self> {
        let Plain { variables, lag, times, basis, edges, scale, preparation, known, prepared } =
            plain;
        if lag > LONGEST_LAG {
            return Err(Error::parameter("lag", lag, format!("at most {LONGEST_LAG}")));
        }
        if let Some(preparation) = &preparation {
            preparation.check_read(variables.len(), times.len())?;
        }
        let graph = Self { preparation, known, ..Self::new(variables, times, lag, basis, edges)? };
        let graph = match prepared {
            Some(prepared) => graph.with_prepared(prepared)?,
            None => graph,
        };
        match scale {
            Some(scale) => graph.with_scale(scale),
            None => Ok(graph),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::basis::Shape;

    fn graph(edges: Vec<Edge>) -> Result<DynamicGraph> {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let basis = Basis::new(Shape::Legendre { size: 2 }, 6, 1)?;
        DynamicGraph::new(names, TimeIndex::Steps(6), 1, basis, edges)
    }

    fn steady(from: usize, to: usize, lag: usize) -> Edge {
        Edge::new(from, to, lag, Trajectory::Constant(1.0), 6)
    }

    #[test]
    fn impossible_edges_are_refused() {
        assert!(graph(vec![steady(0, 3, 0)]).is_err());
        assert!(graph(vec![steady(0, 1, 2)]).is_err());
        assert!(graph(vec![steady(0, 0, 0)]).is_err());
        assert!(graph(vec![steady(0, 1, 0), steady(0, 1, 0)]).is_err());
        for numbers in [vec![1.0], vec![f64::NAN, 0.0]] {
            let edge = Edge::new(0, 1, 0, Trajectory::Coefficients(numbers), 6);
            assert!(graph(vec![edge]).is_err());
        }
        for share in [-0.1, 1.1, f64::NAN] {
            assert!(graph(vec![Edge { confidence: Some(share), ..steady(0, 1, 0) }]).is_err());
        }
        assert!(graph(vec![steady(0, 0, 1)]).is_ok());
    }

    #[test]
    fn an_order_that_changes_is_acyclic_but_has_no_single_order() {
        let early = Edge { presence: Presence::when(6, |t| t < 3), ..steady(0, 1, 0) };
        let late = Edge { presence: Presence::when(6, |t| t >= 3), ..steady(1, 0, 0) };
        let turning = graph(vec![early.clone(), late]).unwrap();
        assert_eq!(turning.certify(), Certificate::Acyclic { steps: 6, order: None });
        let both = graph(vec![early, steady(1, 0, 0)]).unwrap();
        assert!(matches!(both.certify(), Certificate::Cyclic { step: 0, .. }));
    }

    fn any_edge() -> impl Strategy<Value = Edge> {
        let weights = prop::collection::vec(-1e6..1e6f64, 6);
        let mask = prop::collection::vec(any::<bool>(), 6);
        (0..3usize, 0..3usize, weights, mask, any::<bool>()).prop_map(
            |(from, to, w, there, band)| {
                let bounds = Bounds::Steps { low: w.clone(), high: w.clone() };
                let band = band.then_some(Band { level: 0.95, bounds });
                let presence = Presence::when(6, |t| there[t]);
                Edge { presence, band, ..Edge::new(from, to, 1, Trajectory::Steps(w), 6) }
            },
        )
    }

    proptest! {
        #[test]
        fn a_graph_comes_back_from_json_with_the_same_bits(edges in prop::collection::vec(any_edge(), 0..4)) {
            let mut seen = HashSet::new();
            let edges = edges.into_iter().filter(|e| seen.insert((e.from, e.to))).collect();
            let graph = graph(edges).unwrap();
            let text = serde_json::to_string(&graph).unwrap();
            prop_assert_eq!(serde_json::from_str::<DynamicGraph>(&text).unwrap(), graph);
        }
    }
}
