//! Scores equal scikit-learn's; `scripts/check_scores.py` made the golden values.

// Helpers of tests may fail loudly too; clippy knows only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use dycausal::{DynamicGraph, TimeIndex};
use dycausal_lab::metrics::{Options, PartScores, Score, score};
use ndarray::Array4;
use serde_json::Value;

fn graph(weights: &Value) -> DynamicGraph {
    let nested: Vec<Vec<Vec<Vec<f64>>>> = serde_json::from_value(weights.clone()).unwrap();
    let shape = (nested.len(), nested[0].len(), nested[0][0].len(), nested[0][0].len());
    let flat = nested.into_iter().flatten().flatten().flatten().collect();
    let weights = Array4::from_shape_vec(shape, flat).unwrap();
    let names = (0..shape.2).map(|v| format!("x{v}")).collect();
    DynamicGraph::from_dense(names, TimeIndex::Steps(shape.0), weights.view()).unwrap()
}

fn compare(place: &str, found: &Score, expected: &Value) {
    let found = serde_json::to_value(found).unwrap();
    for (name, expected) in expected.as_object().unwrap() {
        let found = &found[name];
        let same = match (found.as_f64(), expected.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-12,
            (None, None) => found.is_null() && expected.is_null(),
            _ => false,
        };
        assert!(same, "{place}: {name} is {found}, scikit-learn says {expected}");
    }
}

fn compare_part(place: &str, found: &PartScores, expected: &Value) {
    compare(&format!("{place}, window"), &found.window, &expected["window"]);
    compare(&format!("{place}, summary"), &found.summary, &expected["summary"]);
    let steps = expected["steps"].as_array().unwrap();
    assert_eq!(found.steps.len(), steps.len());
    for (step, (found, expected)) in found.steps.iter().zip(steps).enumerate() {
        compare(&format!("{place}, step {step}"), found, expected);
    }
}

#[test]
fn scores_equal_those_of_scikit_learn() {
    let text = match std::env::var("DYCAUSAL_SCORES") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => include_str!("golden/scores.json").to_owned(),
    };
    let golden: Value = serde_json::from_str(&text).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() >= 7);
    for (number, case) in cases.iter().enumerate() {
        let options = Options {
            threshold: case["threshold"].as_f64().unwrap(),
            diagonal: case["diagonal"].as_bool().unwrap(),
        };
        let scores = score(&graph(&case["truth"]), &graph(&case["estimate"]), options).unwrap();
        let parts = &case["parts"];
        compare_part(&format!("case {number}, all"), &scores.all, &parts["all"]);
        let within = format!("case {number}, instantaneous");
        compare_part(&within, &scores.instantaneous, &parts["instantaneous"]);
        compare_part(&format!("case {number}, lagged"), &scores.lagged, &parts["lagged"]);
        let text = serde_json::to_string(&scores).unwrap();
        assert!(!text.contains("NaN"));
    }
}
