//! Which model is taken.

use ndarray::Array3;
use rand_distr::{Distribution, StandardNormal};

use super::ByEvidence;
use crate::method::Discover;
use crate::panel::Panel;
use crate::run::{Auto, Run};

fn panel(effect: impl Fn(f64, f64) -> f64) -> Panel {
    let mut random = Run::new(4).random("auto test");
    let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
    let mut x = Array3::zeros((12, 40, 3));
    for n in 0..12 {
        for t in 0..40 {
            let past = if t == 0 { 0.0 } else { x[[n, t - 1, 0]] };
            let (a, c) = (noise(), noise());
            x[[n, t, 0]] = a;
            x[[n, t, 1]] = effect(past, a) + 0.5 * noise();
            x[[n, t, 2]] = c;
        }
    }
    Panel::unnamed(x).unwrap()
}

fn taken(panel: &Panel) -> (String, usize) {
    let method = ByEvidence { lag: Auto::Value(1), ..ByEvidence::default() };
    let mut run = Run::new(1);
    let graph = method.discover(panel, &mut run).unwrap();
    let lines = run.facts().models.as_ref().unwrap();
    assert_eq!(lines.len(), 5);
    let chosen: Vec<&str> =
        lines.iter().filter(|line| line.chosen).map(|line| &*line.model).collect();
    assert_eq!(chosen.len(), 1);
    (chosen[0].to_owned(), graph.edges().len())
}

#[test]
fn straight_lines_where_they_are_as_good_and_curves_where_they_are_not() {
    assert_eq!(taken(&panel(|past, now| 0.8 * past - 0.6 * now)), ("linear".into(), 2));
    let (bent, edges) = taken(&panel(|past, now| (past * past).min(4.0) + (2.0 * now).tanh()));
    assert!(bent != "linear" && edges == 2, "{bent}, {edges} edges");
    assert_eq!(taken(&panel(|past, now| 1.2 * past * now)), ("gp".into(), 2));
}

/// Trajectories of x' = slope(x), seen at intervals with some noise.
fn trajectories(
    series: usize,
    steps: usize,
    noise: f64,
    slope: impl Fn(&[f64; 4]) -> [f64; 4],
) -> Panel {
    let mut random = Run::new(5).random("flow test");
    let mut draw = || -> f64 { StandardNormal.sample(&mut random) };
    let mut out = Array3::zeros((series, steps, 4));
    for n in 0..series {
        let mut x = [0, 1, 2, 3].map(|_| 2.0 * draw());
        for t in 0..steps {
            (0..4).for_each(|v| out[[n, t, v]] = x[v] + noise * draw());
            for _ in 0..100 {
                let along = slope(&x);
                (0..4).for_each(|v| x[v] += 0.01 * along[v]);
            }
        }
    }
    Panel::unnamed(out).unwrap()
}

#[test]
fn equations_of_motion_where_they_say_more() {
    // Products that a step of 0.1 units of time bends, as flows do.
    let turning = |x: &[f64; 4]| {
        let along = [0, 1, 2, 3]
            .map(|v: usize| (x[(v + 1) % 4] - x[(v + 2) % 4]) * x[(v + 3) % 4] - x[v] + 6.0);
        along.map(|slope| 0.1 * slope)
    };
    let (model, edges) = taken(&trajectories(12, 40, 0.01, turning));
    assert!(model == "ode" && edges >= 12, "{model}, {edges} edges");
    let linear =
        |x: &[f64; 4]| [-0.2 * x[0], 0.5 * x[0] - 0.3 * x[1], 0.6 * x[1] - 0.4 * x[2], -0.3 * x[3]];
    let (model, _) = taken(&trajectories(30, 12, 0.3, linear));
    assert_eq!(model, "relax");
}
