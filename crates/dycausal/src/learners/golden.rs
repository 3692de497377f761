//! Values of `scripts/golden_trajectories.py`: numpy's least squares and scipy's distributions.

use serde_json::Value;

/// One part of the file.
pub(super) fn part(name: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("golden_trajectories.json")).unwrap();
    all[name].clone()
}

/// A list of numbers.
pub(super) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A list of counts.
pub(super) fn counts(value: &Value) -> Vec<usize> {
    let count = |x: &Value| usize::try_from(x.as_u64().unwrap()).unwrap();
    value.as_array().unwrap().iter().map(count).collect()
}

/// The log odds of a ranking where sources differ.
#[test]
fn log_odds_are_those_of_numpy() {
    use crate::graph::{Ranking, Sources};
    let golden = part("sources");
    let mut values = ndarray::Array3::from_elem((2, 7, 7), f64::NAN);
    let given = ndarray::Array2::from_shape_vec((7, 7), numbers(&golden["statistics"])).unwrap();
    values.index_axis_mut(ndarray::Axis(0), 1).assign(&given);
    let found = Ranking::new("Wald", values).unwrap().with_sources(Sources::Differ);
    for (k, expected) in numbers(&golden["expected"]).into_iter().enumerate() {
        let odds = found.get(1, k / 7, k % 7).unwrap();
        assert!((odds - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{odds}, not {expected}");
    }
}
