//! What every method finds on data that stay, beside its version.
//!
//! Experiments keep finished cells by the version of their method. So whoever changes what a method finds has to
//! raise its `VERSION`, and this notices if that was forgotten. To write down anew what a raised version finds:
//! `DYCAUSAL_PIN=write cargo test -p dycausal-lab --test versions`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::Path;

use dycausal::{Run, find};
use dycausal_lab::simulate::{Dynamics, Model, Simulation};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What was found: edges by name, with their mean weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pinned {
    version: u32,
    edges: BTreeMap<String, f64>,
}

/// How far a weight may be from what was written down: other processors round sums otherwise.
const TOLERANCE: f64 = 0.03;

/// Name, method and parameters; every method that ships once, and the published one in its ways.
fn fits() -> Vec<(String, &'static str, Map<String, Value>)> {
    let few = json!({ "iterations": 60, "stages": 2, "spacing": 6, "lag": 1, "threshold": 0.05 });
    let ways = [
        ("convolution", json!({})),
        ("free", json!({ "encoder": "free", "acyclic": "union", "penalty": "group" })),
        ("paper", json!({ "preset": "paper" })),
        ("mlp", json!({ "model": "mlp", "units": 3, "importance": "derivative" })),
        ("ode", json!({ "model": "ode", "units": 3 })),
        ("ode paper", json!({ "model": "ode", "units": 3, "preset": "paper" })),
    ];
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for method in dycausal_baselines::all_methods() {
        if method.name == "dycausal" {
            for (way, set) in &ways {
                let mut parameters = object(&few);
                parameters.extend(object(set));
                all.push((format!("dycausal ({way})"), method.name, parameters));
            }
        } else {
            all.push((method.name.to_owned(), method.name, Map::new()));
        }
    }
    all
}

fn found(method: &str, parameters: &Map<String, Value>) -> Pinned {
    let simulation = Simulation {
        model: Model::Linear,
        variables: 4,
        series: 40,
        steps: 24,
        density: 1.0,
        dynamics: Dynamics::Full,
        ..Simulation::default()
    };
    let drawn = simulation.draw(3).unwrap();
    let methods = dycausal_baselines::all_methods();
    let method = find(&methods, method).unwrap();
    let (learner, _) = method.build(parameters).unwrap();
    let graph = learner.discover(&drawn.panel, &mut Run::new(5)).unwrap();
    let names = graph.names();
    let edges = graph.edges().iter().map(|edge| {
        let name = format!("{} -> {} at {}", names[edge.from], names[edge.to], edge.lag);
        let sum: f64 = (0..graph.steps()).map(|t| edge.trajectory.value(graph.basis(), t)).sum();
        (name, sum / graph.steps() as f64)
    });
    Pinned { version: method.version, edges: edges.collect() }
}

/// Whether two findings are the same but for rounding; edges close to nothing may come and go.
fn same(now: &Pinned, before: &Pinned) -> bool {
    let names = now.edges.keys().chain(before.edges.keys());
    names.into_iter().all(|name| {
        let weight = |pinned: &Pinned| pinned.edges.get(name).copied();
        match (weight(now), weight(before)) {
            (Some(a), Some(b)) => (a - b).abs() < TOLERANCE * (1.0 + b.abs()),
            (one, other) => one.or(other).unwrap_or(0.0).abs() < 2.0 * TOLERANCE,
        }
    })
}

#[test]
fn what_a_method_finds_changes_only_with_its_version() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/versions.json");
    let now: BTreeMap<String, Pinned> = fits()
        .into_iter()
        .map(|(name, method, parameters)| (name, found(method, &parameters)))
        .collect();
    if std::env::var("DYCAUSAL_PIN").is_ok_and(|word| word == "write") {
        std::fs::write(&path, serde_json::to_string_pretty(&now).unwrap() + "\n").unwrap();
        return;
    }
    let before: BTreeMap<String, Pinned> =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for (name, now) in &now {
        let before = before.get(name).unwrap_or_else(|| panic!("{name}: not written down yet"));
        assert_eq!(now.version, before.version, "{name}: write down what this version finds");
        assert!(
            same(now, before),
            "{name} finds something else: raise its VERSION, and write it down\n{now:?}\n{before:?}"
        );
    }
    assert!(before.keys().all(|name| now.contains_key(name)), "a method that is no longer there");
}
