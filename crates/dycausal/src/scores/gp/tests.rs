//! Evidence and gradients against other implementations, and against differences.

use serde_json::Value;

use super::family::{Covariance, Place};
use super::fit::ProcessFit;
use super::process::{MEAN, Process};
use crate::fixed_noise::noise;
use crate::real::Real;

const ROWS: usize = 40;
const INPUTS: usize = 3;

fn process<R: Real>() -> Process<R> {
    let inputs: Vec<Vec<R>> = (0..INPUTS)
        .map(|j| (0..ROWS).map(|a| R::of(3.0 * noise(a * INPUTS + j))).collect())
        .collect();
    let y: Vec<R> = (0..ROWS)
        .map(|a| {
            let x = |j: usize| 3.0 * noise(a * INPUTS + j);
            R::of((1.5 * x(0)).sin() + 0.5 * x(1) * x(2) + noise(1_000 + a))
        })
        .collect();
    Process::new(&inputs, &y, None)
}

/// Parameters away from the start and from all bounds.
fn parameters(family: Covariance) -> Vec<f64> {
    let start = family.start(INPUTS);
    start.iter().enumerate().map(|(k, x)| x + 0.2 * noise(500 + k) + 0.1).collect()
}

#[test]
fn gradients_are_differences_of_the_evidence() {
    for family in Covariance::ALL {
        let mut process = process::<f64>();
        let at = parameters(family);
        let mut gradient = vec![0.0; at.len()];
        process.gradient(family, &at, &mut gradient);
        for k in 0..at.len() {
            let mut side = |step: f64| {
                let mut moved = at.clone();
                moved[k] += step;
                process.value(family, &moved)
            };
            let measured = (side(1e-5) - side(-1e-5)) / 2e-5;
            let close = 1e-6 * (1.0 + measured.abs());
            assert!(
                (measured - gradient[k]).abs() < close,
                "{family:?} {k}: {measured} {}",
                gradient[k]
            );
        }
    }
}

#[test]
fn single_precision_is_close_to_double() {
    for family in Covariance::ALL {
        let at = parameters(family);
        let (mut rough, mut fine) = (vec![0.0; at.len()], vec![0.0; at.len()]);
        let single = process::<f32>().gradient(family, &at, &mut rough);
        let double = process::<f64>().gradient(family, &at, &mut fine);
        assert!((single - double).abs() < 1e-2, "{family:?}: {single} {double}");
        for (a, b) in rough.iter().zip(&fine) {
            assert!((a - b).abs() < 2e-2 * (1.0 + b.abs()), "{family:?}: {a} {b}");
        }
    }
}

/// `scripts/golden_gp.py` made the values, with scikit-learn where it has the covariance.
#[test]
fn evidence_and_gradients_agree_with_other_implementations() {
    let golden: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    for family in Covariance::ALL {
        let name = serde_json::to_value(family).unwrap();
        let known = &golden[name.as_str().unwrap()];
        let at: Vec<f64> = serde_json::from_value(known["parameters"].clone()).unwrap();
        let expected: Vec<f64> = serde_json::from_value(known["gradient"].clone()).unwrap();
        let mut gradient = vec![0.0; at.len()];
        let value = process::<f64>().gradient(family, &at, &mut gradient);
        let known = known["value"].as_f64().unwrap();
        assert!((value - known).abs() < 1e-8 * known.abs(), "{family:?}: {value} {known}");
        for (k, (found, known)) in gradient.iter().zip(&expected).enumerate() {
            let close = 1e-8 * (1.0 + known.abs());
            assert!((found - known).abs() < close, "{family:?} {k}: {found} {known}");
        }
    }
}

#[test]
fn the_covariance_of_two_points_is_that_of_the_matrix() {
    for family in Covariance::ALL {
        let at = parameters(family);
        let point =
            |a: usize| -> Vec<f64> { (0..INPUTS).map(|j| 3.0 * noise(a * INPUTS + j)).collect() };
        let place = |a: usize| Place::new(&at, point(a));
        let inputs: Vec<Vec<f64>> =
            point(0).into_iter().zip(point(1)).map(|(x, y)| vec![x, y]).collect();
        let y = [0.7, -0.4];
        let mut two = Process::new(&inputs, &y, None);
        let entry = |a: usize, b: usize| {
            let noise = if a == b { at[INPUTS + 1].exp() } else { 0.0 };
            family.between(&at, &place(a), &place(b)) + MEAN + noise
        };
        let (first, both, second) = (entry(0, 0), entry(0, 1), entry(1, 1));
        let volume = first * second - both * both;
        let away = (second * y[0] * y[0] - 2.0 * both * y[0] * y[1] + first * y[1] * y[1]) / volume;
        let known = 0.5 * (away + volume.ln()) + std::f64::consts::TAU.ln();
        let found = two.value(family, &at);
        assert!((found - known).abs() < 1e-12, "{family:?}: {found} {known}");
    }
}

#[test]
fn a_shortlist_holds_the_most_relevant_inputs_and_required_ones() {
    let family = Covariance::Smooth;
    let parameters = vec![0.3, 0.1, 0.9, 0.2, 0.5, -1.0];
    let fit = ProcessFit { family, columns: vec![2, 5, 7, 8], parameters, value: 4.0 };
    let short = fit.clone().shortened(2, &[5]);
    assert_eq!(short.columns, [2, 5, 7]);
    assert_eq!(short.parameters, [0.3, 0.1, 0.9, 0.5, -1.0]);
    assert_eq!(fit.clone().shortened(4, &[]).columns, fit.columns);
}
