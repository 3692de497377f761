//! What every method promises, asked of each in the registry.

// Helpers of tests may fail loudly too; clippy knows only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use dycausal::{Cancel, Discover, DynamicGraph, Error, Method, Panel, Progress, Run};
use dycausal_baselines::all_methods;
use dycausal_lab::simulate::Simulation;
use ndarray::{Array3, s};
use serde_json::{Map, Value, json};

/// A small panel that every method can handle: 4 variables, 40 series of 16 steps at lag 1.
fn panel() -> Panel {
    let simulation =
        Simulation { variables: 4, series: 40, steps: 16, density: 1.0, ..Simulation::default() };
    simulation.draw(3).unwrap().panel
}

fn changed(panel: &Panel, change: impl FnOnce(&mut Array3<f64>)) -> Panel {
    let mut values = panel.values().to_owned();
    change(&mut values);
    Panel::new(values, panel.names().to_vec()).unwrap()
}

fn standard(method: &Method) -> Box<dyn Discover> {
    method.build(&Map::new()).unwrap().0
}

fn fit(method: &Method, panel: &Panel, threads: usize) -> Result<DynamicGraph, Error> {
    let mut run = Run::new(5).with_threads(threads)?;
    standard(method).discover(panel, &mut run)
}

fn for_each(check: impl Fn(&Method)) {
    let all = all_methods();
    assert!(!all.is_empty());
    all.iter().for_each(check);
}

#[test]
fn names_are_unique_and_words_joined_by_hyphens() {
    let names: Vec<&str> = all_methods().iter().map(|method| method.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    let plain = |name: &str| {
        name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    assert!(names.iter().all(|name| plain(name)), "{names:?}");
}

#[test]
fn the_table_of_parameters_lists_the_fields_of_the_struct() {
    for_each(|method| {
        let fields: BTreeSet<String> = method.defaults().unwrap().keys().cloned().collect();
        let listed: Vec<String> = method.parameters.iter().map(|p| p.name.to_owned()).collect();
        assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), fields, "{}", method.name);
        assert_eq!(listed.len(), fields.len(), "{}: a parameter is listed twice", method.name);
        for parameter in method.parameters {
            let told = !parameter.purpose.is_empty() && !parameter.range.is_empty();
            assert!(told, "{}: {}", method.name, parameter.name);
        }
        assert!(!method.summary.is_empty());
    });
}

#[test]
fn unknown_parameters_are_answered_with_the_nearest_name() {
    for_each(|method| {
        for known in method.parameters {
            let set = Map::from_iter([(format!("{}s", known.name), json!(1))]);
            let Err(Error::UnknownParameter { nearest, .. }) = method.build(&set) else {
                panic!("{} takes `{}s`", method.name, known.name);
            };
            assert_eq!(nearest.as_deref(), Some(known.name), "{}", method.name);
        }
    });
}

#[test]
fn parameters_of_the_wrong_type_or_out_of_range_are_answered_by_name() {
    let nonsense = [json!({"no": "such"}), json!("nonsense"), json!(-1), json!([[]])];
    for_each(|method| {
        for parameter in method.parameters {
            for value in &nonsense {
                let set = Map::from_iter([(parameter.name.to_owned(), value.clone())]);
                match method.build(&set) {
                    Ok(_) => {}
                    Err(error) => assert!(error.is_input(), "{}: {error}", method.name),
                }
            }
            let set = Map::from_iter([(parameter.name.to_owned(), nonsense[0].clone())]);
            let answer = method.build(&set).err().map(|error| error.to_string());
            let named = answer.as_ref().is_some_and(|text| text.contains(parameter.name));
            assert!(named, "{}: {} took nonsense: {answer:?}", method.name, parameter.name);
        }
    });
}

#[test]
fn the_graph_has_the_shape_of_the_data_and_keeps_to_the_scope() {
    let panel = panel();
    for_each(|method| {
        let built = standard(method);
        let graph = fit(method, &panel, 2).unwrap_or_else(|e| panic!("{}: {e}", method.name));
        assert_eq!(built.name(), method.name);
        assert_eq!(graph.names(), panel.names(), "{}", method.name);
        assert_eq!(graph.times(), panel.times(), "{}", method.name);
        assert!(graph.lag() <= built.lag(), "{}: lag {}", method.name, graph.lag());
        assert!(graph.certify().is_acyclic(), "{}", method.name);
        for edge in graph.edges() {
            let allowed =
                if edge.lag == 0 { method.scope.instantaneous } else { method.scope.lagged };
            assert!(allowed, "{}: an edge at lag {}", method.name, edge.lag);
            if !method.scope.time_varying {
                let first = edge.weight(graph.basis(), 0);
                let stays = (0..graph.steps())
                    .all(|t| (edge.weight(graph.basis(), t) - first).abs() < 1e-12);
                assert!(stays, "{}: a weight moves", method.name);
            }
            let inferred = edge.band.is_some() || edge.tests.is_some();
            assert!(method.scope.inference || !inferred, "{}: bands or tests", method.name);
        }
    });
}

/// Methods that may have no statistic for edges which are not listed.
const UNRANKED: [&str; 2] = ["windowed", "pooled"];

#[test]
fn every_edge_that_is_in_the_scope_has_a_statistic_and_listed_ones_the_larger() {
    let panel = panel();
    for_each(|method| {
        let graph = fit(method, &panel, 2).unwrap();
        let Some(ranking) = graph.ranking() else {
            assert!(UNRANKED.contains(&method.name), "{} has no ranking", method.name);
            return;
        };
        let (mut listed, mut others) = (Vec::new(), Vec::new());
        for ((lag, from, to), statistic) in ranking.places() {
            assert!(statistic >= 0.0 && statistic.is_finite(), "{}: {statistic}", method.name);
            let there = graph.edge(lag, from, to).is_some();
            if there { &mut listed } else { &mut others }.push(statistic);
            assert!(if lag == 0 { method.scope.instantaneous } else { method.scope.lagged });
        }
        let missed =
            graph.edges().iter().filter(|e| ranking.get(e.lag, e.from, e.to).is_none()).count();
        assert_eq!(missed, 0, "{}: listed edges without a statistic", method.name);
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
        if !listed.is_empty() && !others.is_empty() {
            assert!(mean(&listed) > mean(&others), "{}", method.name);
        }
    });
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let panel = panel();
    for_each(|method| {
        let one = fit(method, &panel, 1).unwrap();
        for threads in [1, 2, 3] {
            let other = fit(method, &panel, threads).unwrap();
            // Equality of f64 within, so bits but for the sign of 0.
            assert_eq!(one, other, "{} on {threads} threads", method.name);
        }
    });
}

#[test]
fn the_input_is_left_alone_and_a_method_learns_nothing_from_an_earlier_fit() {
    let panel = panel();
    let other = changed(&panel, |values| values.mapv_inplace(|x| x * 0.5 + x.sin()));
    for_each(|method| {
        let built = standard(method);
        let before = panel.values().mapv(f64::to_bits);
        let first = built.discover(&panel, &mut Run::new(5)).unwrap();
        assert_eq!(panel.values().mapv(f64::to_bits), before, "{}", method.name);
        built.discover(&other, &mut Run::new(5)).unwrap();
        let again = built.discover(&panel, &mut Run::new(5)).unwrap();
        assert_eq!(first, again, "{} remembers", method.name);
    });
}

/// Cancels the run as soon as it tells of its first stage, or of so many.
struct CancelAt {
    cancel: Cancel,
    left: Mutex<usize>,
}

impl Progress for CancelAt {
    fn begin(&self, _: &str, _: Option<u64>) {
        let mut left = self.left.lock().unwrap();
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.cancel.cancel();
        }
    }
    fn advance(&self, _: u64) {}
    fn note(&self, _: &str) {}
    fn end(&self) {}
}

#[test]
fn a_run_stops_when_asked_to_before_and_in_the_middle() {
    let panel = panel();
    for_each(|method| {
        let cancel = Cancel::default();
        cancel.cancel();
        let mut run = Run::new(5).with_cancel(cancel);
        assert_eq!(standard(method).discover(&panel, &mut run), Err(Error::Cancelled));

        let cancel = Cancel::default();
        let progress = CancelAt { cancel: cancel.clone(), left: Mutex::new(1) };
        let mut run = Run::new(5).with_cancel(cancel).with_progress(Arc::new(progress));
        let answer = standard(method).discover(&panel, &mut run);
        assert_eq!(answer, Err(Error::Cancelled), "{} in its first stage", method.name);
    });
}

#[test]
fn constant_and_empty_columns_are_named() {
    let panel = panel();
    let constant = changed(&panel, |values| values.slice_mut(s![.., .., 2]).fill(1.5));
    let empty = changed(&panel, |values| values.slice_mut(s![.., .., 1]).fill(f64::NAN));
    for_each(|method| {
        let variable = "x3".to_owned();
        assert_eq!(fit(method, &constant, 1), Err(Error::Constant { variable, value: 1.5 }));
        let variable = "x2".to_owned();
        assert_eq!(fit(method, &empty, 1), Err(Error::AllMissing { variable }));
    });
}

#[test]
fn missing_cells_are_handled_or_refused_with_their_number() {
    let panel = panel();
    let holes = changed(&panel, |values| {
        values[[0, 3, 1]] = f64::NAN;
        values[[7, 9, 0]] = f64::NAN;
        values.slice_mut(s![2, 12.., ..]).fill(f64::NAN);
    });
    for_each(|method| match fit(method, &holes, 2) {
        Ok(graph) => {
            assert!(method.scope.missing, "{} did not promise this", method.name);
            assert_eq!(graph.steps(), panel.steps());
        }
        Err(Error::MissingNotSupported { missing, .. }) => {
            assert!(!method.scope.missing, "{} promised more", method.name);
            assert_eq!(missing, 2 + 4 * 4);
        }
        Err(other) => panic!("{}: {other}", method.name),
    });
}

#[test]
fn hard_data_get_a_graph_or_a_clear_error() {
    let panel = panel();
    let twins = changed(&panel, |values| {
        let column = values.slice(s![.., .., 0]).to_owned();
        values.slice_mut(s![.., .., 1]).assign(&column);
    });
    let large = changed(&panel, |values| values.mapv_inplace(|x| x * 1e150));
    let tiny = changed(&panel, |values| values.mapv_inplace(|x| x * 1e-150));
    let short = changed_shape(&panel, 1, 5);
    let single = changed_shape(&panel, 1, 16);
    for_each(|method| {
        for (name, hard) in [
            ("twins", &twins),
            ("large", &large),
            ("tiny", &tiny),
            ("short", &short),
            ("single", &single),
        ] {
            if let Err(error) = fit(method, hard, 2) {
                assert_ne!(error, Error::Cancelled);
                let text = error.to_string();
                assert!(text.len() > 20, "{} on {name}: {text}", method.name);
            }
        }
        let built = standard(method);
        let too_short = changed_shape(&panel, 40, built.lag().max(1));
        let answer = fit(method, &too_short, 1);
        assert!(matches!(answer, Err(Error::TooShort { .. })), "{}: {answer:?}", method.name);
    });
}

fn changed_shape(panel: &Panel, series: usize, steps: usize) -> Panel {
    Panel::unnamed(panel.values().slice(s![..series, ..steps, ..]).to_owned()).unwrap()
}

#[test]
fn defaults_are_plain_values() {
    for_each(|method| {
        let text = serde_json::to_string(&Value::Object(method.defaults().unwrap())).unwrap();
        assert!(!text.contains("NaN"), "{}: {text}", method.name);
        assert!(method.build(&method.defaults().unwrap()).is_ok(), "{}", method.name);
    });
}
