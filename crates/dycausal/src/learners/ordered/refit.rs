//! The weights that are reported, and their bands: the listed regressions once more, with care.
//!
//! Where the noise moves, rows count by one over the noise variance of their time (generalised
//! least squares). The band is that of the regression with one more function of time than the
//! search had. The weight is the same regression without single coefficients that explain less than
//! `KEEP` times the noise variance, the least left out first: a weight that moves like a parabola
//! does not pay for a cubic, which costs most at the ends of the series. Where that leaves the band,
//! it is the centre of the band.

use ndarray::{Array2, s};

use super::Ordered;
use super::pipeline::Fitted;
use crate::basis::{Basis, Family};
use crate::error::Result;
use crate::inference::listing::{Data, Equation};
use crate::inference::regression::{Normal, Regressor, Sample};
use crate::inference;
use crate::moments::TimeBasis;
use crate::scores::linear::LinearScore;
use crate::scores::linear::noise::{self, Regression, ResidualSums, Sums};
use crate::scores::linear::shrink::Fit;

/// What a coefficient has to lower −2 log likelihood by.
const KEEP: f64 = 2.0;

/// How weights are estimated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner<'a> {
    /// What weights are told on, where it goes on into steps without rows.
    pub basis: Option<&'a Basis>,
    /// How many of its functions weights have; bands have all.
    pub functions: usize,
    /// How often a band holds the truth; `None` where there are no bands.
    pub level: Option<f64>,
}

/// The weight of one regressor, in standard deviations.
#[derive(Debug, Clone)]
pub(super) struct Weight {
    /// The regressor, as a column.
    pub column: usize,
    /// Coefficients on the orthonormal basis.
    pub coefficients: Vec<f64>,
    /// What bands are made of.
    pub spread: Option<Spread>,
}

/// The centre and the covariance of a band.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    /// Coefficients on the orthonormal basis.
    pub centre: Vec<f64>,
    /// Their covariance, row by row.
    pub covariance: Vec<f64>,
    /// Degrees of freedom.
    pub freedom: f64,
}

/// What an equation comes out as.
#[derive(Debug, Clone, Default)]
pub(super) struct Estimated {
    /// Of its regressors; none where rows do not carry the regression.
    pub weights: Vec<Weight>,
    /// Of its own lags 1, 2, … that are no edges; 0 for those that are.
    pub own_lags: Vec<f64>,
}

/// The weights of an equation.
///
/// Where the basis goes on into the first steps, a regression without the longest lags has rows
/// there.
pub(super) fn weights(data: &Data<'_>, equation: &Equation, manner: Manner<'_>) -> Estimated {
    let columns = data.columns;
    let (d, lag) = (columns.variables(), columns.lag());
    let longest = equation.selected.iter().map(|c| c / d).max().unwrap_or(0);
    let remembers = equation.own > lag;
    let earlier = manner.basis.filter(|basis| {
        columns.has_earlier_rows() && longest < lag && basis.first() <= longest
    });
    let (first, psi): (usize, Array2<f64>) = match earlier {
        Some(basis) if !remembers => (longest, data.basis.starting(basis, longest)),
        _ => {
            let first = equation.own.max(lag);
            (first, data.basis.values().slice(s![first - lag.., ..]).to_owned())
        }
    };
    let precision: Option<Vec<f64>> = equation.precision.as_ref().map(|p| {
        (first..columns.all_steps()).map(|t| p[t.saturating_sub(lag)]).collect()
    });
    let regressor = |variable: usize, back: usize, functions: usize| Regressor {
        values: columns.lagged(variable, back, first),
        functions,
    };
    let size = data.basis.size();
    let mut regressors: Vec<Regressor<'_>> =
        equation.selected.iter().map(|c| regressor(c % d, c / d, size)).collect();
    let own: Vec<usize> = (1..=equation.own)
        .filter(|back| remembers && !equation.selected.contains(&(back * d + equation.to)))
        .collect();
    regressors.extend(own.iter().map(|back| regressor(equation.to, *back, 1)));
    let series = columns.series();
    let sample = Sample {
        target: columns.lagged(equation.to, 0, first),
        regressors,
        psi: psi.view(),
        series,
        weights: columns.weights().map(|w| &w[(first - lag) * series..]),
        precision: precision.as_deref(),
        intercepts: columns.intercept_of(equation.to) as f64,
    };
    estimated(data, equation, &sample, &own, manner)
}

fn estimated(
    data: &Data<'_>,
    equation: &Equation,
    sample: &Sample<'_>,
    own: &[usize],
    manner: Manner<'_>,
) -> Estimated {
    let normal = sample.normal();
    let (size, groups) = (data.basis.size(), equation.selected.len());
    let Some(coefficients) = parsimonious(&normal, groups, size, manner.functions) else {
        return Estimated::default();
    };
    let mut own_lags = vec![0.0; own.last().copied().unwrap_or(0)];
    for (back, weight) in own.iter().zip(&coefficients[groups * size..]) {
        own_lags[back - 1] = *weight;
    }
    let of = |g: usize| coefficients[g * size..(g + 1) * size].to_vec();
    let mut weights: Vec<Weight> = equation
        .selected
        .iter()
        .enumerate()
        .map(|(g, column)| Weight { column: *column, coefficients: of(g), spread: None })
        .collect();
    let Some(level) = manner.level else { return Estimated { weights, own_lags } };
    let all: Vec<usize> = (0..normal.regressors()).collect();
    let Some(fitted) = normal.solve(&all) else { return Estimated { weights, own_lags } };
    let residuals = sample.residuals(&fitted);
    let kind = data.covariance();
    for (g, weight) in weights.iter_mut().enumerate() {
        let (covariance, freedom) = sample.covariance(&fitted, &residuals, g, kind);
        let centre = fitted.coefficients[fitted.starts[g]..fitted.starts[g + 1]].to_vec();
        let spread = Spread { centre, covariance, freedom };
        if leaves(&weight.coefficients, &spread, sample, level) {
            weight.coefficients.clone_from(&spread.centre);
        }
        weight.spread = Some(spread);
    }
    Estimated { weights, own_lags }
}

/// Whether a weight leaves the band at some step.
fn leaves(weight: &[f64], spread: &Spread, sample: &Sample<'_>, level: f64) -> bool {
    let reach = inference::pointwise(level, spread.freedom);
    let width = weight.len();
    sample.psi.outer_iter().any(|psi| {
        let gap: f64 = (0..width).map(|k| psi[k] * (weight[k] - spread.centre[k])).sum();
        let entry = |k: usize| psi[k / width] * psi[k % width] * spread.covariance[k];
        let variance: f64 = (0..width * width).map(entry).sum();
        gap.abs() > reach * variance.max(0.0).sqrt()
    })
}

/// One over the noise variance at each step, in units of its mean; `None` where it does not pay to
/// let it move.
pub(super) fn precision(
    score: &LinearScore,
    target: usize,
    fit: &Fit,
    residuals: &mut ResidualSums,
) -> Option<Vec<f64>> {
    let mut sums = [Sums::default(); noise::BINS];
    let sums = &mut sums[..score.bins.len()];
    let regression =
        Regression { target, selected: &fit.selected, coefficients: &fit.coefficients };
    residuals.add_up(&score.columns, &score.basis, &score.bins, regression, sums);
    let noise = score.curves.fit(sums);
    if !noise.moves {
        return None;
    }
    let pooled = sums.iter().map(|s| s.square).sum::<f64>() / score.columns.rows();
    let mut weights = vec![1.0; score.columns.steps()];
    for (bin, variance) in score.bins.iter().zip(&noise.variances) {
        weights[bin.clone()].fill(pooled / variance.max(1e-12 * pooled));
    }
    Some(weights)
}

/// All coefficients after backward elimination of single ones of the first `groups` regressors,
/// which have `size` functions each; those left out are 0.
fn parsimonious(normal: &Normal, groups: usize, size: usize, functions: usize) -> Option<Vec<f64>> {
    let starts = normal.starts();
    let total = starts[starts.len() - 1];
    let mut kept: Vec<usize> =
        (0..total).filter(|k| *k >= groups * size || k % size < functions).collect();
    loop {
        let fitted = normal.solve_single(&kept)?;
        let noise = fitted.squares / (normal.rows - kept.len() as f64).max(1.0);
        let weakest = (0..kept.len())
            .filter(|at| kept[*at] < groups * size)
            .map(|at| (at, fitted.single_loss(at) / noise))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((at, gain)) = weakest
            && gain < KEEP
        {
            kept.remove(at);
            continue;
        }
        let mut all = vec![0.0; total];
        kept.iter().zip(fitted.coefficients).for_each(|(k, c)| all[*k] = c);
        return Some(all);
    }
}

/// The equation of a regression that the search found.
pub(super) fn equation(score: &LinearScore, to: usize, fit: &Fit) -> Equation {
    Equation {
        to,
        selected: fit.selected.clone(),
        own: 0,
        precision: precision(score, to, fit, &mut ResidualSums::default()),
        tests: Vec::new(),
    }
}

/// The basis in which bands are given: with one more function than weights have, where functions
/// are nested.
pub(super) fn wider(
    method: &Ordered,
    fitted: &Fitted,
    functions: usize,
    steps: usize,
) -> Result<(Basis, TimeBasis)> {
    let columns = &fitted.score.columns;
    let more = (functions + 1).min(columns.steps());
    if method.basis == Family::Legendre && method.bands && more > functions {
        let wider = method.basis.basis(more, steps, columns.lag())?;
        if wider.first() == fitted.basis.first()
            && let Ok(inner) = TimeBasis::new(&wider, columns)
        {
            return Ok((wider, inner));
        }
    }
    Ok((fitted.basis.clone(), fitted.score.basis.clone()))
}
