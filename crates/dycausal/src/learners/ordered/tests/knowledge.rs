//! What is known not to be is not found.

use super::simulated;
use crate::knowledge::Knowledge;
use crate::learners::ordered::Ordered;
use crate::method::Auto;
use crate::method::{Discover, Run};
use crate::panel::Panel;

fn graph(panel: &Panel, method: &Ordered, knowledge: Knowledge) -> crate::DynamicGraph {
    method.discover(panel, &mut Run::new(1).with_knowledge(knowledge)).unwrap()
}

#[test]
fn an_edge_that_cannot_be_is_not_found_and_others_are() {
    for d in [8, 18] {
        let (values, _) = simulated(d, 60, 30, 3);
        let panel = Panel::unnamed(values).unwrap();
        let method = Ordered { bands: false, ..Ordered::default() };
        let free = graph(&panel, &method, Knowledge::default());
        for lag in [0, 1] {
            let edge = free.edges().iter().find(|e| e.lag == lag).unwrap();
            let key = (edge.from, edge.to, lag);
            let held = graph(&panel, &method, Knowledge::forbidding(&[key], &[]));
            assert!(held.edge(lag, key.0, key.1).is_none());
            assert!(held.edges().len() + 3 > free.edges().len());
        }
    }
}

#[test]
fn an_order_that_cannot_be_is_not_found_though_the_data_prefer_it() {
    let (values, order) = simulated(8, 60, 30, 5);
    let panel = Panel::unnamed(values).unwrap();
    // The true order, forbidden from the first to the last: only its reverse is left.
    let pairs: Vec<(usize, usize)> =
        (0..8).flat_map(|late| (0..late).map(move |early| (early, late))).collect();
    let wrong: Vec<(usize, usize)> =
        pairs.iter().map(|(early, late)| (order[*early], order[*late])).collect();
    let turning = Ordered { order_changes: Auto::Auto, ..Ordered::default() };
    for method in [Ordered::default(), turning] {
        let held = graph(&panel, &method, Knowledge::forbidding(&[], &wrong));
        assert!(held.instantaneous().next().is_some());
        for edge in held.instantaneous() {
            assert!(
                !wrong.contains(&(edge.from, edge.to)) && edge.mark == crate::graph::Mark::Directed
            );
        }
    }
}
