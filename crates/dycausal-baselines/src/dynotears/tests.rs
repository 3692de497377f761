use serde_json::{Value, json};

use super::*;
use crate::golden::{LAG, set, whole};

fn solved(method: &Dynotears, panel: &Panel) -> lagrangian::Solution {
    let equations = Equations::of(panel, method.lag).unwrap();
    let free = method.free(panel, &equations, &Knowledge::default()).unwrap();
    lagrangian::solve(method, &equations, &free, &Run::new(0)).unwrap()
}

/// `scripts/golden_baselines.py dynotears` made the values, with the L-BFGS-B of scipy.
#[test]
fn the_objective_is_not_above_that_of_another_implementation() {
    let golden: Vec<Value> =
        serde_json::from_str(include_str!("../golden/dynotears.json")).unwrap();
    for entry in golden {
        let panel = Panel::unnamed(whole(set(&entry))).unwrap();
        let penalty = entry["penalty"].as_f64().unwrap();
        let method =
            Dynotears { lag: LAG, lambda_w: penalty, lambda_a: penalty, ..Dynotears::default() };
        let found = solved(&method, &panel);
        let theirs = entry["objective"].as_f64().unwrap();
        let what = format!("{}: {} {theirs}", entry["set"], found.objective);
        // Both leave an h of up to 1e-8, of which 1e-9 are worth some 1e-6 of the objective.
        assert!(found.objective <= theirs * (1.0 + 1e-5), "{what}");
        // An objective that is far below would be that of another problem.
        assert!(found.objective >= theirs * (1.0 - 0.02), "{what}");
        assert!(found.cyclicity <= method.tolerance, "{}", found.cyclicity);
    }
}

#[test]
fn tabu_edges_are_not_there_and_unknown_names_are_told() {
    let panel = Panel::unnamed(whole(1)).unwrap();
    let penalties =
        Dynotears { lag: LAG, lambda_w: 0.005, lambda_a: 0.005, ..Dynotears::default() };
    let graph = penalties.discover(&panel, &mut Run::new(0)).unwrap();
    let edge = graph.edges().iter().find(|edge| edge.lag == 0).unwrap();
    let name = |v: usize| panel.names()[v].clone();
    let tabu = vec![
        (name(edge.from), name(edge.to), 0),
        (name(edge.to), name(edge.from), 0),
        ("x1".to_owned(), "x1".to_owned(), 1),
    ];
    let held = Dynotears { tabu, ..penalties.clone() };
    let without = held.discover(&panel, &mut Run::new(0)).unwrap();
    assert!(without.edge(0, edge.from, edge.to).is_none());
    assert!(without.edge(0, edge.to, edge.from).is_none() && without.edge(1, 0, 0).is_none());
    assert!(graph.edge(1, 0, 0).is_some());
    let unknown = Dynotears { tabu: vec![("x1".into(), "nobody".into(), 1)], ..penalties };
    let told = unknown.discover(&panel, &mut Run::new(0)).unwrap_err().to_string();
    assert!(told.contains("nobody") && told.contains("tabu"), "{told}");
    let set = serde_json::Map::from_iter([("tabu".to_owned(), json!([["x1", "x2", 4]]))]);
    let told = dycausal::Method::of::<Dynotears>().build(&set).err().unwrap().to_string();
    assert!(told.contains("lag 4"), "{told}");
}
