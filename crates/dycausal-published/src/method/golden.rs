//! One step of the method as the paper's text has it, against `scripts/golden_published.py`, which writes the
//! equations out and shares no code with this.

use dycausal::Knowledge;
use ndarray::Array3;
use serde_json::Value;

use super::*;
use crate::decoder::Parallel;
use crate::encoder::{Convolution, Encode, windows};
use crate::fixed_noise::noise;
use crate::grid::Grid;
use crate::model::{Heads, Loss, Perceptron};
use crate::objective::Objective;
use crate::weights::Coded;

const MU: f64 = 0.1;

/// Three series of fifteen steps and five variables, whose means are not 0.
fn panel() -> Panel {
    let value = |(n, t, v): (usize, usize, usize)| 2.0 * noise((n * 15 + t) * 5 + v) + 0.3;
    Panel::unnamed(Array3::from_shape_fn((3, 15, 5), value)).unwrap()
}

/// Numbers between −1 and 1, one after the other.
fn draws(start: usize) -> impl FnMut() -> f64 {
    let mut at = start;
    move || {
        at += 1;
        2.0 * noise(at - 1)
    }
}

fn agrees(found: &[f64], golden: &Value, what: &str) {
    let golden: Vec<f64> = serde_json::from_value(golden.clone()).unwrap();
    assert_eq!(found.len(), golden.len(), "{what}");
    for (at, (found, golden)) in found.iter().zip(&golden).enumerate() {
        assert!((found - golden).abs() < 1e-9, "{what} {at}: {found} {golden}");
    }
}

#[test]
fn loss_and_gradient_are_those_of_the_equations() {
    let golden: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    let panel = panel();
    for (model, word) in [(Model::Linear, "linear"), (Model::Mlp, "mlp"), (Model::Ode, "ode")] {
        let golden = &golden[word];
        let method = DyCausal { model, units: 3, ..DyCausal::paper() }.settled();
        method.check().unwrap();
        let grid = Grid::new(&method, 15, 5, &Knowledge::default()).unwrap();
        let windows = windows(&grid, &panel, &method.centres(&panel), false);
        let mut draw = draws(10_000);
        let encoder = Convolution::<f64>::new(&windows, 5 * grid.units, 0.0, &mut draw);
        let state = encoder.state().to_vec();
        let decoder = |draw: &mut dyn FnMut() -> f64| Parallel::<f64>::new(&grid, 0, draw);
        let mut again = draws(10_000);
        Convolution::<f64>::new(&windows, 5 * grid.units, 0.0, &mut again);
        let mut same = decoder(&mut again);
        let coded = Coded::new(Box::new(encoder), Box::new(decoder(&mut draw)));
        let heads = Heads { ridge: 0.0, bias: method.bias, rolling: method.rolling };
        let network =
            || Perceptron::<f64>::new(&grid, method.rows(&grid, &panel), heads, draws(20_000));
        let usual = Parts::<f64>::default().objective(&method, &panel, &Run::new(0)).unwrap();
        let model: Box<dyn Loss<f64>> = match model {
            Model::Linear => usual.model,
            _ => Box::new(network()),
        };
        let mut objective = Objective { weights: Box::new(coded), model, ..usual };
        let found = crate::optimise::Problem::evaluate(&mut objective, MU).unwrap();
        agrees(&[found.loss], &Value::Array(vec![golden["loss"].clone()]), "loss");
        agrees(&[found.cyclicity], &Value::Array(vec![golden["cyclicity"].clone()]), "h");
        let [state, spread, sources] = same.gradients(&state, &objective.gradient);
        agrees(&state, &golden["state"], "state");
        agrees(&spread, &golden["spread"], "spread");
        agrees(&sources, &golden["sources"], "sources");
        if word != "linear" {
            let mut network = network();
            grid.mask(&mut objective.knots, 0.0);
            network.evaluate(&objective.knots, MU, &mut objective.gradient);
            agrees(network.gradient(), &golden["heads"], "heads");
        }
    }
}
