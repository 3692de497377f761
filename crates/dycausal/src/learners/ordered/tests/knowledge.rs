//! What is known not to be is not found.

use super::simulated;
use crate::graph::{Given, Mark};
use crate::knowledge::Knowledge;
use crate::learners::Reordered;
use crate::learners::ordered::{Movement, Ordered};
use crate::method::Discover;
use crate::panel::Panel;
use crate::run::Auto;
use crate::run::Run;

fn graph(panel: &Panel, method: &dyn Discover, knowledge: Knowledge) -> crate::DynamicGraph {
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
            let held = graph(&panel, &method, Knowledge::forbidding(d, &[key], &[]));
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
    let methods: [&dyn Discover; 2] = [&Ordered::default(), &Reordered::default()];
    for method in methods {
        let held = graph(&panel, method, Knowledge::forbidding(8, &[], &wrong));
        assert!(held.instantaneous().next().is_some());
        for edge in held.instantaneous() {
            assert!(!wrong.contains(&(edge.from, edge.to)) && edge.mark == Mark::Directed);
        }
    }
}

#[test]
fn an_edge_that_has_to_be_is_listed_with_its_test_wherever_the_data_stand() {
    for d in [6, 18] {
        let (values, order) = simulated(d, 60, 30, 7);
        let panel = Panel::unnamed(values).unwrap();
        // Against the true order within a step, and at lags that are longer than any effect.
        let required =
            [(order[d - 1], order[0], 0), (order[0], order[d - 1], 3), (order[1], order[1], 2)];
        let turning = Reordered { changes: Auto::Value(1), ..Reordered::default() };
        let basis = Ordered { movement: Movement::Legendre, bands: false, ..Ordered::default() };
        // The search for changes takes long with many variables.
        let methods: [&dyn Discover; 3] = [&Ordered::default(), &basis, &turning];
        for method in methods.into_iter().take(if d < 10 { 3 } else { 1 }) {
            let held = graph(&panel, method, Knowledge::requiring(d, &required));
            assert!(held.lag() >= 3);
            for (from, to, lag) in required {
                let edge = held.edge(lag, from, to).unwrap();
                assert_eq!((edge.given, edge.mark), (Given::Edge, Mark::Directed));
                assert!(edge.presence.count() >= 20, "{:?}", edge.presence);
                if method.name() == "ordered" {
                    let p = edge.tests.as_ref().and_then(|tests| tests.absent).unwrap();
                    assert!((0.0..=1.0).contains(&p));
                }
            }
            let learned = held.edges().iter().filter(|edge| edge.given == Given::Nothing);
            assert!(learned.count() > d, "others are still learned");
        }
        let short = Ordered { lag: Auto::Value(2), ..Ordered::default() };
        let mut run = Run::new(1).with_knowledge(Knowledge::requiring(d, &required));
        let refused = short.discover(&panel, &mut run).unwrap_err();
        assert!(refused.to_string().contains("at least 3"), "{refused}");
    }
}

#[test]
fn two_required_copies_are_both_listed_and_neither_is_sure() {
    let (mut values, _) = simulated(4, 60, 30, 9);
    let copied = values.slice(ndarray::s![.., .., 0]).to_owned();
    values.slice_mut(ndarray::s![.., .., 1]).assign(&copied);
    let panel = Panel::unnamed(values).unwrap();
    let held = graph(&panel, &Ordered::default(), Knowledge::requiring(4, &[(0, 3, 1), (1, 3, 1)]));
    for from in [0, 1] {
        let edge = held.edge(1, from, 3).unwrap();
        let (low, high) = edge.bounds(held.basis(), 15).unwrap();
        assert!(low < 0.0 && high > 0.0, "their effects cannot be told apart");
    }
}

#[test]
fn moments_alone_honour_it_too() {
    let (values, order) = simulated(6, 60, 30, 7);
    let panel = Panel::unnamed(values).unwrap();
    let moments = crate::Moments::of(&panel, 1).unwrap();
    let mut run = Run::new(1).with_knowledge(Knowledge::requiring(6, &[(order[5], order[0], 0)]));
    let method = Ordered { lag: Auto::Value(1), ..Ordered::default() };
    let held = method.discover_moments(&moments, panel.names(), panel.times(), &mut run).unwrap();
    assert_eq!(held.edge(0, order[5], order[0]).unwrap().given, Given::Edge);
    assert!(held.known().is_some() && run.facts().knowledge.is_some());
}
