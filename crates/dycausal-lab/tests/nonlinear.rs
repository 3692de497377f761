//! Networks and Lorenz-96 do what their formulas say.

// Helpers of tests may fail loudly too; clippy knows only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use dycausal_lab::simulate::{Model, Simulation};
use ndarray::Axis;

fn of(model: &str) -> Simulation {
    Simulation::of(model.parse().unwrap())
}

#[test]
fn the_defaults_are_the_papers_static_tasks() {
    for (model, lag) in [("mlp", 2), ("lorenz", 1)] {
        let simulated = of(model).draw(1).unwrap();
        assert_eq!(simulated.panel.values().dim(), (20, 50, 10));
        assert_eq!((simulated.truth.lag(), simulated.truth.steps()), (lag, 50));
        assert!(simulated.truth.at(0).iter().all(|(_, weight)| *weight == 1.0));
        let again = of(model).draw(1).unwrap();
        assert_eq!(simulated.panel.values(), again.panel.values());
    }
    assert!("lorentz".parse::<Model>().unwrap_err().to_string().contains("`lorenz`"));
}

#[test]
fn a_network_has_the_noise_of_its_law_where_nothing_causes_it() {
    let simulated = Simulation { cut: 1, steps: 4000, variables: 6, density: 0.5, ..of("mlp") }
        .draw(2)
        .unwrap();
    let truth = &simulated.truth;
    let free: Vec<usize> =
        (0..6).filter(|v| truth.edges().iter().all(|edge| edge.to != *v)).collect();
    assert!(!free.is_empty() && free.len() < 6);
    for (variable, column) in simulated.panel.summaries().iter().enumerate() {
        let (mean, sd) = (column.mean, column.sd);
        if free.contains(&variable) {
            assert!(mean.abs() < 0.07 && (sd - 1.0).abs() < 0.05, "{mean} {sd}");
        } else {
            // What causes do comes on top of noise of sd 1.
            assert!(sd > 0.95, "{sd}");
        }
    }
}

#[test]
fn the_gains_of_a_network_move_with_its_dynamics() {
    for dynamics in ["full", "regimes", "appearing", "reordering:1", "nonsmooth"] {
        let dynamics = dynamics.parse().unwrap();
        let simulated =
            Simulation { dynamics, cut: 1, steps: 50, series: 4, ..of("mlp") }.draw(3).unwrap();
        assert!(simulated.truth.at(0) != simulated.truth.at(43));
        assert!(simulated.truth.certify().is_acyclic());
    }
}

#[test]
fn lorenz_follows_its_equation() {
    // A short interval without noise: central differences have an error of O(interval²).
    let model = Model::Lorenz {
        forcing: 5.0,
        interval: 0.002,
        substeps: 1,
        process_noise: 0.0,
        observation_noise: 0.0,
    };
    let simulation =
        Simulation { cut: 1, steps: 400, burn_in: Some(5000), ..Simulation::of(model) };
    let panel = simulation.draw(1).unwrap().panel;
    let x = panel.one_series(0);
    let mut moved = 0.0f64;
    for t in 1..399 {
        for i in 0..10 {
            let at = |by: usize| x[[t, (i + by) % 10]];
            let slope = -at(9) * (at(8) - at(1)) - at(0) + 5.0;
            let difference = (x[[t + 1, i]] - x[[t - 1, i]]) / 0.004;
            assert!((slope - difference).abs() < 1e-2, "{slope} {difference}");
            moved = moved.max(slope.abs());
        }
    }
    assert!(moved > 1.0, "the state is at rest: {moved}");
}

#[test]
fn lorenz_stays_bounded_and_noise_shows() {
    let simulation = Simulation { variables: 40, ..of("lorenz") };
    let panel = simulation.draw(5).unwrap().panel;
    assert!(panel.values().iter().all(|x| x.abs() < 30.0));
    let Model::Lorenz { forcing, interval, substeps, process_noise, .. } = simulation.model else {
        panic!("asked for lorenz")
    };
    let model =
        Model::Lorenz { forcing, interval, substeps, process_noise, observation_noise: 0.5 };
    let noisy = Simulation { model, ..simulation }.draw(5).unwrap().panel;
    let jump = |panel: &dycausal::Panel| {
        let x = panel.one_series(0);
        let pairs = x.axis_windows(Axis(0), 2);
        pairs.into_iter().map(|w| (w[[1, 0]] - w[[0, 0]]).powi(2)).sum::<f64>()
    };
    assert!(jump(&noisy) > jump(&panel));
}

#[test]
fn what_these_models_cannot_do_is_refused() {
    for (name, simulation) in [
        ("dynamics", Simulation { dynamics: "full".parse().unwrap(), cut: 1, ..of("lorenz") }),
        ("lag", Simulation { lag: 2, ..of("lorenz") }),
        ("variables", Simulation { variables: 3, ..of("lorenz") }),
        (
            "hidden",
            Simulation { model: Model::Mlp { hidden: 0, weights: (0.5, 2.0) }, ..of("mlp") },
        ),
        (
            "weights",
            Simulation { model: Model::Mlp { hidden: 1, weights: (0.0, 2.0) }, ..of("mlp") },
        ),
    ] {
        let answer = simulation.draw(1).unwrap_err().to_string();
        assert!(answer.contains(name), "{answer}");
    }
}
