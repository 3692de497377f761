use dycausal::Error as Fault;
use serde_json::json;

use super::*;
use crate::simulate::{Dynamics, Simulation};

fn data() -> (Panel, DynamicGraph) {
    let simulation = Simulation {
        variables: 4,
        series: 30,
        steps: 30,
        density: 1.0,
        dynamics: Dynamics::Static,
        ..Simulation::default()
    };
    let drawn = simulation.draw(11).unwrap();
    (drawn.panel, drawn.truth)
}

#[test]
fn the_standard_comes_first_and_agrees_with_itself() {
    let (panel, truth) = data();
    let request = Request::of(&["pcmci-plus", "granger"]);
    let found = compare(&panel, &request, &Run::new(0)).unwrap();
    let rows = found.rows(Some(&truth)).unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row.method.as_str()).collect();
    assert_eq!(names, [STANDARD, "pcmci-plus", "granger"]);
    assert_eq!(rows[0].agreement, Some(1.0));
    assert!(rows[0].f1.unwrap() > 0.8 && rows[1].f1.unwrap() > 0.5, "{rows:?}");
    assert!(rows[2].agreement.unwrap() < 1.0 && rows[2].instantaneous == Some(0));
    let text = csv(&rows);
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("\"lags, how sure\""), "{text}");
}

#[test]
fn an_edge_tells_who_found_it() {
    let (panel, _) = data();
    let found = compare(&panel, &Request::of(&["granger"]), &Run::new(0)).unwrap();
    let union = found.union(&panel).unwrap();
    for entry in &found.entries {
        let graph = entry.outcome.as_ref().unwrap();
        for edge in graph.edges() {
            let shared = union.edge(edge.lag, edge.from, edge.to).unwrap();
            assert!(shared.found_by.contains(&entry.method));
        }
    }
    let finders: usize = union.edges().iter().map(|edge| edge.found_by.len()).sum();
    let edges: usize =
        found.entries.iter().map(|entry| entry.outcome.as_ref().unwrap().edges().len()).sum();
    assert_eq!(finders, edges);
    let picture = found.picture(&panel).unwrap();
    assert!(picture.contains("granger") && picture.contains("<circle"));
}

#[test]
fn one_that_fails_leaves_a_line_and_the_others_go_on() {
    let (panel, _) = data();
    let mut values = panel.values().to_owned();
    values[[0, 3, 0]] = f64::NAN;
    let gap = Panel::unnamed(values).unwrap();
    let found = compare(&gap, &Request::of(&["dycausal", "granger"]), &Run::new(0)).unwrap();
    let rows = found.rows(None).unwrap();
    assert!(rows[1].failure.as_ref().unwrap().contains("missing"), "{rows:?}");
    assert!(rows[2].failure.is_none() && rows[2].edges.is_some());
    let hurried = Request { seconds: 0.0, ..Request::of(&["dycausal"]) };
    let rows = compare(&panel, &hurried, &Run::new(0)).unwrap().rows(None).unwrap();
    assert!(rows[1].failure.as_ref().unwrap().contains("given up"), "{rows:?}");
}

#[test]
fn what_is_not_known_is_refused_before_anything_runs() {
    let (panel, _) = data();
    let told = compare(&panel, &Request::of(&["pcmco"]), &Run::new(0)).unwrap_err();
    assert!(matches!(told, Error::Library(Fault::UnknownMethod { .. })), "{told}");
    let set = Map::from_iter([("alpha".to_owned(), json!(7))]);
    let request = Request { methods: vec![("granger".into(), set)], ..Request::of(&[]) };
    assert!(compare(&panel, &request, &Run::new(0)).unwrap_err().to_string().contains("alpha"));
}
