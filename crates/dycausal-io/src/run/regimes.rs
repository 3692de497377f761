//! Changes that several edges make together, as a run tells them.

use dycausal::DynamicGraph;
use serde_json::{Map, Value, json};

/// What a graph itself tells of the run that found it: `regimes`, where there are any.
///
/// Each has the time of the change (`at`), the times it lies between (`low`, `high`), the edges as
/// [cause, effect, lag], and all of it in `words`.
pub(super) fn facts(graph: &DynamicGraph) -> Map<String, Value> {
    let label = |step: usize| graph.times().label(step);
    let edge = |number: &usize| {
        let edge = graph.edges().get(*number)?;
        Some(json!([graph.names()[edge.from], graph.names()[edge.to], edge.lag]))
    };
    let regimes: Vec<Value> = graph
        .regimes()
        .iter()
        .map(|regime| {
            json!({
                "at": label(regime.at),
                "low": label(regime.low),
                "high": label(regime.high),
                "edges": regime.edges.iter().filter_map(edge).collect::<Vec<_>>(),
                "words": regime.words(graph),
            })
        })
        .collect();
    let mut facts = Map::new();
    if !regimes.is_empty() {
        facts.insert("regimes".into(), regimes.into());
    }
    facts
}
