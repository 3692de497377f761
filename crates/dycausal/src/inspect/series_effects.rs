//! Whether series differ by more than their noise: in level, or in scale.
//!
//! What belongs to a series is there in its first part as in its last. With a_n and b_n the mean of
//! series n (or the logarithm of its standard deviation) over the first and the last third of its
//! steps, both counted from the mean of each step, r = corr(a, b) over series is 0 where series differ
//! by chance; t = r √((N − 2) / (1 − r²)). A third of the steps lies between, so that memory does not
//! look like a level.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::finding::{Finding, Level, list};
use crate::panel::Panel;

/// Series that are needed.
const SERIES: usize = 8;
/// Steps of each third.
const STEPS: usize = 5;
/// p-value, times the number of variables, at which series differ.
const CLEAR: f64 = 0.001;
/// Share of the variance between series below which levels do not matter.
const MATTERS: f64 = 0.02;

/// Notes on variables whose levels or scales differ between series.
pub(super) fn of_series(panel: &Panel) -> Vec<Finding> {
    let (series, steps, variables) = panel.values().dim();
    if series < SERIES || steps < 3 * STEPS {
        return Vec::new();
    }
    let thirds = [0..steps / 3, steps - steps / 3..steps];
    let (mut levels, mut scales, mut largest) = (Vec::new(), Vec::new(), 0.0f64);
    for v in 0..variables {
        let column = around_step_means(panel, v);
        let part = |third: &std::ops::Range<usize>, n: usize| -> Option<(f64, f64)> {
            let cells = third.clone().map(|t| column[t * series + n]).filter(|x| !x.is_nan());
            let cells: Vec<f64> = cells.collect();
            let (count, mean) =
                (cells.len() as f64, cells.iter().sum::<f64>() / cells.len() as f64);
            let variance = cells.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
            (cells.len() >= STEPS && variance > 0.0).then(|| (mean, 0.5 * variance.ln()))
        };
        let both = |n: usize| Some((part(&thirds[0], n)?, part(&thirds[1], n)?));
        let known: Vec<_> = (0..series).filter_map(both).collect();
        let pairs = |f: fn(&(f64, f64)) -> f64| -> Vec<(f64, f64)> {
            known.iter().map(|(a, b)| (f(a), f(b))).collect()
        };
        let level = PairedSums::of(&pairs(|part| part.0));
        let present: Vec<f64> = column.iter().copied().filter(|x| !x.is_nan()).collect();
        let whole = present.iter().map(|x| x * x).sum::<f64>() / present.len().max(1) as f64;
        let share = level.covariance / whole;
        if level.p * variables as f64 <= CLEAR && share > MATTERS {
            levels.push(panel.names()[v].clone());
            largest = largest.max(share.min(1.0));
        }
        if PairedSums::of(&pairs(|part| part.1)).p * variables as f64 <= CLEAR {
            scales.push(panel.names()[v].clone());
        }
    }
    let mut found = Vec::new();
    if !levels.is_empty() {
        let text = format!(
            "series have levels of their own in {} (up to {:.0} % of the variance lies between series): without care they look like causes; `ordered` takes levels out where its residuals ask for it (`series_effects`)",
            list(&levels),
            100.0 * largest
        );
        found.push(Finding::new(Level::Note, text));
    }
    if !scales.is_empty() {
        let text = format!(
            "series vary by different amounts in {}: those that vary most count most; `ordered` divides series by the scale of their noise where its residuals ask for it (`series_effects`)",
            list(&scales)
        );
        found.push(Finding::new(Level::Note, text));
    }
    found
}

/// \[step\]\[series\] of a variable, the mean of each step taken out.
fn around_step_means(panel: &Panel, variable: usize) -> Vec<f64> {
    let (series, steps, _) = panel.values().dim();
    let values = panel.values();
    let mut out = Vec::with_capacity(series * steps);
    for t in 0..steps {
        let row: Vec<f64> = (0..series).map(|n| values[[n, t, variable]]).collect();
        let known: Vec<f64> = row.iter().copied().filter(|x| !x.is_nan()).collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        out.extend(row.iter().map(|x| x - mean));
    }
    out
}

/// How two numbers of each series go together.
struct PairedSums {
    covariance: f64,
    /// Of "not at all", against "with the same sign".
    p: f64,
}

impl PairedSums {
    fn of(pairs: &[(f64, f64)]) -> Self {
        let count = pairs.len() as f64;
        let mean = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / count;
        let (a, b) = (mean(|p| p.0), mean(|p| p.1));
        let product = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / count;
        let covariance = product(&|p| (p.0 - a) * (p.1 - b));
        let sizes = product(&|p| (p.0 - a).powi(2)) * product(&|p| (p.1 - b).powi(2));
        let r = covariance / sizes.sqrt();
        let t = r * ((count - 2.0) / (1.0 - r * r).max(1e-12)).sqrt();
        let law = StudentsT::new(0.0, 1.0, (count - 2.0).max(1.0)).ok();
        let p = law.filter(|_| pairs.len() >= SERIES && t.is_finite()).map_or(1.0, |law| law.sf(t));
        Self { covariance, p }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn told(level: f64, scale: f64) -> Vec<String> {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let own: Vec<f64> = (0..30).map(|_| random.random::<f64>() - 0.5).collect();
        let mut values = Array3::zeros((30, 45, 3));
        for ((n, t, v), x) in values.indexed_iter_mut() {
            let noise: f64 = (0..6).map(|_| random.random::<f64>() - 0.5).sum();
            *x = (t as f64).sqrt() + noise * (scale * own[n]).exp();
            if v == 1 {
                *x += level * own[n];
            }
        }
        let panel = Panel::unnamed(values).unwrap();
        of_series(&panel).into_iter().map(|finding| finding.text).collect()
    }

    #[test]
    fn levels_and_scales_are_told_where_they_are_and_only_there() {
        assert_eq!(told(0.0, 0.0), Vec::<String>::new());
        let levels = told(3.0, 0.0);
        assert!(
            levels.len() == 1 && levels[0].contains("levels of their own in `x2` ("),
            "{levels:?}"
        );
        let scales = told(0.0, 2.0);
        assert!(scales.len() == 1 && scales[0].contains("`x1`, `x2`, `x3`"), "{scales:?}");
    }
}
