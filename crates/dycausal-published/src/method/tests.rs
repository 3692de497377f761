//! Gradients of every piece and of the whole, recovery, determinism, and what is refused.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dycausal::{Cancel, Checkpoint, Error, Knowledge, Moments};
use ndarray::{Array3, Array4};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::*;
use crate::acyclicity::Constraint;
use crate::decoder::Parallel;
use crate::encoder::{Convolution, Encode, windows};
use crate::grid::Grid;
use crate::model::{Heads, Linear, Loss, Perceptron, Rows};
use crate::optimise::{Adam, Problem};
use crate::parameters::{Acyclic, Ends, Importance, Penalty};
use crate::weights::{Free, Weights};

fn random_panel(series: usize, steps: usize, variables: usize, seed: u64) -> Panel {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let values =
        Array3::from_shape_fn((series, steps, variables), |_| StandardNormal.sample(&mut random));
    Panel::unnamed(values).unwrap()
}

/// Edges (lag, from, to) with weights that swing as sines (even places) or cosines.
const EDGES: [(usize, usize, usize); 8] =
    [(0, 0, 2), (0, 1, 2), (0, 0, 3), (0, 2, 4), (1, 1, 0), (1, 3, 4), (1, 4, 1), (1, 2, 2)];

/// Five variables, eight edges, and what they make of noise.
fn simulated(series: usize, steps: usize) -> Panel {
    let variables = 5;
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut weights = Array4::zeros((steps, 2, variables, variables));
    for t in 0..steps {
        let angle = std::f64::consts::PI * (t + 1) as f64 / steps as f64;
        for (place, (lag, from, to)) in EDGES.into_iter().enumerate() {
            let swing = if place % 2 == 0 { angle.sin() } else { angle.cos() };
            weights[[t, lag, from, to]] = if lag == 0 { 0.9 } else { 0.6 } * swing;
        }
    }
    let mut values = Array3::<f64>::zeros((series, steps, variables));
    for n in 0..series {
        for t in 0..steps {
            for v in 0..variables {
                let mut x: f64 = StandardNormal.sample(&mut random);
                for u in 0..variables {
                    x += weights[[t, 0, u, v]] * values[[n, t, u]];
                    if t > 0 {
                        x += weights[[t, 1, u, v]] * values[[n, t - 1, u]];
                    }
                }
                values[[n, t, v]] = x;
            }
        }
    }
    Panel::unnamed(values).unwrap()
}

fn variants() -> Vec<DyCausal> {
    let base = DyCausal {
        lag: 1,
        window: 2,
        spacing: 3,
        units: 3,
        hidden: 4,
        ridge: 0.1,
        constraint: Constraint::NormLogDetFull,
        ..Default::default()
    };
    let mut all = Vec::new();
    for model in [Model::Linear, Model::Mlp, Model::Ode] {
        for acyclic in [Acyclic::Knot, Acyclic::Step, Acyclic::Pair, Acyclic::Union] {
            for interpolate in [true, false] {
                all.push(DyCausal { model, interpolate, acyclic, ..base.clone() });
            }
        }
    }
    all.push(DyCausal { lag: 2, model: Model::Ode, ..base.clone() });
    let written = DyCausal {
        ends: Ends::Dropped,
        centre: false,
        bias: false,
        unit_changes: false,
        acyclic: Acyclic::Step,
        ..base.clone()
    };
    all.push(DyCausal { model: Model::Mlp, ..written.clone() });
    all.push(DyCausal { model: Model::Ode, rolling: true, ..written.clone() });
    all.push(written);
    all.push(DyCausal { lag: 0, ..base });
    all
}

/// μ · loss + h as a function of the weights at the knots.
#[test]
fn the_gradient_of_the_objective_is_that_of_central_differences() {
    let panel = random_panel(5, 12, 3, 1);
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for method in variants() {
        let method = DyCausal { encoder: Encoder::Free, ..method };
        let run = Run::new(0);
        let mut objective = Parts::<f64>::default().objective(&method, &panel, &run).unwrap();
        // Far enough from 0 that no difference crosses the kink of the lasso.
        let mut knots: Vec<f64> = (0..objective.knots.len())
            .map(|_| random.random_range(0.2..0.9) * if random.random() { 1.0 } else { -1.0 })
            .collect();
        objective.grid.mask(&mut knots, 0.0);
        let mut fixed = Fixed(knots.clone());
        let mut value = |knots: &[f64]| {
            fixed.0.copy_from_slice(knots);
            objective.weights = Box::new(Fixed(fixed.0.clone()));
            let found = objective.evaluate(0.7).unwrap();
            (0.7 * found.loss + found.cyclicity, objective.gradient.clone())
        };
        let (_, gradient) = value(&knots);
        let largest = gradient.iter().fold(0.0f64, |m, g| m.max(g.abs()));
        for at in (0..knots.len()).step_by(5) {
            if knots[at] == 0.0 {
                assert_eq!(gradient[at], 0.0, "masked");
                continue;
            }
            let mut moved = |by: f64| {
                let mut moved = knots.clone();
                moved[at] += by;
                value(&moved).0
            };
            // An interpolated weight that comes within a step of 0 has a kink: skip the entry.
            let (near, far) =
                ((moved(1e-5) - moved(-1e-5)) / 2e-5, (moved(1e-4) - moved(-1e-4)) / 2e-4);
            if (near - far).abs() > 1e-3 * largest {
                continue;
            }
            let gap = (gradient[at] - near).abs();
            assert!(gap < 1e-6 * largest, "{method:?} at {at}: {} {near}", gradient[at]);
        }
    }
}

/// Weights that are given.
struct Fixed(Vec<f64>);

impl Weights<f64> for Fixed {
    fn write_weights(&mut self, knots: &mut [f64]) {
        knots.copy_from_slice(&self.0);
    }
    fn step(&mut self, _: &[f64], _: Adam) {}
    fn restart(&mut self) {}
    fn halve(&mut self) {}
}

impl crate::optimise::State for Fixed {
    fn write(&self, _: &mut Vec<u8>) {}
    fn read(&mut self, _: &mut crate::optimise::Reader<'_>) -> Option<()> {
        Some(())
    }
}

/// Σ cos(index) · weight as a function of every parameter of the decoder.
#[test]
fn the_gradient_of_the_decoder_is_that_of_central_differences() {
    for (model, lag, hidden) in
        [(Model::Linear, 1, 5), (Model::Mlp, 2, 5), (Model::Linear, 1, 0), (Model::Mlp, 2, 0)]
    {
        let method = DyCausal { model, lag, units: 3, hidden, spacing: 3, ..Default::default() };
        let panel = random_panel(4, 14, 3, 2);
        let grid = Grid::new(&method, 14, 3, &Knowledge::default()).unwrap();
        let windows = windows(&grid, &panel, &[0.1; 3], true);
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut uniform = || random.random_range(-1.0..1.0);
        let encoder = Convolution::<f64>::new(&windows, 3 * grid.units, 10.0, &mut uniform);
        let mut decoder = Parallel::<f64>::new(&grid, hidden, &mut uniform);
        let slope: Vec<f64> =
            (0..grid.knots.len() * grid.size()).map(|at| (at as f64).cos()).collect();
        decoder.check_gradients(encoder.state(), &slope);
    }
}

#[test]
fn the_heads_learn_the_gradient_of_central_differences() {
    let panel = random_panel(4, 10, 3, 5);
    for (model, rolling, bias) in
        [(Model::Mlp, false, true), (Model::Ode, false, true), (Model::Ode, true, false)]
    {
        let ends = if rolling { Ends::Dropped } else { Ends::Shifted };
        let method = DyCausal { model, ends, units: 4, spacing: 3, ..Default::default() };
        let grid = Grid::new(&method, 10, 3, &Knowledge::default()).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let uniform = || random.random_range(-1.0..1.0);
        let heads = Heads { ridge: 0.1, bias, rolling };
        let mut model = Perceptron::<f64>::new(&grid, method.rows(&grid, &panel), heads, uniform);
        let count = grid.knots.len() * grid.size();
        let knots: Vec<f64> = (0..count).map(|at| (at as f64).sin()).collect();
        model.check_gradients(&knots);
    }
}

#[test]
fn moments_give_the_loss_of_the_raw_data() {
    let panel = random_panel(6, 9, 2, 7);
    let method = DyCausal { window: 3, spacing: 2, sparsity: 0.0, ..Default::default() };
    let grid = Grid::new(&method, 9, 2, &Knowledge::default()).unwrap();
    let moments = Moments::of(&panel, 1).unwrap();
    let mut model = Linear::<f64>::new(&grid, &moments, false).unwrap();
    let count = grid.knots.len() * grid.size();
    let knots: Vec<f64> = (0..count).map(|at| 0.3 * (at as f64).sin()).collect();
    let found = model.evaluate(&knots, 1.0, &mut vec![0.0; count]);
    let rows: Rows<f64> = method.rows(&grid, &panel);
    let basis = grid.basis(true).unwrap();
    let knots = grid.continued(&knots);
    let mut expected = 0.0;
    for t in 1..9 {
        for row in 0..3 * 6 {
            let at = (grid.window_start(t) - 1) * 6 + row;
            for i in 0..2 {
                let weight = |j: usize| {
                    let path: Vec<f64> =
                        (0..grid.knots.len()).map(|k| knots[k * grid.size() + j * 2 + i]).collect();
                    basis.evaluate(&path, t)
                };
                let guess: f64 = (0..4).map(|j| weight(j) * rows.causes[at * 4 + j]).sum();
                expected += (rows.effects[at * 2 + i] - guess).powi(2) / (8.0 * 18.0);
            }
        }
    }
    assert!((found - expected).abs() < 1e-10 * expected, "{found} {expected}");
}

#[test]
fn the_proximal_step_removes_weak_edges_and_keeps_the_shape_of_strong_ones() {
    let method = DyCausal { lag: 0, spacing: 3, ..Default::default() };
    let grid = Grid::new(&method, 7, 2, &Knowledge::default()).unwrap();
    let mut free = Free::<f64>::new(&grid, || 0.0).with_group_lasso(&grid, 0.5);
    let count = grid.knots.len() * grid.size();
    // Edge 0 → 1 stands at place 1 of every knot, edge 1 → 0 at place 2.
    let mut gradient = vec![0.0; count];
    for k in 0..grid.knots.len() {
        gradient[k * grid.size() + 1] = -1.0 - k as f64;
        gradient[k * grid.size() + 2] = -1e-3;
    }
    for n in 1..=50 {
        free.group_penalty(1.0);
        free.step(&gradient, Adam::step(0.01, n));
    }
    let mut knots = vec![0.0; count];
    free.write_weights(&mut knots);
    let along = |place: usize| knots.iter().skip(place).step_by(grid.size());
    assert!(along(1).all(|w| *w > 0.05), "{knots:?}");
    assert!(along(2).all(|w| *w == 0.0), "{knots:?}");
}

#[test]
fn a_window_of_all_steps_gives_weights_that_stay() {
    let panel = simulated(20, 12);
    for model in [Model::Linear, Model::Mlp, Model::Ode] {
        for encoder in [Encoder::Free, Encoder::Convolution] {
            let few = DyCausal { iterations: 20, threshold: 0.01, ..Default::default() };
            let method = DyCausal { model, encoder, window: 0, units: 3, ..few };
            let graph = method.discover(&panel, &mut Run::new(0)).unwrap();
            assert!(!graph.edges().is_empty());
            for edge in graph.edges() {
                let at = |step: usize| edge.weight(graph.basis(), step);
                assert!((1..11).all(|step| at(step) == at(step + 1)), "{model:?} {encoder:?}");
            }
        }
    }
}

#[test]
fn precision_changes_little() {
    let panel = simulated(50, 20);
    let method = DyCausal {
        encoder: Encoder::Free,
        acyclic: Acyclic::Union,
        iterations: 200,
        ..Default::default()
    };
    let single =
        method.fit_in::<f32>(&Parts::default(), &[0.3], &panel, &mut Run::new(0)).unwrap().0;
    let double =
        method.fit_in::<f64>(&Parts::default(), &[0.3], &panel, &mut Run::new(0)).unwrap().0;
    let gap = single[0].compare(&double[0]).unwrap();
    assert!(gap.largest < 0.35 && gap.only_first + gap.only_second < 10, "{gap:?}");
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let panel = random_panel(6, 15, 4, 8);
    for model in [Model::Linear, Model::Mlp, Model::Ode] {
        let method = DyCausal { model, iterations: 20, threshold: 0.0, ..Default::default() };
        let fit = |threads| {
            let mut run = Run::new(5).with_threads(threads).unwrap();
            method.fit(&panel, &mut run).unwrap()
        };
        assert_eq!(fit(1), fit(3), "{model:?}");
    }
}

/// Keeps the last state in memory, and asks the run to stop after some saves.
#[derive(Default)]
struct Memory {
    kept: Mutex<Option<Vec<u8>>>,
    saves: Mutex<usize>,
    stop: Option<(usize, Cancel)>,
}

impl Checkpoint for Memory {
    fn load(&self) -> Result<Option<Vec<u8>>> {
        Ok(self.kept.lock().unwrap().clone())
    }
    fn save(&self, state: &[u8]) -> Result<()> {
        *self.kept.lock().unwrap() = Some(state.to_vec());
        *self.saves.lock().unwrap() += 1;
        if let Some((after, cancel)) = &self.stop
            && *self.saves.lock().unwrap() >= *after
        {
            cancel.cancel();
        }
        Ok(())
    }
    fn interval(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn the_order_of_a_network_and_edges_by_likelihood() {
    // x1 bends x2 within the step, and x3 a step later.
    let mut random = Run::new(6).random("likelihood test");
    let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
    let mut x = Array3::zeros((10, 30, 3));
    for (n, t) in (0..10).flat_map(|n| (0..30).map(move |t| (n, t))) {
        x[[n, t, 0]] = 2.0 * noise();
        x[[n, t, 1]] = 2.0 * f64::tanh(x[[n, t, 0]]) + 0.5 * noise();
        let past = if t == 0 { 0.0 } else { x[[n, t - 1, 0]] };
        x[[n, t, 2]] = 2.0 * f64::sin(past) + 0.5 * noise();
    }
    let panel = Panel::unnamed(x).unwrap();
    let method = DyCausal {
        model: Model::Mlp,
        encoder: Encoder::Free,
        acyclic: Acyclic::Union,
        window: 0,
        ridge: 0.05,
        iterations: 300,
        importance: Importance::Likelihood,
        ..Default::default()
    };
    let graph = method.discover(&panel, &mut Run::new(1)).unwrap();
    let found: Vec<_> = graph.edges().iter().map(|e| (e.lag, e.from, e.to)).collect();
    assert_eq!(found, [(0, 0, 1), (1, 0, 2)]);
    let refused = DyCausal { model: Model::Ode, ..method }.check().unwrap_err();
    assert!(refused.to_string().contains("importance"), "{refused}");
}

#[test]
fn an_interrupted_fit_goes_on_to_the_same_bits() {
    let panel = random_panel(6, 15, 4, 9);
    let small = DyCausal { iterations: 12, stages: 3, threshold: 0.0, ..Default::default() };
    let rolling = DyCausal { constraint: Constraint::LogDet, rate: 0.5, ..small.clone() };
    let network = DyCausal { model: Model::Mlp, encoder: Encoder::Free, ..small.clone() };
    for method in [small, rolling, network] {
        let whole = method.fit(&panel, &mut Run::new(2)).unwrap();
        for stop in [1, 13, 30] {
            let cancel = Cancel::default();
            let memory = Memory { stop: Some((stop, cancel.clone())), ..Default::default() };
            let memory = Arc::new(memory);
            let mut run = Run::new(2).with_cancel(cancel).with_checkpoint(memory.clone());
            assert_eq!(method.fit(&panel, &mut run), Err(Error::Cancelled));
            let kept = memory.kept.lock().unwrap().clone();
            let again = Memory { kept: Mutex::new(kept), ..Default::default() };
            let mut run = Run::new(2).with_checkpoint(Arc::new(again));
            assert_eq!(method.fit(&panel, &mut run).unwrap(), whole, "stopped after {stop}");
        }
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let panel = random_panel(6, 15, 4, 10);
    let method = DyCausal { iterations: 5, stages: 1, ..Default::default() };
    let memory = Arc::new(Memory::default());
    let mut run = Run::new(2).with_checkpoint(memory.clone());
    method.fit(&panel, &mut run).unwrap();
    let refused = |run: &mut Run| matches!(method.fit(&panel, run), Err(Error::Checkpoint { .. }));
    assert!(refused(&mut Run::new(3).with_checkpoint(memory.clone())), "another seed");
    let mut cut = memory.kept.lock().unwrap().clone().unwrap();
    cut.truncate(cut.len() - 5);
    let short = Memory { kept: Mutex::new(Some(cut)), ..Default::default() };
    assert!(refused(&mut Run::new(2).with_checkpoint(Arc::new(short))), "cut short");
    let foreign = Memory { kept: Mutex::new(Some(vec![1, 2, 3])), ..Default::default() };
    assert!(refused(&mut Run::new(2).with_checkpoint(Arc::new(foreign))), "foreign");
}

#[test]
fn leaving_the_domain_is_rolled_back() {
    let panel = simulated(50, 20);
    let method = DyCausal {
        constraint: Constraint::LogDet,
        rate: 0.2,
        iterations: 100,
        ..Default::default()
    };
    let fitted = method.fit(&panel, &mut Run::new(0)).unwrap();
    assert!(fitted.path.rollbacks > 0);
    assert!(fitted.path.cyclicity.iter().all(|h| h.is_finite()));
}

#[test]
fn every_constraint_and_scope_gives_an_acyclic_graph() {
    let panel = random_panel(8, 14, 4, 12);
    for constraint in Constraint::ALL {
        for acyclic in [Acyclic::Knot, Acyclic::Step, Acyclic::Pair, Acyclic::Union] {
            let method = DyCausal {
                constraint,
                acyclic,
                encoder: Encoder::Free,
                iterations: 10,
                threshold: 0.01,
                ..Default::default()
            };
            let graph = method.discover(&panel, &mut Run::new(1)).unwrap();
            assert!(graph.certify().is_acyclic());
        }
    }
}

#[test]
fn contradictions_are_refused_by_name() {
    let refused = |method: DyCausal, name: &str| matches!(method.check(), Err(Error::Parameter { name: found, .. }) if found == name);
    let base = DyCausal::default;
    assert!(refused(DyCausal { penalty: Penalty::Group, ..base() }, "penalty"));
    assert!(refused(DyCausal { model: Model::Ode, lag: 0, ..base() }, "lag"));
    assert!(refused(DyCausal { rate: f64::NAN, ..base() }, "rate"));
    assert!(refused(DyCausal { alpha: 1.0, ..base() }, "alpha"));
    assert!(refused(DyCausal { decay: 1.5, ..base() }, "decay"));
    assert!(refused(DyCausal { spacing: 0, ..base() }, "spacing"));
    assert!(refused(DyCausal { ridge: 0.1, ..base() }, "ridge"));
    assert!(refused(DyCausal { rolling: true, ..base() }, "rolling"));
    assert!(refused(DyCausal { model: Model::Ode, rolling: true, ..base() }, "ends"));
    assert!(refused(DyCausal { reach: 3.0, ..DyCausal::paper() }, "reach"));
    for model in [Model::Linear, Model::Mlp, Model::Ode] {
        assert!(DyCausal { model, ..DyCausal::paper() }.check().is_ok());
        assert!(DyCausal { model, window: 0, ..DyCausal::paper() }.check().is_ok());
    }
    assert!(DyCausal { ridge: 0.1, model: Model::Mlp, ..base() }.check().is_ok());
    assert!(base().check().is_ok());
}

#[test]
fn units_that_differ_are_warned_of() {
    let panel = random_panel(10, 20, 3, 13);
    let method = DyCausal { iterations: 5, ..Default::default() };
    let warned = |panel: &Panel| {
        let mut run = Run::new(0);
        method.discover(panel, &mut run).unwrap();
        run.warnings().iter().any(|w| w.contains("units"))
    };
    assert!(!warned(&panel));
    let mut values = panel.values().to_owned();
    values.slice_mut(ndarray::s![.., .., 0]).mapv_inplace(|x| 100.0 * x);
    assert!(warned(&Panel::unnamed(values).unwrap()));
}

#[test]
fn squared_errors_decide_about_one_matrix() {
    // b = 0.6 a, c = 0.5 b − 0.4 a, and a remembers itself; noise of one size.
    let (series, steps) = (20, 40);
    let mut random = Run::new(9).random("squared errors test");
    let mut noise = || (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>();
    let mut values = Array3::<f64>::zeros((series, steps, 3));
    for n in 0..series {
        for t in 0..steps {
            let before = if t == 0 { 0.0 } else { values[[n, t - 1, 0]] };
            let a = 0.5 * before + noise();
            let b = 0.6 * a + noise();
            let c = 0.5 * b - 0.4 * a + noise();
            for (v, value) in [a, b, c].into_iter().enumerate() {
                values[[n, t, v]] = value;
            }
        }
    }
    let panel = Panel::unnamed(values).unwrap();
    let method = DyCausal {
        encoder: Encoder::Free,
        acyclic: Acyclic::Union,
        importance: Importance::Likelihood,
        window: 0,
        threshold: 0.2,
        ..Default::default()
    };
    let graph = method.discover(&panel, &mut Run::new(1)).unwrap();
    let found: Vec<(usize, usize, usize)> =
        graph.edges().iter().map(|e| (e.from, e.to, e.lag)).collect();
    let truth = [(0, 0, 1, 0.5), (0, 1, 0, 0.6), (0, 2, 0, -0.4), (1, 2, 0, 0.5)];
    assert_eq!(found.len(), truth.len(), "{found:?}");
    for (from, to, lag, weight) in truth {
        let edge = graph.edges().iter().find(|e| (e.from, e.to, e.lag) == (from, to, lag));
        let value = edge.unwrap().trajectory.value(graph.basis(), 5);
        assert!((value - weight).abs() < 0.1, "{from} -> {to}: {value}");
    }
    let moving = DyCausal { window: 2, ..method };
    let refused = moving.check().unwrap_err().to_string();
    assert!(refused.contains("importance") && refused.contains("window = 0"), "{refused}");
}

#[test]
fn one_fit_serves_several_thresholds() {
    let panel = Panel::unnamed(Array3::from_shape_fn((10, 12, 3), |(n, t, v)| {
        (((n * 37 + t * 17 + v * 5) % 23) as f64 + v as f64 * t as f64).sin()
    }))
    .unwrap();
    let method = DyCausal { encoder: Encoder::Free, iterations: 30, ..Default::default() };
    let (graphs, _) = method.fit_at(&[0.0, 0.1], &panel, &mut Run::new(3)).unwrap();
    for (threshold, graph) in [0.0, 0.1].into_iter().zip(graphs) {
        let alone = DyCausal { threshold, ..method.clone() };
        assert_eq!(alone.fit(&panel, &mut Run::new(3)).unwrap().graph, graph);
    }
    assert!(method.fit_at(&[-1.0], &panel, &mut Run::new(3)).is_err());
}

#[test]
fn a_constraint_that_is_given_is_as_good_as_one_that_is_named() {
    let panel = random_panel(5, 14, 3, 9);
    let few = DyCausal { iterations: 40, threshold: 0.01, ..Default::default() };
    let named = DyCausal { constraint: Constraint::TraceExp, ..few.clone() };
    let given = few.clone().with_constraint(crate::acyclicity::TraceExp);
    let [named, usual] = [named, few].map(|method| method.fit(&panel, &mut Run::new(1)).unwrap());
    let given = given.fit(&panel, &mut Run::new(1)).unwrap();
    assert_eq!(named, given);
    assert_ne!(usual, given);
}

/// A state of the wrong size.
struct Narrow;

impl Encode<f32> for Narrow {
    fn state(&self) -> &[f64] {
        &[0.5]
    }
    fn step(&mut self, _: &[f32], _: Adam) {}
    fn restart(&mut self) {}
}

impl crate::optimise::State for Narrow {
    fn write(&self, _: &mut Vec<u8>) {}
    fn read(&mut self, _: &mut crate::optimise::Reader<'_>) -> Option<()> {
        Some(())
    }
}

#[test]
fn a_state_that_the_decoder_cannot_read_is_refused() {
    let panel = random_panel(5, 14, 3, 9);
    let method = DyCausal::default().with_encoder("narrow", |_| Ok(Box::new(Narrow)));
    let refused = method.discover(&panel, &mut Run::new(0)).unwrap_err();
    assert!(matches!(refused, Error::Shape { .. }), "{refused}");
}
