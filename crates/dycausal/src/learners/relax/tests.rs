use ndarray::Array3;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::integral::Integral;
use super::selection::{Candidates, Selected, statistics};
use super::*;
use crate::graph::Sources;
use crate::learners::golden::{counts, numbers, part};

/// Trajectories that relax: x_i' = −λ_i x_i + Σ w x_j from random starts, fine steps of Euler, noise on
/// top. Variables 0 → 1 → 2, 0 → 3; 4 and 5 are alone.
fn panel(seed: u64, series: usize, unit: [f64; 6]) -> Panel {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    let decay = [0.2, 0.3, 0.2, 0.4, 0.3, 0.15];
    let drives = [(0, 1, 0.3), (1, 2, -0.25), (0, 3, 0.35)];
    let mut values = Array3::zeros((series, 16, 6));
    for n in 0..series {
        let mut x: Vec<f64> = (0..6).map(|_| normal()).collect();
        for t in 0..16 {
            for v in 0..6 {
                values[[n, t, v]] = unit[v] * (3.0 + x[v] + 0.05 * normal());
            }
            for _ in 0..100 {
                let mut slope: Vec<f64> = (0..6).map(|v| -decay[v] * x[v]).collect();
                for (j, i, w) in drives {
                    slope[i] += w * x[j];
                }
                x.iter_mut().zip(slope).for_each(|(x, s)| *x += 0.01 * s);
            }
        }
    }
    Panel::unnamed(values).unwrap()
}

fn learned(panel: &Panel) -> (DynamicGraph, Run) {
    let mut run = Run::new(0).with_threads(1).unwrap();
    let graph = Relax::default().discover(panel, &mut run).unwrap();
    (graph, run)
}

#[test]
fn causes_decays_and_weights_are_found() {
    for seed in 0..5 {
        let (graph, run) = learned(&panel(seed, 30, [1.0; 6]));
        let found: Vec<(usize, usize)> = graph.edges().iter().map(|e| (e.from, e.to)).collect();
        assert_eq!(found, [(0, 1), (0, 3), (1, 2)], "seed {seed}");
        for (edge, weight) in graph.edges().iter().zip([0.3, 0.35, -0.25]) {
            let found = edge.weight(graph.basis(), 0);
            assert!((found - weight).abs() < 0.05, "seed {seed}: {found}, not {weight}");
        }
        let decay = run.facts().decay.as_ref().unwrap()["x1"];
        assert!((decay - 0.2).abs() < 1e-9, "{decay}");
        let ranking = graph.ranking().unwrap();
        let weakest = graph.edges().iter().map(|e| ranking.get(1, e.from, e.to).unwrap());
        let weakest = weakest.fold(f64::INFINITY, f64::min);
        let above = ranking.places().filter(|(_, s)| *s >= weakest).count();
        assert_eq!(above, 3, "every true edge stands above every other");
        assert!(ranking.with_sources(Sources::Differ).get(1, 0, 1).unwrap() > 0.0);
    }
}

#[test]
fn units_do_not_matter() {
    let unit = [1e-3, 10.0, 1.0, 250.0, 0.1, 1e6];
    let (one, _) = learned(&panel(1, 30, [1.0; 6]));
    let (other, _) = learned(&panel(1, 30, unit));
    assert_eq!(one.edges().len(), other.edges().len());
    for (a, b) in one.edges().iter().zip(other.edges()) {
        let scaled = a.weight(one.basis(), 0) * unit[a.to] / unit[a.from];
        assert!((scaled - b.weight(other.basis(), 0)).abs() < 1e-6 * scaled.abs());
    }
    for ((lag, from, to), s) in one.ranking().unwrap().places() {
        let same = other.ranking().unwrap().get(lag, from, to).unwrap();
        assert!((s - same).abs() < 1e-3 * (1.0 + s), "{s} {same}");
    }
}

#[test]
fn series_that_wander_alone_cause_nothing() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut listed = 0;
    for _ in 0..10 {
        for memory in [0.7, 1.0] {
            let mut values = Array3::<f64>::zeros((20, 21, 10));
            for n in 0..20 {
                for (t, v) in (0..21).flat_map(|t| (0..10).map(move |v| (t, v))) {
                    let past = if t > 0 { values[[n, t - 1, v]] } else { 0.0 };
                    let noise: f64 = StandardNormal.sample(&mut random);
                    values[[n, t, v]] = memory * past + noise;
                }
            }
            listed += learned(&Panel::unnamed(values).unwrap()).0.edges().len();
        }
    }
    assert!(listed <= 10, "{listed} false edges in 20 data sets");
}

#[test]
fn the_horizon_is_where_trajectories_no_longer_differ() {
    let values = Array3::from_shape_fn((20, 30, 2), |(n, t, v)| {
        let start = ((n * 7 + v * 3) % 11) as f64 - 5.0;
        start * (-0.5 * t as f64).exp() + 0.01 * (((n + 3 * t + v) % 5) as f64 - 2.0)
    });
    let steps = horizon::steps(horizon::from_rest(values.view()).0.view());
    // e^{-t} falls below a twentieth at t = 3: the steps up to 2, and three more.
    assert_eq!(steps, 6);
}

#[test]
fn parameters_out_of_range_are_named() {
    for (method, name) in [
        (Relax { horizon: Auto::Value(2), ..Relax::default() }, "horizon"),
        (Relax { causes: 0, ..Relax::default() }, "causes"),
        (Relax { alpha: 0.0, ..Relax::default() }, "alpha"),
    ] {
        assert!(method.check().unwrap_err().to_string().contains(name));
    }
}

#[test]
fn statistics_are_those_of_least_squares() {
    for golden in part("relax").as_array().unwrap() {
        let shape = counts(&golden["shape"]);
        let shape = (shape[0], shape[1], shape[2]);
        let values = Array3::from_shape_vec(shape, numbers(&golden["values"])).unwrap();
        let decay = golden["decay"].as_f64().unwrap();
        let products = Integral::at(decay, values.view()).products(shape.0);
        let candidates = Candidates { allowed: vec![1, 2, 3], required: vec![] };
        let selected = Selected { causes: counts(&golden["selected"]), residual: 1.0 };
        let found = statistics(&products, 0, &candidates, &selected);
        for (cause, expected) in numbers(&golden["expected"]).into_iter().enumerate() {
            let found = found[cause + 1];
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected), "{found}, not {expected}");
        }
    }
}
