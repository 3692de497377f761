//! What differs between series besides their noise: levels, and the scale of the noise.
//!
//! *Levels*: were series to have levels of their own, the mean of a series' past would still tell
//! something about its next value when the regression has told all it can. So each regression gets
//! the series' own past mean, Σ_{s < t − L} y_s / (count + 3), and a one-sided robust t. Levels are
//! taken out (each series counted from its own mean) only then: that costs short series much.
//! Levels so far apart that own lags imitate them are seen before (`series_have_levels`).
//!
//! *Scales*: of the noise ([`crate::learners::series_scales`]); series are divided by theirs.

use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal as Gaussian};

use super::pipeline::Fitted;
use super::{Ordered, SeriesEffects};
use crate::design::Preparation;
use crate::inference::covariance::{Covariance, Errors};
use crate::inference::equation::{Data, Equation};
use crate::learners::series_scales::{LogScales, SERIES_FOR_SCALES, explodes, series_scales};
use crate::panel::Panel;
use crate::regression::{Regressor, Sample};
use crate::thresholds::SERIES_FOR_STEP_MEANS;
use crate::thresholds::VARIABLES_IN_A_SAMPLE;

/// p-values at which levels count as there: with many series, and with few.
const LEVELS: [f64; 2] = [0.001, 0.01];
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
    let one = |equation: &Equation| {
        let sample = data.sample(equation, &equation.selected);
        let all: Vec<usize> = (0..sample.regressors.len()).collect();
        let fitted = sample.normal().solve(&all)?;
        let residuals = sample.residuals(&fitted);
        let freedom = (fitted.freedom, fitted.rows);
        Some(LogScales::of(&residuals, sample.weights, sample.series, freedom))
    };
    let found: Vec<LogScales> = equations.par_iter().filter_map(one).collect();
    series_scales(&found, data.columns.series(), always)
}
