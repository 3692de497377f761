//! Edges that are mixtures: how they move is told in every format.

use std::fs;

use dycausal::graph::{Band, Bounds, Presence, Tests, Trajectory};
use dycausal::movement::{Change, Component, Course, Kind, Mixture, Motion, Span};
use dycausal::{Basis, DynamicGraph, Edge, Panel, TimeIndex};
use dycausal_io::{
    Extra, Picture, PictureKind, Report, RunRecord, WriteOptions, read_run, write_run,
};
use ndarray::Array3;
use serde_json::{Value, json};

use crate::pages::payload;

const STEPS: usize = 60;

fn names() -> Vec<String> {
    ["rain", "soil", "river"].map(String::from).to_vec()
}

/// Steps that are the days of two months.
fn times() -> TimeIndex {
    let day = |k: usize| {
        if k < 31 { format!("2024-01-{:02}", k + 1) } else { format!("2024-02-{:02}", k - 30) }
    };
    let seconds = (0..STEPS).map(|k| 1_704_067_200.0 + 86_400.0 * k as f64).collect();
    TimeIndex::Dates { text: (0..STEPS).map(day).collect(), seconds }
}

/// An edge that most likely appears or jumps at a step, give or take two.
fn edge(from: usize, to: usize, kind: Kind, at: usize) -> Edge {
    let part = |share, course, mean: &[f64]| {
        let size = mean.len();
        let factor =
            (0..size * size).map(|k| if k % (size + 1) == 0 { 0.1 } else { 0.0 }).collect();
        Component { share, course, later: Vec::new(), mean: mean.to_vec(), factor }
    };
    let span = Span { first: 1, steps: STEPS };
    let courses = match kind {
        Kind::Appears => {
            vec![part(0.9, Course::From(at), &[1.0]), part(0.1, Course::From(at + 1), &[1.0])]
        }
        _ => vec![part(1.0, Course::Jumps(vec![at]), &[0.5, 1.0])],
    };
    let change = Change { at, low: at - 2, high: at + 2 };
    Edge {
        motion: Some(Motion {
            kind,
            probability: 0.97,
            shares: vec![(kind, 0.97), (Kind::Drifts, 0.03)],
            changes: vec![change],
        }),
        band: Some(Band {
            level: 0.9,
            bounds: Bounds::Quantiles { simultaneous: 1.5, least: 0.02, within: 1 },
        }),
        tests: Some(Tests {
            certain: Some(Presence::when(STEPS, |t| t > at + 1)),
            ..Tests::default()
        }),
        ..Edge::new(from, to, 1, Trajectory::Mixture(Mixture::new(span, courses).unwrap()), STEPS)
    }
}

fn graph() -> DynamicGraph {
    let steady = Edge {
        tests: Some(Tests { certain: Some(Presence::always(STEPS)), ..Tests::default() }),
        ..Edge::new(0, 0, 1, Trajectory::Constant(0.5), STEPS)
    };
    let edges = vec![edge(0, 1, Kind::Appears, 30), edge(1, 2, Kind::Jumps, 31), steady];
    DynamicGraph::new(names(), times(), 1, Basis::constant(STEPS).unwrap(), edges).unwrap()
}

fn record(graph: &DynamicGraph) -> RunRecord {
    let panel = Panel::new(Array3::zeros((1, STEPS, 3)), names()).unwrap();
    RunRecord::of(&panel, graph, "data.csv")
}

#[test]
fn every_format_tells_how_edges_move() {
    let graph = graph();
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let extra = vec![Extra::GraphMl, Extra::Parquet];
    write_run(&run, &graph, &record(&graph), &WriteOptions { extra, ..WriteOptions::default() })
        .unwrap();
    let csv = fs::read_to_string(run.join("edges.csv")).unwrap();
    let header = csv.lines().next().unwrap();
    let told = "motion,motion_probability,change,change_low,change_high,changes,there";
    assert!(header.ends_with(told), "{header}");
    let appears = "appears,0.97,2024-01-31,2024-01-29,2024-02-02,\
                   at 2024-01-31 (2024-01-29 to 2024-02-02),from 2024-02-02 to 2024-02-29";
    assert!(csv.lines().any(|line| line.starts_with("rain,soil,1,") && line.ends_with(appears)));
    assert!(csv.lines().any(|line| line.starts_with("rain,rain,1,") && line.ends_with(",always")));
    let graphml = fs::read_to_string(run.join("graph.graphml")).unwrap();
    assert!(graphml.contains("<data key=\"there\">from 2024-02-02 to 2024-02-29</data>"));
    let (read, back) = read_run(&run).unwrap();
    assert_eq!(back, graph, "what is written is read again, exactly");
    let regime = &read.facts.regimes[0];
    assert_eq!(regime.at, "2024-02-01");
    assert_eq!(regime.edges[0], ("rain".to_owned(), "soil".to_owned(), 1));
    let words = &regime.words;
    assert!(words.ends_with("2 edges: rain → soil (lag 1), soil → river (lag 1)"), "{words}");
}

#[test]
fn a_report_has_words_changes_and_regimes_but_no_more_curves() {
    let graph = graph();
    let (text, bytes) = payload(&Report::new(&graph, &record(&graph)).html().unwrap());
    assert_eq!(bytes.len(), 2 * STEPS * (3 + 2 * 2), "three weights, two bands");
    let edge = &text["edges"][1];
    assert_eq!(edge["motion"], "appears at 2024-01-31 ± 2 steps (97 %)");
    assert_eq!(edge["changes"], json!([[30, "appears", 28, 32]]));
    let whole = json!({ "times": 1.5, "least": 0.02, "halfway": false, "within": 1 });
    assert_eq!(edge["band"]["whole"], whole);
    assert_eq!(text["edges"][0]["motion"], Value::Null);
    assert_eq!(text["regimes"][0]["edges"], json!([1, 2]));
    let svg = Picture::new(&graph, PictureKind::Trajectories).svg();
    assert!(svg.contains("opacity=\"0.120\""), "intervals of changes are shaded");
}

#[test]
fn changes_outside_the_steps_are_refused() {
    let far = edge(0, 1, Kind::Jumps, STEPS - 2);
    let basis = Basis::constant(STEPS).unwrap();
    let refused = DynamicGraph::new(names(), times(), 1, basis, vec![far]).unwrap_err();
    assert!(refused.to_string().contains("step 60"), "{refused}");
}
