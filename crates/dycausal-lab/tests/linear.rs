//! The linear simulator does what its formulas say.

// Helpers of tests may fail loudly too; clippy knows only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use dycausal::graph::Trajectory;
use dycausal_lab::Error;
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{Dynamics, NoiseLaw, NoiseScale, Simulated, Simulation};
use ndarray::{Array3, Axis};

/// What the truth leaves over of the data.
fn residuals(simulated: &Simulated) -> Array3<f64> {
    let values = simulated.panel.values();
    let mut left = values.to_owned();
    for step in 0..simulated.truth.steps() {
        for (edge, weight) in simulated.truth.at(step) {
            if edge.lag <= step {
                for n in 0..values.dim().0 {
                    left[[n, step, edge.to]] -= weight * values[[n, step - edge.lag, edge.from]];
                }
            }
        }
    }
    left
}

fn mean_power<'a>(values: impl Iterator<Item = &'a f64> + Clone, power: i32) -> f64 {
    let count = values.clone().count() as f64;
    values.map(|x| x.powi(power)).sum::<f64>() / count
}

fn static_small() -> Simulation {
    Simulation { dynamics: Dynamics::Static, weights: (0.3, 0.5), ..Simulation::default() }
}

#[test]
fn what_the_truth_leaves_over_is_the_noise() {
    for dynamics in ["full", "instantaneous", "nonsmooth", "regimes", "appearing", "reordering"] {
        let simulation = Simulation {
            dynamics: dynamics.parse().unwrap(),
            noise_scale: NoiseScale::Equal(0.7),
            weights: (0.3, 0.5),
            lag: 2,
            ..Simulation::default()
        };
        // 10 000 draws per variable: four standard errors are 4 · 0.7 / √20000 = 0.02.
        for column in residuals(&simulation.draw(1).unwrap()).axis_iter(Axis(2)) {
            let sd = mean_power(column.iter(), 2).sqrt();
            assert!((sd - 0.7).abs() < 0.02, "{dynamics}: {sd}");
        }
    }
}

#[test]
fn each_law_has_its_kurtosis_and_standard_deviation_one() {
    for (law, kurtosis, tolerance) in [
        ("gaussian", 3.0, 0.1),
        ("laplace", 6.0, 0.5),
        ("uniform", 1.8, 0.03),
        ("student-t:10", 4.0, 0.4),
    ] {
        let noise: NoiseLaw = law.parse().unwrap();
        let simulation = Simulation { noise, density: 0.0, ..Simulation::default() };
        let panel = simulation.draw(4).unwrap().panel;
        let (variance, fourth) =
            (mean_power(panel.values().iter(), 2), mean_power(panel.values().iter(), 4));
        assert!((variance - 1.0).abs() < 0.02, "{law}: {variance}");
        assert!((fourth / variance.powi(2) - kurtosis).abs() < tolerance, "{law}: {fourth}");
    }
}

#[test]
fn noise_has_a_standard_deviation_per_variable_that_may_move() {
    let sd = |scale: &str, steps: std::ops::Range<usize>| -> Vec<f64> {
        let noise_scale = scale.parse().unwrap();
        let simulation = Simulation { noise_scale, density: 0.0, ..Simulation::default() };
        let values = simulation.draw(2).unwrap().panel.values().to_owned();
        let some = values.slice_axis(Axis(1), steps.into());
        some.axis_iter(Axis(2)).map(|column| mean_power(column.iter(), 2).sqrt()).collect()
    };
    let still = sd("0.5,1.5", 0..50);
    assert!(still.iter().all(|sd| (0.48..1.55).contains(sd)), "{still:?}");
    let spread =
        still.iter().fold(0.0f64, |m, x| m.max(*x)) - still.iter().fold(9.0f64, |m, x| m.min(*x));
    assert!(spread > 0.6, "{spread}");
    // Over half a period the mean sd moves by 2 · depth · 2/π at the best phase.
    let (early, late) = (sd("moving:1,1,0.8", 0..25), sd("moving:1,1,0.8", 25..50));
    let moved = early.iter().zip(&late).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved > 0.7, "{moved}");
}

#[test]
fn weights_are_in_their_range_and_move_by_the_formula() {
    let truth = Simulation { lag: 2, series: 2, weights: (0.3, 0.5), ..Simulation::default() }
        .draw(7)
        .unwrap()
        .truth;
    assert_eq!(truth.instantaneous().count(), 40);
    let mut waves = [0, 0];
    for edge in truth.edges() {
        let Trajectory::Steps(path) = &edge.trajectory else { panic!("every edge moves") };
        // cos(π t/T) is -1 at the last step; sin(π t/T) is 1 half-way, at t = 25.
        let cosine = path[49].abs() > path[24].abs();
        waves[usize::from(cosine)] += 1;
        let start = if cosine { -path[49] } else { path[24] };
        let size = start.abs() * 1.5f64.powf(edge.lag as f64);
        assert!((0.3..=0.5).contains(&size), "{size}");
        for (t, weight) in path.iter().enumerate() {
            let angle = std::f64::consts::PI * (t + 1) as f64 / 50.0;
            let expected = start * if cosine { angle.cos() } else { angle.sin() };
            assert!((weight - expected).abs() < 1e-12);
        }
        assert!(!edge.presence.contains(if cosine { 24 } else { 49 }));
    }
    assert!(waves.iter().all(|count| *count > 30), "{waves:?}");
}

#[test]
fn each_kind_of_change_is_what_it_says() {
    let truth = |dynamics: &str| {
        let dynamics = dynamics.parse().unwrap();
        let simulation =
            Simulation { dynamics, weights: (0.3, 0.5), series: 2, ..Simulation::default() };
        simulation.draw(5).unwrap().truth
    };
    let jumps = truth("nonsmooth:1,2");
    assert!(jumps.edges().iter().all(|edge| edge.presence.count() == 25));
    let lagged_stay = truth("instantaneous");
    for edge in lagged_stay.edges() {
        assert_eq!(edge.lag > 0, matches!(edge.trajectory, Trajectory::Constant(_)));
    }
    let regimes = truth("regimes:20");
    assert_eq!(regimes.at(0), regimes.at(19));
    assert_eq!(regimes.at(20), regimes.at(49));
    assert_ne!(regimes.at(19), regimes.at(20));
    for edge in truth("appearing").edges() {
        let ranges = edge.presence.ranges();
        let at = if ranges[0].0 == 0 { ranges[0].1 } else { ranges[0].0 };
        assert!(ranges.len() == 1 && (12..=38).contains(&at), "{ranges:?}");
        assert!(ranges[0].0 == 0 || ranges[0].1 == 50);
    }
    let turning = truth("reordering:4");
    let turned = |edge: &&dycausal::Edge| turning.edge(0, edge.to, edge.from).is_some();
    assert_eq!(turning.instantaneous().filter(turned).count(), 8);
    assert!(turning.certify().is_acyclic());
}

#[test]
fn static_series_are_stationary_and_stable() {
    let simulation = Simulation { lag: 2, ..static_small() };
    let simulated = simulation.draw(3).unwrap();
    assert_eq!(simulated.truth.at(0), simulated.truth.at(49));
    assert!(simulated.spec.radius.unwrap() < 1.0);
    let power =
        |step: usize| mean_power(simulated.panel.values().index_axis(Axis(1), step).iter(), 2);
    let (first, last) = (power(0), power(49));
    assert!((first / last - 1.0).abs() < 0.15, "{first} {last}");
    let strong = Simulation { density: 4.0, weights: (2.0, 3.0), ..static_small() };
    let refused = strong.draw(1).unwrap_err();
    assert!(matches!(refused, Error::Unstable { .. }));
    assert!(refused.to_string().contains("lower `weights` (2 to 3"));
    let moving = Simulation { dynamics: Dynamics::Full, steps: 400, ..strong };
    assert!(matches!(moving.draw(1).unwrap_err(), Error::Explodes { .. }));
}

#[test]
fn a_long_series_is_cut_into_pieces_that_follow_each_other() {
    let whole = Simulation { series: 1, steps: 1000, lag: 2, ..static_small() };
    let pieces = Simulation { cut: 20, ..whole.clone() };
    let (whole, pieces) = (whole.draw(1).unwrap(), pieces.draw(1).unwrap());
    assert_eq!(pieces.panel.values().dim(), (20, 50, 20));
    assert_eq!(pieces.truth.steps(), 50);
    assert!(whole.panel.values().iter().eq(pieces.panel.values().iter()));
}

#[test]
fn standardised_columns_keep_the_truth_exact() {
    let plain = Simulation { weights: (0.3, 0.5), ..Simulation::default() };
    let simulation = Simulation { standardise: true, ..plain.clone() };
    let (plain, simulated) = (plain.draw(2).unwrap(), simulation.draw(2).unwrap());
    for column in &simulated.panel.summaries() {
        assert!(column.mean.abs() < 1e-12 && (column.sd - 1.0).abs() < 1e-12);
    }
    // Residuals are the noise of sd 1 in the new units, but for the mean, which is small here.
    for (variable, column) in residuals(&simulated).axis_iter(Axis(2)).enumerate() {
        let sd = mean_power(column.iter(), 2).sqrt() * simulated.spec.units[variable];
        assert!((sd - 1.0).abs() < 0.03, "{sd}");
    }
    let back = simulated.in_own_units(&simulated.truth).unwrap();
    assert!(back.compare(&plain.truth).unwrap().largest < 1e-12);
}

#[test]
fn the_same_seed_gives_the_same_bits_and_streams_are_apart() {
    let simulation = Simulation { series: 3, ..Simulation::default() };
    let first = simulation.draw(9).unwrap();
    let again = simulation.draw(9).unwrap();
    assert_eq!(first.panel.values(), again.panel.values());
    assert_ne!(first.truth, simulation.draw(10).unwrap().truth);
    let more = Simulation { series: 5, ..simulation.clone() }.draw(9).unwrap();
    assert_eq!(first.truth, more.truth);
    assert_eq!(first.panel.one_series(2), more.panel.one_series(2));
    let other = Simulation { noise: NoiseLaw::Laplace, ..simulation }.draw(9).unwrap();
    assert_eq!(first.truth, other.truth);
    assert_ne!(first.panel.values(), other.panel.values());
}

#[test]
fn impossible_simulations_are_refused_by_name() {
    let standard = Simulation::default;
    for (name, simulation) in [
        ("variables", Simulation { variables: 0, ..standard() }),
        ("series", Simulation { series: 0, ..standard() }),
        ("lag", Simulation { lag: 50, ..standard() }),
        ("density", Simulation { density: f64::NAN, ..standard() }),
        ("weights", Simulation { weights: (1.0, 0.5), ..standard() }),
        ("decay", Simulation { decay: 0.0, ..standard() }),
        ("noise", Simulation { noise: NoiseLaw::StudentT { degrees: 2.0 }, ..standard() }),
        ("noise_scale", Simulation { noise_scale: NoiseScale::Equal(0.0), ..standard() }),
        ("cut", Simulation { cut: 5, ..standard() }),
        ("cut", Simulation { cut: 7, ..static_small() }),
        ("dynamics", Simulation { dynamics: Dynamics::Reordering { flips: 999 }, ..standard() }),
        ("all series", Simulation { series: usize::MAX, ..standard() }),
        ("variables", Simulation { variables: usize::MAX >> 8, series: 1, steps: 2, ..standard() }),
        ("one series", Simulation { burn_in: Some(usize::MAX), ..standard() }),
        ("true weights", Simulation { variables: 100_000, series: 1, density: 1e5, ..standard() }),
    ] {
        let answer = simulation.draw(1).unwrap_err();
        assert!(answer.to_string().contains(name), "{name}: {answer}");
        assert!(answer.is_input());
    }
}

#[test]
fn a_simulation_comes_back_from_json_and_unknown_fields_are_refused() {
    let simulation = Simulation { dynamics: "regimes:3".parse().unwrap(), ..Simulation::default() };
    let text = serde_json::to_string(&simulation).unwrap();
    assert_eq!(serde_json::from_str::<Simulation>(&text).unwrap(), simulation);
    assert!(serde_json::from_str::<Simulation>(r#"{"variable": 3}"#).is_err());
}

#[test]
fn three_thousand_variables_are_simulated_and_scored() {
    let simulation = Simulation { variables: 3000, series: 2, ..Simulation::default() };
    let simulated = simulation.draw(1).unwrap();
    assert_eq!(simulated.truth.instantaneous().count(), 6000);
    let scores = score(&simulated.truth, &simulated.truth, Options::default()).unwrap();
    assert_eq!(scores.all.average.f1, Some(1.0));
    assert_eq!(scores.all.average.shd, Some(0.0));
    assert_eq!(scores.all.average.weight_rmse, Some(0.0));
}
