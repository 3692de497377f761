//! Orders that change: found where they do, by score and by number.

use ndarray::Array3;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::graph::DynamicGraph;
use crate::learners::Reordered;
use crate::method::Discover;
use crate::panel::Panel;
use crate::run::Auto;
use crate::run::Run;

/// Three variables in a chain, which runs from first to last and back in turns.
fn turning(steps: usize, turns: &[usize]) -> Panel {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut values = Array3::zeros((60, steps, 3));
    for n in 0..60 {
        for t in 0..steps {
            let e: [f64; 3] = std::array::from_fn(|_| StandardNormal.sample(&mut random));
            let wave = (t as f64 / 6.0).sin();
            let forth = turns.iter().filter(|turn| t >= **turn).count() % 2 == 0;
            let (first, last) = if forth { (0, 2) } else { (2, 0) };
            values[[n, t, first]] = e[first];
            values[[n, t, 1]] = 0.9 * wave * e[first] + 0.6 * e[1];
            values[[n, t, last]] = 0.8 * values[[n, t, 1]] + e[last];
        }
    }
    Panel::unnamed(values).unwrap()
}

fn learned(panel: &Panel, changes: Auto<usize>) -> (DynamicGraph, Vec<String>) {
    let mut run = Run::new(0);
    let method = Reordered { changes, ..Reordered::default() };
    let graph = method.discover(panel, &mut run).unwrap();
    assert!(graph.certify().is_acyclic());
    (graph, run.warnings().to_vec())
}

#[test]
fn an_order_that_turns_round_is_found_where_it_turns() {
    let (graph, _) = learned(&turning(40, &[20]), Auto::Auto);
    let early = graph.edge(0, 0, 1).expect("first before second, early");
    let late = graph.edge(0, 2, 1).expect("third before second, late");
    let turn = early.presence.ranges()[0].1;
    assert!((18..=22).contains(&turn), "{turn}");
    assert!(late.presence.contains(39) && !late.presence.contains(5));
}

#[test]
fn an_order_that_turns_twice_is_found_by_score_and_by_number() {
    for changes in [Auto::Auto, Auto::Value(2)] {
        let (graph, warnings) = learned(&turning(90, &[30, 60]), changes);
        let middle = graph.edge(0, 2, 1).expect("third before second, in between");
        let outer = graph.edge(0, 0, 1).expect("first before second, before and after");
        for (t, within) in [(15, false), (45, true), (75, false)] {
            assert_eq!(middle.presence.contains(t), within, "{t}: {warnings:?}");
            assert_eq!(outer.presence.contains(t), !within, "{t}: {warnings:?}");
        }
    }
}

#[test]
fn an_order_that_stays_is_left_alone_and_too_many_changes_are_warned_of() {
    let (graph, warnings) = learned(&turning(40, &[]), Auto::Auto);
    assert!(graph.edges().iter().any(|edge| edge.band.is_some()), "{warnings:?}");
    let (_, warnings) = learned(&turning(40, &[20]), Auto::Value(50));
    assert!(warnings.iter().any(|w| w.contains("of 50 changes")), "{warnings:?}");
}
