use dycausal::{Discover, Panel, Run};
use serde_json::Value;

use super::*;
use crate::golden::{LAG, gap, numbers, set, whole};

/// `scripts/golden_baselines.py lingam` made the values.
#[test]
fn orders_and_weights_are_those_of_lingam() {
    let golden: Vec<Value> = serde_json::from_str(include_str!("../golden/lingam.json")).unwrap();
    for entry in golden {
        let panel = Panel::unnamed(whole(set(&entry))).unwrap();
        for (name, prune) in [("pruned", true), ("full", false)] {
            let criterion = if prune { Criterion::Bic } else { Criterion::None };
            let method = VarLingam { lag: LAG, prune, criterion, ..VarLingam::default() };
            let found = method.fit(&panel, &mut Run::new(0)).unwrap();
            let known = &entry[name];
            let order: Vec<usize> = serde_json::from_value(known["order"].clone()).unwrap();
            assert_eq!(found.order, order, "{} {name}", entry["set"]);
            let off = gap(&found.weights, &numbers(&known["weights"]));
            assert!(off < 1e-6, "{} {name}: {off:e}", entry["set"]);
        }
    }
}

#[test]
fn means_and_units_do_not_matter() {
    let plain = Panel::unnamed(whole(1)).unwrap();
    let mut values = whole(1);
    for mut row in values.rows_mut() {
        row[0] = 1000.0 * row[0] + 77.0;
        row[2] += 5.0;
    }
    let method = VarLingam { lag: LAG, ..VarLingam::default() };
    let one = method.discover(&plain, &mut Run::new(0)).unwrap();
    let other = method.discover(&Panel::unnamed(values).unwrap(), &mut Run::new(0)).unwrap();
    let places = |graph: &DynamicGraph| -> Vec<_> {
        graph.edges().iter().map(|e| (e.lag, e.from, e.to)).collect()
    };
    assert!(!one.edges().is_empty());
    assert_eq!(places(&one), places(&other));
}
