//! Each preparation by hand, the record, and what is refused.

use ndarray::{Array3, array};
use proptest::prelude::*;

use super::*;
use crate::error::Error;
use crate::panel::{Panel, TimeIndex};

/// Series of one variable.
fn panel(series: &[&[f64]]) -> Panel {
    let values =
        Array3::from_shape_fn((series.len(), series[0].len(), 1), |(n, t, _)| series[n][t]);
    Panel::new(values, vec!["x".into()]).unwrap()
}

fn prepared(words: &str, series: &[&[f64]]) -> Vec<f64> {
    let (panel, _) = words.parse::<Recipe>().unwrap().apply(&panel(series)).unwrap();
    panel.values().iter().copied().collect()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-12 || (a.is_nan() && b.is_nan()), "{found:?} {expected:?}");
    }
}

#[test]
fn each_preparation_does_what_it_says() {
    let e = std::f64::consts::E;
    near(&prepared("log", &[&[1.0, e, e * e]]), &[0.0, 1.0, 2.0]);
    near(&prepared("difference", &[&[1.0, 4.0, 9.0, 16.0]]), &[3.0, 5.0, 7.0]);
    near(&prepared("difference(2)", &[&[1.0, 4.0, 9.0, 16.0]]), &[8.0, 12.0]);
    near(&prepared("difference,difference", &[&[1.0, 4.0, 9.0, 16.0]]), &[2.0, 2.0]);
    near(
        &prepared("detrend", &[&[1.0, 3.0, 5.0], &[2.0, 2.0, 2.0]]),
        &[3.0, 3.0, 3.0, 2.0, 2.0, 2.0],
    );
    near(&prepared("deseason(2)", &[&[1.0, 5.0, 3.0, 7.0]]), &[3.0, 3.0, 5.0, 5.0]);
    let sd = (2.0f64 / 3.0).sqrt();
    near(&prepared("standardise", &[&[1.0, 2.0, 3.0]]), &[-1.0 / sd, 0.0, 1.0 / sd]);
    let clipped = prepared("clip(2)", &[&[0.0, 1.0, 2.0, 3.0, 100.0]]);
    near(&clipped, &[0.0, 1.0, 2.0, 3.0, 2.0 + 2.0 * 1.4826]);
    let ranked = prepared("rank", &[&[5.0, 1.0, 1000.0]]);
    assert!(ranked[0].abs() < 1e-12 && (ranked[1] + ranked[2]).abs() < 1e-9 && ranked[2] > 0.9);
}

#[test]
fn missing_cells_stay_missing() {
    let nan = f64::NAN;
    near(&prepared("difference", &[&[1.0, nan, 4.0, 5.0]]), &[nan, nan, 1.0]);
    let sd = (2.0f64 / 3.0).sqrt();
    near(&prepared("standardise", &[&[1.0, nan, 2.0, 3.0]]), &[-1.0 / sd, nan, 0.0, 1.0 / sd]);
}

#[test]
fn columns_are_named_by_pattern_and_keep_their_times() {
    let values = Array3::from_shape_fn((1, 4, 3), |(_, t, v)| (t * t + v + 1) as f64);
    let names = ["price_a", "price_b", "sales"].map(String::from).to_vec();
    let dates = TimeIndex::Dates {
        text: (1..=4).map(|day| format!("2024-01-0{day}")).collect(),
        seconds: (0..4).map(|day| f64::from(day) * 86_400.0).collect(),
    };
    let panel = Panel::new(values, names).unwrap().with_times(dates).unwrap();
    let recipe: Recipe = "difference:price*, standardise:sales".parse().unwrap();
    let (out, record) = recipe.apply(&panel).unwrap();
    assert_eq!((out.steps(), out.times().label(0).as_str()), (3, "2024-01-02"));
    assert_eq!(out.values().slice(ndarray::s![0, .., 0]), array![1.0, 3.0, 5.0]);
    assert_eq!(record.words(), ["difference:price*", "standardise:sales"]);
    assert_eq!((record.lost, record.columns[0].done.len()), (1, 1));
    let sd = record.columns[2].unit.unwrap();
    assert_eq!(record.unit(0, 2), Some(sd));
    assert!(record.rescales() && record.columns[2].before != record.columns[2].after);
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Prepared>(&text).unwrap(), record);
}

#[test]
fn what_cannot_be_done_is_refused_with_its_place() {
    let recipe: Recipe = "log".parse().unwrap();
    let refused = recipe.apply(&panel(&[&[3.0, 2.0, 1.0], &[1.0, -2.0, 1.0]])).unwrap_err();
    assert!(matches!(refused, Error::NotPositive { step: 1, value: -2.0, .. }), "{refused}");
    for (words, told) in [
        ("lag:x", "did you mean it?"),
        ("log(2)", "without a number"),
        ("deseason", "deseason(STEPS)"),
        ("difference(0)", "1 steps or more"),
        ("clip(0.5)", "1 or more"),
        ("log:", "after the colon"),
        ("difference(2", "a bracket that is closed"),
    ] {
        let refused = words.parse::<Recipe>().unwrap_err().to_string();
        assert!(refused.contains(told), "{words}: {refused}");
    }
    let far = "log:y".parse::<Recipe>().unwrap().apply(&panel(&[&[1.0, 2.0, 3.0]])).unwrap_err();
    assert!(far.to_string().contains("`y` is none"), "{far}");
    let short = "difference(9)".parse::<Recipe>().unwrap().apply(&panel(&[&[1.0, 2.0, 3.0]]));
    assert!(matches!(short, Err(Error::TooShort { .. })));
}

proptest! {
    #[test]
    fn standardising_has_no_units(values in prop::collection::vec(-1e3..1e3f64, 12), scale in 0.1..1e3f64, shift in -1e3..1e3f64) {
        let other: Vec<f64> = values.iter().map(|x| scale * x + shift).collect();
        let (a, b) = (prepared("standardise", &[&values]), prepared("standardise", &[&other]));
        for (a, b) in a.iter().zip(&b) {
            prop_assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }

    #[test]
    fn ranks_do_not_see_what_keeps_the_order(values in prop::collection::vec(0.1..1e3f64, 12)) {
        let other: Vec<f64> = values.iter().map(|x| x.ln()).collect();
        let (a, b) = (prepared("rank", &[&values]), prepared("rank", &[&other]));
        for (a, b) in a.iter().zip(&b) {
            prop_assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn words_are_read_as_they_are_written(steps in 1..50usize, sd in 1.0..9.0f64) {
        for text in [format!("difference({steps}):a"), format!("clip({sd})"), "log:x*+y,rank".to_owned()] {
            let recipe: Recipe = text.parse().unwrap();
            prop_assert_eq!(recipe.words().join(",").parse::<Recipe>().unwrap(), recipe);
        }
    }
}
