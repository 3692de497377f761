//! Whether a variable can be told from a random walk.
//!
//! The augmented Dickey-Fuller statistic: t of ρ in Δy_t = c + ρ y_{t−1} + Σ_{l ≤ p} γ_l Δy_{t−l} + ε,
//! with p by n log s² + k log n. Below −2.86 a random walk is refuted at 5 % (Dickey and Fuller
//! 1979; MacKinnon 2010).

use ndarray::Array2;

use crate::panel::Panel;
use crate::regression::{Regressor, Sample};
use crate::thresholds::MOST_ROWS_FOR_A_MEAN;

/// The critical value at 5 % with a constant.
pub(crate) const CRITICAL: f64 = -2.86;
/// Lags of the change, at most.
const LAGS: usize = 8;

/// The statistic of a variable of a single series without missing cells; `None` for others, and
/// where there are too few steps.
pub(crate) fn statistic(panel: &Panel, variable: usize) -> Option<f64> {
    if panel.series() != 1 {
        return None;
    }
    let values = panel.values();
    let y: Vec<f64> =
        (0..panel.steps().min(MOST_ROWS_FOR_A_MEAN)).map(|t| values[[0, t, variable]]).collect();
    let most = LAGS.min(y.len() / 10);
    if y.len() < 20 || y.iter().any(|x| x.is_nan()) {
        return None;
    }
    let scale = y.iter().fold(0.0f64, |m, x| m.max((x - y[0]).abs()));
    let y: Vec<f64> = y.iter().map(|x| (x - y[0]) / scale).collect();
    let change: Vec<f64> = y.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let rows = change.len() - most;
    let ones = vec![1.0; rows];
    let psi = Array2::ones((rows, 1));
    let mut columns = vec![&ones[..], &y[most..most + rows]];
    columns.extend((1..=most).map(|lag| &change[most - lag..most - lag + rows]));
    let sample = Sample {
        target: &change[most..],
        regressors: columns.into_iter().map(|values| Regressor { values, functions: 1 }).collect(),
        psi: psi.view(),
        series: 1,
        weights: None,
        precision: None,
        intercepts: 0.0,
    };
    let normal = sample.normal();
    let fitted = |lags: usize| normal.solve(&(0..2 + lags).collect::<Vec<usize>>());
    let cost = |lags: usize| {
        let squares = fitted(lags)?.squares;
        Some((lags, normal.rows * squares.ln() + lags as f64 * normal.rows.ln()))
    };
    let best = (0..=most).filter_map(cost).min_by(|a, b| a.1.total_cmp(&b.1))?.0;
    let fitted = fitted(best)?;
    let noise = fitted.squares / fitted.freedom;
    let t = fitted.coefficients[1].signum() * (fitted.single_loss(1) / noise).sqrt();
    t.is_finite().then_some(t)
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    #[test]
    fn a_random_walk_is_told_from_an_autoregression() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut values = Array3::zeros((1, 400, 2));
        for t in 1..400 {
            for (v, own) in [(0, 1.0), (1, 0.7)] {
                let noise: f64 = StandardNormal.sample(&mut random);
                values[[0, t, v]] = own * values[[0, t - 1, v]] + noise;
            }
        }
        let panel = Panel::unnamed(values).unwrap();
        assert!(statistic(&panel, 0).unwrap() > CRITICAL);
        assert!(statistic(&panel, 1).unwrap() < CRITICAL - 2.0);
    }
}
