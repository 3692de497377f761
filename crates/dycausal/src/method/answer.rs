//! Whether a graph agrees with what is known, and what of it was given.

use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge, Given};
use crate::knowledge::Knowledge;
use crate::order::sort_or_cycle;

/// Refuses a graph that does not agree with what is known: a defect of the method, unless an edge
/// that has to be could not be estimated.
pub(crate) fn honours(method: &str, known: &Knowledge, graph: &DynamicGraph) -> Result<()> {
    if known.is_empty() {
        return Ok(());
    }
    let named = |from: usize, to: usize, lag: usize| {
        format!("`{}` → `{}` at lag {lag}", graph.names()[from], graph.names()[to])
    };
    let broken = |what: String| Err(Error::numerical(method, what));
    for edge in graph.edges() {
        let forbidden = |step: &usize| !known.allows_at(edge.from, edge.to, edge.lag, *step);
        if let Some(step) = edge.presence.steps().find(forbidden) {
            let edge = named(edge.from, edge.to, edge.lag);
            let time = graph.times().label(step);
            return broken(format!("found {edge} at {time}, which is forbidden"));
        }
    }
    for edge in known.required() {
        let found = graph.edge(edge.lag, edge.from, edge.to);
        let steps = edge.steps.clone().unwrap_or(0..0);
        if !found.is_some_and(|found| steps.clone().all(|step| found.presence.contains(step))) {
            let edge = named(edge.from, edge.to, edge.lag);
            return broken(format!(
                "{edge} is required and could not be estimated: rows are too few, or the cause says the same as others"
            ));
        }
    }
    let orders: Vec<(usize, usize)> = known.orders().collect();
    for step in graph.turning_steps() {
        let here = graph.instantaneous().filter(|edge| edge.presence.contains(step));
        let pairs: Vec<_> =
            here.map(|edge| (edge.from, edge.to)).chain(orders.iter().copied()).collect();
        if sort_or_cycle(graph.variables(), &pairs).is_err() {
            let time = graph.times().label(step);
            return broken(format!(
                "found effects at {time} that go against the order that is known"
            ));
        }
    }
    Ok(())
}

/// The graph with what was given of every edge.
pub(crate) fn marked(known: &Knowledge, graph: DynamicGraph) -> Result<DynamicGraph> {
    if known.is_empty() {
        return Ok(graph);
    }
    let given = |edge: &Edge| {
        if known.requires(edge.from, edge.to, edge.lag) {
            Given::Edge
        } else if edge.lag == 0 && !known.allows(edge.to, edge.from, 0) {
            Given::Direction
        } else {
            Given::Nothing
        }
    };
    let edges = graph.edges().iter().map(|edge| Edge { given: given(edge), ..edge.clone() });
    Ok(graph.with_edges(edges.collect())?.with_knowledge(known))
}
