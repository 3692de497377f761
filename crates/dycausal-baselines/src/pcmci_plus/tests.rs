use dycausal::{Discover, Run};
use serde_json::Value;

use super::*;
use crate::golden::{LAG, gap, gapped, numbers, set, words};

/// `scripts/golden_baselines.py pcmci` made the values.
#[test]
fn tests_and_directions_are_those_of_tigramite() {
    let golden: Vec<Value> = serde_json::from_str(include_str!("../golden/pcmci.json")).unwrap();
    for entry in golden {
        let panel = gapped(set(&entry));
        let d = panel.variables();
        let test: Test = serde_json::from_value(entry["test"].clone()).unwrap();
        for (name, rule) in [
            ("majority", ColliderRule::Majority),
            ("conservative", ColliderRule::Conservative),
            ("none", ColliderRule::None),
        ] {
            let known = words(&entry["pcmci_plus"][name]);
            let method = PcmciPlus {
                lag: LAG,
                pc_alpha: 0.05,
                test,
                collider_rule: rule,
                ..PcmciPlus::default()
            };
            let found = method.oriented(&panel, &mut Run::new(0)).unwrap();
            for (place, link) in known.iter().enumerate() {
                let (lag, from, to) = (place / (d * d), place / d % d, place % d);
                let ours = match found.links.is_there(from, to, lag) {
                    false => "",
                    true if lag > 0 => "-->",
                    true => match found.links.state(from, to) {
                        State::Absent => "",
                        State::Open => "o-o",
                        State::Forth => "-->",
                        State::Back => "<--",
                        State::Torn => "x-x",
                    },
                };
                assert_eq!(ours, *link, "{} {test:?} {name}: {lag} {from} {to}", entry["set"]);
            }
            let known = numbers(&entry["pcmci_plus"]["p"]);
            let off = gap(&found.p, &known);
            assert!(off < 1e-6, "{} {test:?}: p {off:e}", entry["set"]);
            // Where a link within a step went, tigramite may keep the statistic of another test.
            let theirs = numbers(&entry["pcmci_plus"]["values"]);
            for (place, (ours, theirs)) in found.values.iter().zip(&theirs).enumerate() {
                let (lag, from, to) = (place / (d * d), place / d % d, place % d);
                if lag > 0 || found.links.is_there(from, to, 0) {
                    assert!((ours - theirs).abs() < 1e-8, "{lag} {from} {to}: {ours} {theirs}");
                }
            }
        }
    }
}

#[test]
fn marks_say_what_is_known_of_directions_and_the_graph_is_acyclic() {
    for number in 0..5 {
        let method = PcmciPlus { lag: LAG, pc_alpha: 0.05, ..PcmciPlus::default() };
        let panel = gapped(number);
        let skeleton = method.oriented(&panel, &mut Run::new(0)).unwrap();
        let graph = method.discover(&panel, &mut Run::new(0)).unwrap();
        assert!(graph.certify().is_acyclic());
        for edge in graph.instantaneous() {
            let state = skeleton.links.state(edge.from, edge.to);
            match edge.mark {
                Mark::Directed => assert_eq!(state, State::Forth),
                Mark::Undirected => assert_eq!(state, State::Open),
                Mark::Conflict => assert_ne!(state, State::Open),
            }
        }
    }
}
