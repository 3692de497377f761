//! The linear simulator does what its formulas say.

use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{Dynamics, NoiseScale, Simulation};
use ndarray::Axis;

fn residual_sd(simulation: &Simulation, seed: u64) -> Vec<f64> {
    let simulated = simulation.draw(seed).unwrap();
    let values = simulated.panel.values();
    let mut residuals = values.to_owned();
    for step in 0..simulation.steps {
        for (edge, weight) in simulated.truth.at(step) {
            if edge.lag <= step {
                for n in 0..simulation.series {
                    residuals[[n, step, edge.to]] -=
                        weight * values[[n, step - edge.lag, edge.from]];
                }
            }
        }
    }
    let columns = residuals.axis_iter(Axis(2));
    columns.map(|c| (c.iter().map(|x| x * x).sum::<f64>() / c.len() as f64).sqrt()).collect()
}

#[test]
fn what_the_truth_leaves_over_is_the_noise() {
    let simulation = Simulation { noise_scale: NoiseScale::Equal(0.7), ..Simulation::default() };
    // 10 000 draws per variable: four standard errors are 4 · 0.7 / √20000 = 0.02.
    for sd in residual_sd(&simulation, 1) {
        assert!((sd - 0.7).abs() < 0.02, "{sd}");
    }
}

#[test]
fn static_truth_does_not_move_and_scores_itself_perfectly() {
    let simulation = Simulation {
        dynamics: Dynamics::Static,
        series: 2,
        weights: (0.3, 0.5),
        ..Simulation::default()
    };
    let truth = simulation.draw(3).unwrap().truth;
    assert_eq!(truth.at(0), truth.at(49));
    let options = Options { threshold: 0.1, ..Options::default() };
    let scores = score(&truth, &truth, options).unwrap();
    assert_eq!(scores.all.average.f1, Some(1.0));
    assert_eq!(scores.all.average.shd, Some(0.0));
}
