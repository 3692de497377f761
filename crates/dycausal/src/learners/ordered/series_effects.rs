//! What differs between series besides their noise: levels, and the scale of the noise.
//!
//! *Levels*: were series to have levels of their own, the mean of a series' past would still tell
//! something about its next value when the regression has told all it can. So each regression gets
//! the series' own past mean, Σ_{s < t − L} y_s / (count + 3), and a one-sided robust t. Levels are
//! taken out (each series counted from its own mean) only then: that costs short series much.
//! Levels so far apart that own lags imitate them are seen before (`series_have_levels`).
//!
//! *Scales*: with s_in the residual standard deviation of variable i in series n, the spread of
//! l_n = mean_i log s_in is compared with what chance gives, (κ − 1)/(4ν) for residuals of kurtosis
//! κ; beyond five standard errors series are divided by exp(l_n), shrunk by what chance explains.

use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal as Gaussian};

use super::pipeline::Fitted;
use super::{Ordered, SeriesEffects};
use crate::design::{Columns, Preparation};
use crate::inference::covariance::{Covariance, Errors};
use crate::inference::listing::{Data, Equation};
use crate::panel::Panel;
use crate::regression::{Regressor, Sample};
use crate::thresholds::SERIES_FOR_STEP_MEANS;
use crate::thresholds::VARIABLES_IN_A_SAMPLE;

/// p-values at which levels count as there: with many series, and with few.
const LEVELS: [f64; 2] = [0.001, 0.01];
/// Series that scales need.
const SERIES_FOR_SCALES: usize = 5;
/// Standard errors that the spread of scales has to exceed chance by.
const SPREAD: f64 = 5.0;
/// How many times the middle mean square of a step the largest has, where series explode.
const EXPLOSION: f64 = 30.0;
/// Rows that a series needs to have a scale of its own.
const ROWS_FOR_SCALE: f64 = 3.0;
/// Steps of past that a row needs to have a past mean, and by which that mean is shrunk.
const PAST: f64 = 3.0;

/// The preparation that the residuals ask for, if it is another one.
pub(super) fn found(
    method: &Ordered,
    fitted: &Fitted,
    now: &Preparation,
    panel: &Panel,
) -> Option<Preparation> {
    if panel.series() < 2 {
        return None;
    }
    let data = fitted.data();
    if method.series_effects == SeriesEffects::Auto && explodes(data.columns) {
        return None;
    }
    let fits = fitted.learned.fits.iter().enumerate();
    let mut equations: Vec<Equation> = fits
        .step_by(panel.variables().div_ceil(VARIABLES_IN_A_SAMPLE))
        .map(|(to, fit)| Equation {
            to,
            selected: fit.selected.clone(),
            own: 0,
            precision: None,
            tests: Vec::new(),
            required: Vec::new(),
            partial: None,
        })
        .collect();
    data.know_partial_rows(&mut equations, None);
    // What is left of a missing cause goes with the past of its series, and is larger than noise.
    equations.iter_mut().for_each(Equation::keep_whole_rows);
    let mut next = now.clone();
    if !now.levels && method.series_effects.levels().is_none() {
        let few = usize::from(panel.series() < SERIES_FOR_STEP_MEANS);
        next.levels = levels(&data, &equations).is_some_and(|p| p < LEVELS[few]);
        if next.levels {
            return Some(next); // scales are looked at again without levels
        }
    }
    let wanted = method.series_effects.scales();
    if now.scales.is_none() && wanted != Some(false) && panel.series() >= SERIES_FOR_SCALES {
        next.scales = scales(&data, &equations, wanted == Some(true));
    }
    (next != *now).then_some(next)
}

/// Whether values grow so much that a few steps are all there is to see: then small errors of weights
/// look like differences between series.
fn explodes(columns: &Columns) -> bool {
    let series = columns.series();
    (0..columns.variables()).any(|v| {
        let mut sizes: Vec<f64> = columns
            .whole(v)
            .chunks_exact(series)
            .map(|step| step.iter().map(|x| x * x).sum::<f64>() / series as f64)
            .collect();
        sizes.sort_by(f64::total_cmp);
        sizes[sizes.len() - 1] > EXPLOSION * sizes[sizes.len() / 2]
    })
}

/// p of "no series has a level of its own": twice the smaller of Bonferroni's and Stouffer's.
fn levels(data: &Data<'_>, equations: &[Equation]) -> Option<f64> {
    let law = Gaussian::standard();
    let z: Vec<f64> = equations.par_iter().filter_map(|e| past_matters(data, e)).collect();
    let count = z.len() as f64;
    let largest = z.iter().copied().reduce(f64::max)?;
    let single = count * law.sf(largest);
    let together = law.sf(z.iter().sum::<f64>() / count.sqrt());
    Some(2.0 * single.min(together))
}

/// The robust t of a series' own past mean in its regression.
fn past_matters(data: &Data<'_>, equation: &Equation) -> Option<f64> {
    let columns = data.columns;
    let (series, lag) = (columns.series(), columns.lag());
    let whole = columns.lagged(equation.to, 0, 0);
    let mut past = vec![0.0; columns.steps() * series];
    let mut sums = vec![0.0; series];
    for (t, rows) in past.chunks_exact_mut(series).enumerate() {
        // Row t is step t + lag of the panel; its past ends before its first lag.
        if t > 0 {
            let newest = &whole[(t - 1) * series..t * series];
            sums.iter_mut().zip(newest).for_each(|(sum, x)| *sum += x);
        }
        rows.iter_mut().zip(&sums).for_each(|(p, sum)| *p = sum / (t as f64 + PAST));
    }
    debug_assert_eq!(whole.len(), (columns.steps() + lag) * series);
    let mut sample: Sample<'_> = data.sample(equation, &equation.selected);
    sample.regressors.push(Regressor { values: &past, functions: 1 });
    let last = sample.regressors.len() - 1;
    let all: Vec<usize> = (0..=last).collect();
    let fitted = sample.normal().solve(&all)?;
    let (covariance, _) = Errors::new(&sample, &fitted, Covariance::Robust).covariance(last);
    let t = fitted.coefficients[fitted.starts[last]] / covariance[0].sqrt();
    t.is_finite().then_some(t)
}

/// What each series is to be divided by, where that is more than chance.
fn scales(data: &Data<'_>, equations: &[Equation], always: bool) -> Option<Vec<f64>> {
    let columns = data.columns;
    let series = columns.series();
    let per_variable: Vec<(Vec<f64>, f64)> =
        equations.par_iter().filter_map(|e| log_scales(data, e)).collect();
    let count = per_variable.len() as f64;
    if per_variable.is_empty() {
        return None;
    }
    let mean = |n: usize| per_variable.iter().map(|(logs, _)| logs[n]).sum::<f64>() / count;
    let logs: Vec<f64> = (0..series).map(mean).collect();
    let centre = logs.iter().sum::<f64>() / series as f64;
    let spread = logs.iter().map(|l| (l - centre).powi(2)).sum::<f64>() / (series as f64 - 1.0);
    let chance = per_variable.iter().map(|(_, chance)| chance).sum::<f64>() / (count * count);
    let excess = (spread / chance - 1.0) * ((series as f64 - 1.0) / 2.0).sqrt();
    if !(always || excess > SPREAD) {
        return None;
    }
    let kept = (1.0 - chance / spread).max(0.0);
    Some(logs.iter().map(|l| (kept * (l - centre)).exp()).collect())
}

/// log s of the residuals of each series, and the variance that chance gives it.
fn log_scales(data: &Data<'_>, equation: &Equation) -> Option<(Vec<f64>, f64)> {
    let sample = data.sample(equation, &equation.selected);
    let all: Vec<usize> = (0..sample.regressors.len()).collect();
    let fitted = sample.normal().solve(&all)?;
    let residuals = sample.residuals(&fitted);
    let series = sample.series;
    let mut squares = vec![0.0; series];
    let mut counts = vec![0.0; series];
    for (row, u) in residuals.iter().enumerate() {
        let w = sample.weights.map_or(1.0, |w| w[row]);
        squares[row % series] += w * u * u;
        counts[row % series] += w;
    }
    let rows: f64 = counts.iter().sum();
    let pooled = squares.iter().sum::<f64>() / rows.max(1.0);
    // A series of which hardly a row can be looked at is taken to be like the others.
    let known = |n: usize| counts[n] >= ROWS_FOR_SCALE;
    let variance = |n: usize| {
        let own = if known(n) { squares[n] / counts[n] } else { pooled };
        own.max(1e-12)
    };
    let fourth: f64 = residuals
        .iter()
        .enumerate()
        .map(|(row, u)| {
            let w = sample.weights.map_or(1.0, |w| w[row]);
            w * (u * u / variance(row % series)).powi(2)
        })
        .sum();
    let typical = if counts.iter().all(|count| *count == counts[0]) {
        rows / series as f64
    } else {
        // The variance of a log goes with one over the rows of its series.
        let inverse = (0..series).filter(|n| known(*n)).map(|n| 1.0 / counts[n]);
        series as f64 / inverse.sum::<f64>().max(f64::MIN_POSITIVE)
    };
    let freedom = typical * fitted.freedom / fitted.rows;
    let kurtosis = (fourth / rows).max(1.5);
    let logs = (0..series).map(|n| 0.5 * variance(n).ln()).collect();
    Some((logs, (kurtosis - 1.0) / (4.0 * freedom.max(1.0))))
}
