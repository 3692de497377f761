//! The data of `scripts/golden_baselines.py`, made again bit by bit, and what other packages say.

use dycausal::Panel;
use ndarray::{Array3, s};
use serde_json::Value;

/// The longest lag of the data.
pub const LAG: usize = 2;
/// Variables, steps and series of the data sets.
pub const SETS: [(usize, usize, usize); 5] =
    [(3, 150, 1), (4, 200, 1), (6, 300, 1), (5, 250, 1), (4, 80, 3)];

/// SplitMix64, from -0.5 to 0.5: the same bits everywhere.
pub fn noise(k: usize) -> f64 {
    let mut z = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}

fn weight(number: usize, d: usize, (lag, i, j): (usize, usize, usize)) -> f64 {
    let k = 1_000_003 * (number + 1) + (lag * d + i) * d + j;
    let mut size = (0.35 + 0.4 * noise(2 * k).abs()) / (1.0 + 0.75 * lag as f64);
    let mut there = noise(2 * k + 1) < [0.1, -0.3, -0.4][lag];
    if lag == 0 && i >= j {
        there = false;
    }
    if lag == 1 && i == j {
        (there, size) = (true, 0.3);
    }
    match (there, noise(k) > 0.0) {
        (false, _) => 0.0,
        (true, true) => size,
        (true, false) => -size,
    }
}

/// Values\[series, step, variable\] without missing cells.
pub fn whole(number: usize) -> Array3<f64> {
    let (d, steps, series) = SETS[number];
    let mut x = Array3::zeros((series, steps, d));
    for (n, t) in (0..series).flat_map(|n| (0..steps).map(move |t| (n, t))) {
        for j in 0..d {
            let k = 7_000_000 * (number + 1) + (n * steps + t) * d + j;
            let mut value = (1.0 + 0.3 * j as f64) * noise(k);
            for (lag, i) in (0..=LAG.min(t)).rev().flat_map(|l| (0..d).map(move |i| (l, i))) {
                let w = weight(number, d, (lag, i, j));
                if w != 0.0 {
                    value += w * x[[n, t - lag, i]];
                }
            }
            x[[n, t, j]] = value;
        }
    }
    x
}

/// The same with the gaps that tigramite was given.
pub fn gapped(number: usize) -> Panel {
    let (d, steps, _) = SETS[number];
    let mut x = whole(number);
    match number {
        3 => (0..steps).step_by(9).for_each(|k| x[[0, k, k % d]] = f64::NAN),
        4 => x.slice_mut(s![2, steps - 25.., ..]).fill(f64::NAN),
        _ => {}
    }
    Panel::unnamed(x).unwrap()
}

/// The data set that an entry is about.
pub fn set(entry: &Value) -> usize {
    usize::try_from(entry["set"].as_u64().unwrap()).unwrap()
}

/// The numbers of a list.
pub fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The words of a list.
pub fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
}

/// The largest difference of two lists of numbers.
pub fn gap<'a>(ours: impl IntoIterator<Item = &'a f64>, theirs: &[f64]) -> f64 {
    let ours: Vec<f64> = ours.into_iter().copied().collect();
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
