use ndarray::{Array3, Axis};
use proptest::prelude::*;

use super::super::filled::fill_missing;
use super::super::missing::Missing;
use super::*;
use crate::error::Error;
use crate::panel::Panel;
use crate::run::{Cancel, Run};

/// As in `scripts/golden_missing.py`.
fn noise(k: usize) -> f64 {
    ((k * k * 7919 + k * 104_729) % 10_007) as f64 / 10_007.0 - 0.5
}

/// Series in which the first variable remembers itself and moves the second, which moves the third
/// a step later.
fn system(series: usize, steps: usize) -> Array3<f64> {
    let mut values = Array3::zeros((series, steps, 3));
    for (n, t) in (0..series).flat_map(|n| (0..steps).map(move |t| (n, t))) {
        let before = |v: usize| if t > 0 { values[[n, t - 1, v]] } else { 0.0 };
        let drawn = |v: usize| 2.0 * noise(3 * (n * steps + t) + v);
        let first = 0.6 * before(0) + drawn(0);
        let third = 0.5 * before(1) + drawn(2);
        values[[n, t, 0]] = first;
        values[[n, t, 1]] = 0.8 * first + drawn(1);
        values[[n, t, 2]] = third;
    }
    values
}

fn holed(mut values: Array3<f64>, every: usize) -> Panel {
    for ((n, t, v), x) in values.indexed_iter_mut() {
        if (7 * t + 11 * v + 5 * n).is_multiple_of(every) {
            *x = f64::NAN;
        }
    }
    Panel::unnamed(values).unwrap()
}

fn filled(panel: &Panel) -> Array3<f64> {
    fill_missing(panel, &Run::new(0)).unwrap().panel.into_values()
}

#[test]
fn a_small_system_is_solved() {
    let mut v = vec![4.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.5, -1.0, 2.0];
    let mut x = vec![1.0, 2.0, 3.0];
    solve(&mut v, &mut x);
    let full = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]];
    for (row, right) in full.iter().zip([1.0, 2.0, 3.0]) {
        let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
        assert!((left - right).abs() < 1e-12, "{left} {right}");
    }
    let mut spread = Vec::new();
    left(&v, 0, &mut spread);
    let inverse = crate::linear_algebra::symmetric_inverse(
        vec![4.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.5, -1.0, 2.0],
        3,
    );
    for (k, found) in spread.iter().enumerate() {
        assert!((found - inverse.as_ref().unwrap()[k * 4]).abs() < 1e-12);
    }
}

#[test]
fn cells_are_those_of_numpy() {
    let steps = 60;
    let mut panel = holed(system(1, steps), 13).into_values();
    panel.index_axis_mut(Axis(1), 30).fill(f64::NAN);
    let panel = Panel::unnamed(panel).unwrap();
    let usable = UsableRows::of(&panel, Missing::Fill);
    let mut values: Vec<f64> = (0..3)
        .flat_map(|v| (0..steps).map(move |t| (t, v)))
        .map(|(t, v)| panel.values()[[0, t, v]])
        .collect();
    fill(&mut values, 1, steps, &usable, &|| Ok(())).unwrap();
    let known = [
        (0, 0, -0.817_587_769_554_987),
        (4, 1, 0.140_730_903_899_678),
        (8, 2, -0.062_810_700_800_146),
        (13, 0, 0.003_971_755_873_523),
        (17, 1, -0.412_727_328_376_388),
        (21, 2, 0.227_631_827_146_870),
        (26, 0, 0.492_295_208_350_469),
        (34, 2, 0.031_635_052_188_879),
        (39, 0, -0.239_736_164_001_865),
        (43, 1, 0.050_996_090_377_472),
        (47, 2, -0.048_298_701_103_471),
        (52, 0, 0.523_785_387_009_609),
        (56, 1, -0.394_609_550_420_018),
    ];
    for (t, v, expected) in known {
        let found = values[v * steps + t];
        assert!((found - expected).abs() < 1e-10, "step {t}, variable {v}: {found} {expected}");
    }
    assert!((0..3).all(|v| values[v * steps + 30].is_nan()));
}

#[test]
fn what_is_filled_is_nearer_to_the_truth_than_the_mean() {
    for (series, steps) in [(1, 400), (50, 40)] {
        let truth = system(series, steps);
        let panel = holed(truth.clone(), 6);
        let found = filled(&panel);
        let (mut error, mut whole) = (0.0, 0.0);
        for (at, x) in panel.values().indexed_iter().filter(|(_, x)| x.is_nan()) {
            assert!(x.is_nan());
            error += (found[at] - truth[at]).powi(2);
            whole += truth[at].powi(2);
        }
        assert!(error < 0.75 * whole, "{series} series: {error} of {whole}");
    }
}

#[test]
fn ends_and_holes_stay_missing() {
    let mut values = holed(system(3, 50), 9).into_values();
    values.slice_mut(ndarray::s![1, 40.., ..]).fill(f64::NAN);
    values.slice_mut(ndarray::s![0, 20..23, ..]).fill(f64::NAN);
    let panel = Panel::unnamed(values).unwrap();
    let filled = fill_missing(&panel, &Run::new(0)).unwrap();
    assert_eq!(filled.panel.missing(), 13 * 3);
    assert!(filled.panel.values().slice(ndarray::s![1, 40.., ..]).iter().all(|x| x.is_nan()));
    let marked = filled.cells.iter().filter(|cell| **cell).count();
    assert_eq!(marked, panel.missing() - filled.panel.missing());
}

#[test]
fn threads_change_no_bit_and_cancelling_stops() {
    let panel = holed(system(30, 40), 7);
    let on = |threads| {
        let run = Run::new(0).with_threads(threads).unwrap();
        fill_missing(&panel, &run).unwrap().panel.into_values()
    };
    assert_eq!(on(1), on(3));
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = fill_missing(&panel, &Run::new(0).with_cancel(cancel));
    assert!(matches!(stopped, Err(Error::Cancelled)));
}

#[test]
fn many_variables_are_filled_in_bounded_time() {
    let value = |(_, t, v): (usize, usize, usize)| noise(t * 150 + v) + noise(t) * (v % 3) as f64;
    let panel = holed(Array3::from_shape_fn((1, 100, 150), value), 10);
    assert_eq!(fill_missing(&panel, &Run::new(0)).unwrap().panel.missing(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn observed_cells_stay_and_names_and_units_do_not_matter(
        series in 1usize..4,
        steps in 12usize..40,
        every in 4usize..15,
        unit in -20i32..20,
    ) {
        let panel = holed(system(series, steps), every);
        let found = filled(&panel);
        for (at, x) in panel.values().indexed_iter().filter(|(_, x)| !x.is_nan()) {
            prop_assert_eq!(*x, found[at]);
        }
        let turned = filled(&panel.select(&[2, 0, 1]).unwrap());
        for (to, from) in [2, 0, 1].into_iter().enumerate() {
            let gap = &turned.index_axis(Axis(2), to) - &found.index_axis(Axis(2), from);
            prop_assert!(gap.iter().all(|gap| gap.is_nan() || *gap == 0.0), "{gap}");
        }
        // Powers of two change no digit.
        let factor = 2f64.powi(unit);
        let mut scaled = panel.values().to_owned();
        scaled.index_axis_mut(Axis(2), 1).mapv_inplace(|x| x * factor);
        let scaled = filled(&Panel::unnamed(scaled).unwrap());
        for (v, factor) in [(0, 1.0), (1, factor), (2, 1.0)] {
            let pairs = scaled.index_axis(Axis(2), v).to_owned();
            let pairs = pairs.iter().zip(found.index_axis(Axis(2), v)).map(|(a, b)| (*a, *b));
            for (a, b) in pairs.collect::<Vec<_>>() {
                prop_assert!(a.is_nan() && b.is_nan() || (a - factor * b).abs() <= 1e-9 * factor);
            }
        }
    }
}
