//! Recovery, effects, knowledge, holes and threads of the nonlinear methods.

use ndarray::Array3;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::{Additive, GaussianProcess};
use crate::graph::DynamicGraph;
use crate::knowledge::Knowledge;
use crate::method::Discover;
use crate::panel::Panel;
use crate::run::{Auto, Run};

/// Four variables: b bends with a, c falls with b one step before, d is a product of a and b.
fn panel(series: usize, steps: usize, moves: bool) -> Panel {
    let mut random = Run::new(11).random("nonlinear test");
    let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
    let mut x = Array3::<f64>::zeros((series, steps, 4));
    for n in 0..series {
        for t in 0..steps {
            let sign = if moves { (3.0 * t as f64 / steps as f64).cos() } else { 1.0 };
            let past = |v: usize| -> f64 { if t == 0 { 0.0 } else { x[[n, t - 1, v]] } };
            let (a, lagged) = (noise(), past(1));
            let b = sign * 1.5 * (2.0 * a).sin() + 0.6 * noise();
            let c = -sign * 1.2 * (1.5 * lagged).tanh() + 0.5 * noise();
            let d = 0.8 * noise() + 1.2 * a * b.clamp(-2.0, 2.0);
            x[[n, t, 0]] = 1000.0 * a;
            x[[n, t, 1]] = b;
            x[[n, t, 2]] = 0.01 * c;
            x[[n, t, 3]] = 5.0 + d;
        }
    }
    Panel::new(x, ["a", "b", "c", "d"].map(String::from).to_vec()).unwrap()
}

fn places(graph: &DynamicGraph) -> Vec<(usize, usize, usize)> {
    graph.edges().iter().map(|edge| (edge.lag, edge.from, edge.to)).collect()
}

#[test]
fn curves_that_move_are_found_with_their_shapes() {
    let panel = panel(30, 40, true);
    let method = Additive { lag: Auto::Value(1), ..Additive::default() };
    let graph = method.discover(&panel, &mut Run::new(1)).unwrap();
    let found = places(&graph);
    assert!(found.contains(&(0, 0, 1)) && found.contains(&(1, 1, 2)), "{found:?}");
    let effect = graph.edge(0, 0, 1).unwrap().effect.as_ref().unwrap();
    assert!(effect.curves.len() > 1);
    // sin(2a) is highest near π/4, in thousandths; at the end it is turned upside down.
    let slope = |step: usize| effect.value(700.0, step) - effect.value(-700.0, step);
    assert!(slope(1) > 2.0 && slope(39) < -2.0, "{} {}", slope(1), slope(39));
    let first = &effect.curves[0];
    assert!(first.low.iter().zip(&first.high).all(|(low, high)| low < high));
    let (early, late) = (graph.weight(2, 1, 1, 2), graph.weight(39, 1, 1, 2));
    assert!(early < 0.0 && late > 0.0, "{early} {late}");
}

#[test]
fn a_product_needs_more_than_sums() {
    let panel = panel(20, 30, false);
    let method = GaussianProcess { lag: Auto::Value(1), ..GaussianProcess::default() };
    let graph = method.discover(&panel, &mut Run::new(1)).unwrap();
    assert_eq!(places(&graph), [(0, 0, 1), (0, 0, 3), (0, 1, 3), (1, 1, 2)]);
    let simple = Additive { lag: Auto::Value(1), ..Additive::default() };
    let found = places(&simple.discover(&panel, &mut Run::new(1)).unwrap());
    assert!(!(found.contains(&(0, 0, 3)) && found.contains(&(0, 1, 3))), "{found:?}");
    let edge = graph.edge(1, 1, 2).unwrap();
    let effect = edge.effect.as_ref().unwrap();
    assert!(effect.value(-2.0, 5) > 0.008 && effect.value(2.0, 5) < -0.008, "{effect:?}");
    assert!(edge.weight(graph.basis(), 5) < 0.0);
}

/// With so many rows the search sees some of them only.
#[test]
fn many_rows_say_the_same_as_few() {
    let panel = panel(150, 30, false);
    let method = GaussianProcess { lag: Auto::Value(1), ..GaussianProcess::default() };
    let graph = method.discover(&panel, &mut Run::new(1)).unwrap();
    assert_eq!(places(&graph), [(0, 0, 1), (0, 0, 3), (0, 1, 3), (1, 1, 2)]);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let panel = panel(6, 30, false);
    let methods: [Box<dyn Discover>; 2] = [
        Box::new(Additive { lag: Auto::Value(1), ..Additive::default() }),
        Box::new(GaussianProcess { lag: Auto::Value(1), ..GaussianProcess::default() }),
    ];
    for method in methods {
        let with = |threads: usize| {
            let mut run = Run::new(3).with_threads(threads).unwrap();
            method.discover(&panel, &mut run).unwrap()
        };
        assert_eq!(with(1), with(3), "{}", method.name());
    }
}

#[test]
fn what_is_known_is_honoured() {
    let panel = panel(15, 30, false);
    let knowledge = Knowledge::forbidding(4, &[(0, 1, 0)], &[]);
    for method in
        [Box::new(Additive::default()) as Box<dyn Discover>, Box::new(GaussianProcess::default())]
    {
        let mut run = Run::new(3).with_knowledge(knowledge.clone());
        let graph = method.discover(&panel, &mut run).unwrap();
        assert!(graph.edge(0, 0, 1).is_none(), "{}", method.name());
    }
}

#[test]
fn holes_and_two_valued_columns_are_no_reason_to_fail() {
    let mut random = Run::new(5).random("holes");
    let mut values = panel(4, 80, false).values().to_owned();
    values.iter_mut().for_each(|x| {
        if random.random::<f64>() < 0.05 {
            *x = f64::NAN;
        }
    });
    for mut row in values.rows_mut() {
        row[3] = f64::from(u8::from(row[3] > 5.0));
    }
    let panel = Panel::unnamed(values).unwrap();
    for method in
        [Box::new(Additive::default()) as Box<dyn Discover>, Box::new(GaussianProcess::default())]
    {
        let graph = method.discover(&panel, &mut Run::new(3)).unwrap();
        assert!(graph.edge(1, 1, 2).is_some(), "{}: {:?}", method.name(), places(&graph));
    }
}

/// Three variables that know nothing of each other; `shape` is given noise, series and step.
fn alone(series: usize, steps: usize, mut shape: impl FnMut(f64, usize, usize) -> f64) -> Panel {
    let mut random = Run::new(23).random("alone");
    let mut x = Array3::<f64>::zeros((series, steps, 3));
    for ((n, t, _), value) in x.indexed_iter_mut() {
        *value = shape(StandardNormal.sample(&mut random), n, t);
    }
    Panel::unnamed(x).unwrap()
}

fn cross(graph: &DynamicGraph) -> usize {
    graph.edges().iter().filter(|edge| edge.from != edge.to).count()
}

/// A test that takes the noise for the same at all steps sees effects of each variable on the others.
#[test]
fn volatility_that_variables_share_is_no_effect() {
    let loud = |t: usize| if t % 40 < 6 { 8.0 } else { 1.0 };
    let panel = alone(1, 400, |noise, _, t| loud(t) * noise);
    for method in [Additive::default(), Additive { lag: Auto::Value(2), ..Additive::default() }] {
        let graph = method.discover(&panel, &mut Run::new(3)).unwrap();
        assert_eq!(cross(&graph), 0, "{:?}", places(&graph));
    }
}

#[test]
fn rows_of_loud_series_count_less() {
    let panel = alone(40, 20, |noise, n, _| if n % 8 == 0 { 10.0 } else { 1.0 } * noise);
    let mut run = Run::new(3);
    let graph =
        Additive { lag: Auto::Value(1), ..Additive::default() }.discover(&panel, &mut run).unwrap();
    assert_eq!(cross(&graph), 0, "{:?}", places(&graph));
    let words = run.facts().taken_out.as_ref().unwrap();
    assert!(words.iter().any(|words| words.contains("one over its variance")), "{words:?}");
}

#[test]
fn own_past_beyond_the_lag_is_accounted_for() {
    let mut past = [[0.0; 3]; 3];
    let mut at = 0;
    // Every variable remembers what it was three steps before.
    let panel = alone(1, 500, |noise, _, t| {
        let v = at % 3;
        at += 1;
        let value = 0.8 * past[t % 3][v] + noise;
        past[t % 3][v] = value;
        value
    });
    let method = Additive { lag: Auto::Value(1), ..Additive::default() };
    let graph = method.discover(&panel, &mut Run::new(3)).unwrap();
    let own = &graph.preparation().unwrap().own_lags;
    assert!(own.iter().all(|own| own.len() >= 3 && (own[2] - 0.8).abs() < 0.15), "{own:?}");
    assert_eq!(cross(&graph), 0, "{:?}", places(&graph));
}
