//! The checks agree with scipy and statsmodels; `scripts/golden_diagnostics.py` made the values.

use ndarray::Array3;
use serde_json::Value;

use super::Diagnostics;
use crate::basis::Basis;
use crate::fixed_noise::noise;
use crate::graph::{DynamicGraph, Edge, Trajectory};
use crate::panel::Panel;

const SERIES: usize = 24;
const STEPS: usize = 41;

fn panel() -> Panel {
    let mut x = Array3::zeros((SERIES, STEPS, 2));
    for n in 0..SERIES {
        for t in 0..STEPS {
            let k = 2 * (n * STEPS + t);
            x[[n, t, 0]] = noise(k);
            x[[n, t, 1]] = (1.0 + t as f64 / STEPS as f64) * noise(k + 1).powi(3) * 4.0;
            if t > 0 {
                x[[n, t, 1]] += 0.7 * x[[n, t - 1, 0]] + 0.2 * x[[n, t - 1, 1]];
            }
        }
    }
    Panel::unnamed(x).unwrap()
}

#[test]
fn checks_agree_with_other_implementations() {
    let golden: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    let panel = panel();
    let edge = Edge::new(0, 1, 1, Trajectory::Constant(0.5), STEPS);
    let (names, times) = (panel.names().to_vec(), panel.times().clone());
    let basis = Basis::constant(STEPS).unwrap();
    let graph = DynamicGraph::new(names, times, 1, basis, vec![edge]).unwrap();
    let found = Diagnostics::of(&graph, &panel).unwrap();
    let of = |check: &str| {
        found.findings.iter().find(|f| f.check == check && f.variables == ["x2"]).unwrap()
    };
    let figures = &found.variables[1];
    let cases = [
        ("whiteness_statistic", of("whiteness").figures["statistic"]),
        ("whiteness_p", of("whiteness").p.unwrap()),
        ("variance_statistic", of("variance").figures["statistic"]),
        ("variance_p", of("variance").p.unwrap()),
        ("skewness", figures.skewness.unwrap()),
        ("excess_kurtosis", figures.excess_kurtosis.unwrap()),
        ("explained", figures.explained.unwrap()),
        ("held_out", figures.held_out.unwrap()),
        ("sd", figures.sd),
    ];
    for (name, value) in cases {
        let expected = golden[name].as_f64().unwrap();
        // Findings are kept to six digits.
        assert!((value - expected).abs() <= 1e-5 * expected.abs(), "{name}: {value}, {expected}");
    }
}
