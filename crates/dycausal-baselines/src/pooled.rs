//! Any method as one whose graph stays.

use dycausal::graph::{Edge, Trajectory};
use dycausal::{
    Described, Discover, DynamicGraph, Error, Panel, PanelShape, Parameter, Result, Run, Scope,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::inner;

/// Fits another method to all rows and keeps one graph for all steps.
///
/// An edge that is there at more than half of the steps has its mean weight over these at every
/// step; the others are left out. For a method whose weights stay this changes nothing but that
/// tests and bands are not kept.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `inner` | ordered | the method | the name of any other |
/// | `inner_set` | none | its parameters | those of that method but `lag` |
/// | `lag` | 1 | longest lag | as that method has it |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pooled {
    /// The method.
    pub inner: String,
    /// Its parameters.
    pub inner_set: Map<String, Value>,
    /// Longest lag.
    pub lag: usize,
}

impl Default for Pooled {
    fn default() -> Self {
        Self { inner: "ordered".to_owned(), inner_set: Map::new(), lag: 1 }
    }
}

impl Described for Pooled {
    const SUMMARY: &'static str =
        "any other method (`inner`) on all rows, as one graph for all steps";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "inner", purpose: "the method", range: "the name of any other method" },
        Parameter {
            name: "inner_set",
            purpose: "its parameters",
            range: "a table of its parameters but `lag`",
        },
        Parameter { name: "lag", purpose: "longest lag", range: "as the inner method has it" },
    ];
}

impl Discover for Pooled {
    fn name(&self) -> &'static str {
        "pooled"
    }

    fn scope(&self) -> Scope {
        let inner = inner::build(&self.inner, &self.inner_set, self.lag);
        let (instantaneous, lagged) =
            inner.as_ref().map_or((true, true), |m| (m.scope().instantaneous, m.scope().lagged));
        let missing = inner.is_ok_and(|inner| inner.scope().missing);
        Scope {
            instantaneous,
            lagged,
            time_varying: false,
            inference: false,
            missing,
            knowledge: false,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        inner::build(&self.inner, &self.inner_set, self.lag).map_or(0, |inner| inner.memory(shape))
    }

    fn check(&self) -> Result<()> {
        inner::build(&self.inner, &self.inner_set, self.lag).map(|_| ())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let inner = inner::build(&self.inner, &self.inner_set, self.lag)?;
        let graph = inner.learn(panel, run)?;
        let steps = graph.steps();
        let often = graph.edges().iter().filter(|edge| 2 * edge.presence.count() > steps);
        let steady = often.map(|edge| Edge {
            mark: edge.mark,
            confidence: edge.confidence,
            ..Edge::new(
                edge.from,
                edge.to,
                edge.lag,
                Trajectory::Constant(edge.mean(graph.basis())),
                steps,
            )
        });
        // Two edges there at more than half of the steps have a step in common: no cycle is new
        // between two variables, but one may be among more.
        let pooled = graph.with_edges(steady.collect())?;
        let (pooled, repair) = pooled.break_cycles()?;
        if repair.edges > 0 {
            run.warn(format!(
                "{} edge(s) that closed a cycle over time were left out",
                repair.edges
            ));
        }
        if pooled.steps() != panel.steps() {
            return Err(Error::shape(
                "steps of the graph",
                pooled.steps(),
                panel.steps().to_string(),
            ));
        }
        Ok(pooled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::whole;

    #[test]
    fn weights_that_move_become_their_mean() {
        let panel = Panel::unnamed(whole(4)).unwrap();
        let pooled = Pooled { inner: "lagged-least-squares".into(), ..Pooled::default() };
        let graph = pooled.discover(&panel, &mut Run::new(0)).unwrap();
        assert!(!graph.edges().is_empty());
        assert!(graph.edges().iter().all(|e| matches!(e.trajectory, Trajectory::Constant(_))));
    }
}
