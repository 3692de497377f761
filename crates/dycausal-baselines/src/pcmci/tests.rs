use dycausal::{Discover, Mark, Panel, Run};
use serde_json::{Value, json};

use super::*;
use crate::golden::{LAG, gap, gapped, noise, numbers, set, whole, words};

fn golden() -> Vec<Value> {
    serde_json::from_str(include_str!("../golden/pcmci.json")).unwrap()
}

/// The lists of tigramite's graph that ours has edges at: every lagged link, and within a step
/// one of both entries.
fn same_links(graph: &DynamicGraph, theirs: &[&str]) {
    let d = graph.variables();
    for (place, link) in theirs.iter().enumerate() {
        let (lag, from, to) = (place / (d * d), place / d % d, place % d);
        let ours = graph.edge(lag, from, to);
        let back = if lag == 0 { graph.edge(0, to, from) } else { None };
        match *link {
            "" => assert!(ours.is_none() && back.is_none(), "{lag} {from} {to}"),
            "o-o" => assert!(ours.or(back).is_some_and(|edge| edge.mark == Mark::Undirected)),
            _ => assert!(ours.or(back).is_some(), "{lag} {from} {to} {link}"),
        }
    }
}

/// `scripts/golden_baselines.py pcmci` made the values.
#[test]
fn tests_and_links_are_those_of_tigramite() {
    for entry in golden() {
        let panel = gapped(set(&entry));
        let test: Test = serde_json::from_value(entry["test"].clone()).unwrap();
        let method = Pcmci { lag: LAG, pc_alpha: 0.2, test, ..Pcmci::default() };
        let found = method.tests(&panel, &mut Run::new(0)).unwrap();
        let known = &entry["pcmci"];
        let (d, words) = (panel.variables(), words(&known["links"]));
        // Within a step tigramite keeps the weaker of both tests; ours are apart until then.
        let (mut values, mut p) = (found.values.clone(), found.p.clone());
        for (a, b) in (0..d).flat_map(|a| (0..d).map(move |b| (a, b))) {
            if p[[0, a, b]] >= p[[0, b, a]] {
                p[[0, b, a]] = p[[0, a, b]];
                values[[0, b, a]] = values[[0, a, b]];
            }
        }
        let off = gap(&values, &numbers(&known["values"]));
        assert!(off < 1e-8, "{} {test:?}: statistics {off:e}", entry["set"]);
        let off = gap(&p, &numbers(&known["p"]));
        assert!(off < 1e-6, "{} {test:?}: p {off:e}", entry["set"]);
        same_links(&method.discover(&panel, &mut Run::new(0)).unwrap(), &words);
        let adjusted = Pcmci { fdr: Fdr::Bh, instantaneous: false, ..method };
        let graph = adjusted.discover(&panel, &mut Run::new(0)).unwrap();
        same_links(&graph, &crate::golden::words(&known["adjusted_links"]));
    }
}

#[test]
fn edges_carry_their_tests_and_weights_in_the_units_of_the_data() {
    let mut values = whole(1);
    values.slice_mut(ndarray::s![.., .., 0]).mapv_inplace(|x| x * 1000.0);
    let (plain, scaled) = (Panel::unnamed(whole(1)).unwrap(), Panel::unnamed(values).unwrap());
    let method = Pcmci { lag: LAG, ..Pcmci::default() };
    let graph = |panel: &Panel| method.discover(panel, &mut Run::new(0)).unwrap();
    let (one, other) = (graph(&plain), graph(&scaled));
    assert_eq!(one.edges().len(), other.edges().len());
    for (a, b) in one.edges().iter().zip(other.edges()) {
        let unit = |v: usize| if v == 0 { 1000.0 } else { 1.0 };
        let (first, second) = (a.strongest(one.basis()), b.strongest(other.basis()));
        assert!((first * unit(a.to) / unit(a.from) - second).abs() < 1e-9 * (1.0 + second.abs()));
        let tests = a.tests.as_ref().unwrap();
        assert!(tests.absent.unwrap() <= 0.05 && tests.statistic.unwrap().abs() > 0.0);
    }
}

#[test]
fn too_few_steps_for_twice_the_lag_are_told() {
    let noise = Array3::from_shape_fn((1, 8, 2), |(_, t, v)| noise(2 * t + v));
    let panel = Panel::unnamed(noise).unwrap();
    let long = Pcmci { lag: 4, ..Pcmci::default() };
    let told = long.discover(&panel, &mut Run::new(0)).unwrap_err();
    assert!(matches!(told, Error::TooShort { steps: 8, lag: 4, .. }), "{told}");
}

#[test]
fn levels_are_checked() {
    for (name, value) in [("alpha", json!(1.5)), ("pc_alpha", json!(-0.1)), ("lag", json!(0))] {
        let set = serde_json::Map::from_iter([(name.to_owned(), value)]);
        let told = dycausal::Method::of::<Pcmci>().build(&set).err().unwrap().to_string();
        assert!(told.contains(name), "{told}");
    }
}
