//! The weights that are reported, and their bands: the listed regressions once more, with care.
//!
//! Where the noise moves, rows count by one over the noise variance of their time (generalised
//! least squares). The band is that of the regression with one more function of time than the
//! search had, and at least four, so that it holds where one edge moves and the others do not. The
//! weight is the same regression without single coefficients that explain less than
//! `KEEP` times the noise variance, the least left out first: a weight that moves like a parabola
//! does not pay for a cubic, which costs most at the ends of the series. Where that leaves the band,
//! it is drawn towards the centre of the band until it is inside.

use ndarray::{Array2, s};

use super::Ordered;
use super::pipeline::Fitted;
use super::self_lags::{self, Mend};
use crate::basis::{Basis, Family};
use crate::error::Result;
use crate::inference;
use crate::inference::covariance::{Covariance, Errors};
use crate::inference::listing::{Data, Equation};
use crate::inference::regression::{Normal, Regressor, Sample};
use crate::moments::TimeBasis;
use crate::scores::linear::LinearScore;
use crate::scores::linear::forward::LARGEST_BASIS;
use crate::scores::linear::noise::{self, Regression, ResidualSums, Sums};
use crate::scores::linear::shrink::Fit;

/// p-value of "the weight moves no more than the search saw" below which it starts with all functions.
const MOVES: f64 = 0.01;
/// Rows per coefficient that all functions need.
const ROWS: usize = 4;
/// Functions that a weight may move along, at least.
const WIDE: usize = 4;
/// What a coefficient has to lower −2 log likelihood by.
const KEEP: f64 = 2.0;

/// How weights are estimated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner<'a> {
    /// What weights are told on, where it goes on into steps without rows.
    pub basis: Option<&'a Basis>,
    /// How many of its functions weights have; those that move more have all.
    pub functions: usize,
    /// How often a band holds the truth; `None` where there are no bands.
    pub level: Option<f64>,
    /// How effects of variables on themselves are mended, where they are biased.
    pub mend: Option<&'a Mend<'a>>,
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
    let earlier = manner
        .basis
        .filter(|basis| columns.has_earlier_rows() && longest < lag && basis.first() <= longest);
    let (first, psi): (usize, Array2<f64>) = match earlier {
        Some(basis) if !remembers => (longest, data.basis.starting(basis, longest)),
        _ => {
            let first = equation.own.max(lag);
            (first, data.basis.values().slice(s![first - lag.., ..]).to_owned())
        }
    };
    let precision: Option<Vec<f64>> = equation
        .precision
        .as_ref()
        .map(|p| (first..columns.all_steps()).map(|t| p[t.saturating_sub(lag)]).collect());
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
    let mut sample = Sample {
        target: columns.lagged(equation.to, 0, first),
        regressors,
        psi: psi.view(),
        series,
        weights: columns.weights().map(|w| &w[(first - lag) * series..]),
        precision: precision.as_deref(),
        intercepts: columns.intercept_of(equation.to) as f64,
    };
    let kind = data.covariance();
    let starts = own_functions(&mut sample, equation.selected.len(), kind, manner);
    let Some(mut estimated) = estimated(equation, &sample, &own, &starts, kind, manner) else {
        return Estimated::default();
    };
    let lags = |(g, c): (usize, &usize)| (c % d == equation.to).then_some((g, c / d));
    let mut itself: Vec<(usize, usize)> =
        equation.selected.iter().enumerate().filter_map(lags).collect();
    let listed = equation.selected.len();
    itself.extend(own.iter().enumerate().map(|(k, back)| (listed + k, *back)));
    if let (Some(mend), false) = (manner.mend, itself.is_empty()) {
        let past = &columns.whole(equation.to)[..first * series];
        self_lags::mend(&sample, &itself, past, equation.to, mend, &mut estimated);
    }
    for weight in &mut estimated.weights {
        if let (Some(level), Some(spread)) = (manner.level, &weight.spread) {
            let share = share_within(&weight.coefficients, spread, &sample, level);
            let path = weight.coefficients.iter_mut().zip(&spread.centre);
            path.for_each(|(c, centre)| *c = centre + share * (*c - centre));
        }
        weight.coefficients.resize(size, 0.0);
    }
    estimated
}

/// Gives every regressor all functions, or fewer where rows are few; tells how many its weight starts
/// with: those of the search, or all where it clearly moves beyond them.
///
/// Which functions a band has must not depend on what they show: bands that are narrow because no
/// movement was seen hold less often than they say.
fn own_functions(
    sample: &mut Sample<'_>,
    groups: usize,
    kind: Covariance,
    manner: Manner<'_>,
) -> Vec<usize> {
    let wide = sample.regressors.first().map_or(0, |x| x.functions);
    let few = manner.functions.min(wide);
    let mut starts = vec![few; groups];
    if manner.level.is_none() {
        return starts;
    }
    if groups * wide * ROWS > sample.target.len() {
        let narrow = (few + 1).min(wide);
        sample.regressors[..groups].iter_mut().for_each(|x| x.functions = narrow);
    }
    let all: Vec<usize> = (0..sample.regressors.len()).collect();
    let Some(fitted) = sample.normal().solve(&all) else { return starts };
    let errors = Errors::new(sample, &fitted, kind);
    for (g, start) in starts.iter_mut().enumerate() {
        let functions = sample.regressors[g].functions;
        let (covariance, freedom) = errors.covariance(g);
        let coefficients = &fitted.coefficients[fitted.starts[g]..fitted.starts[g + 1]];
        // One more function than the search had is there for the band alone.
        let beyond = functions > few + 1;
        if beyond && inference::wald_p(coefficients, &covariance, few, freedom) < MOVES {
            *start = functions;
        }
    }
    starts
}

fn estimated(
    equation: &Equation,
    sample: &Sample<'_>,
    own: &[usize],
    starts: &[usize],
    kind: Covariance,
    manner: Manner<'_>,
) -> Option<Estimated> {
    let normal = sample.normal();
    let groups = equation.selected.len();
    let coefficients = parsimonious(&normal, starts)?;
    let places = normal.starts();
    let mut own_lags = vec![0.0; own.last().copied().unwrap_or(0)];
    for (back, weight) in own.iter().zip(&coefficients[places[groups]..]) {
        own_lags[back - 1] = *weight;
    }
    let of = |g: usize| coefficients[places[g]..places[g + 1]].to_vec();
    let mut weights: Vec<Weight> = equation
        .selected
        .iter()
        .enumerate()
        .map(|(g, column)| Weight { column: *column, coefficients: of(g), spread: None })
        .collect();
    let all: Vec<usize> = (0..normal.regressors()).collect();
    if let (Some(_), Some(fitted)) = (manner.level, normal.solve(&all)) {
        let errors = Errors::new(sample, &fitted, kind);
        for (g, weight) in weights.iter_mut().enumerate() {
            let (covariance, freedom) = errors.covariance(g);
            let centre = fitted.coefficients[fitted.starts[g]..fitted.starts[g + 1]].to_vec();
            weight.spread = Some(Spread { centre, covariance, freedom });
        }
    }
    Some(Estimated { weights, own_lags })
}

/// How far a weight may go on its way from the centre of the band and stay within it at all steps.
fn share_within(weight: &[f64], spread: &Spread, sample: &Sample<'_>, level: f64) -> f64 {
    let reach = inference::pointwise(level, spread.freedom);
    let width = weight.len();
    let at = |psi: ndarray::ArrayView1<'_, f64>| {
        let gap: f64 = (0..width).map(|k| psi[k] * (weight[k] - spread.centre[k])).sum();
        let entry = |k: usize| psi[k / width] * psi[k % width] * spread.covariance[k];
        let variance: f64 = (0..width * width).map(entry).sum();
        let room = reach * variance.max(0.0).sqrt();
        if gap.abs() > room { room / gap.abs() } else { 1.0 }
    };
    // A little less, so that rounding does not lead out again.
    let least = sample.psi.outer_iter().map(at).fold(1.0, f64::min);
    if least < 1.0 { least * (1.0 - 1e-9) } else { 1.0 }
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

/// All coefficients after backward elimination of single ones of the first regressors, of which
/// `starts` tells how many functions they begin with; those left out are 0.
fn parsimonious(normal: &Normal, starts: &[usize]) -> Option<Vec<f64>> {
    let places = normal.starts();
    let (listed, total) = (places[starts.len()], places[normal.regressors()]);
    let first = |g: usize| (places[g]..places[g + 1]).take(starts[g]);
    let mut kept: Vec<usize> = (0..starts.len()).flat_map(first).chain(listed..total).collect();
    loop {
        let fitted = normal.solve_single(&kept)?;
        let noise = fitted.squares / (normal.rows - kept.len() as f64).max(1.0);
        let weakest = (0..kept.len())
            .filter(|at| kept[*at] < listed)
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
    let more = (functions + 1).max(WIDE).min(columns.steps()).min(LARGEST_BASIS);
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
