//! Weights along the functions of a basis, and their bands.
//!
//! The band is that of the regression with one more function of time than the search had, and at
//! least four, so that it holds where one edge moves and the others do not. The weight is the same
//! regression without single coefficients that explain less than `KEEP` times the noise variance, the
//! least left out first: a weight that moves like a parabola does not pay for a cubic, which costs
//! most at the ends of the series. Where that leaves the band, it is drawn towards the centre of the
//! band until it is inside.

use ndarray::ArrayView1;

use super::Ordered;
use super::pipeline::Fitted;
use super::refit::Manner;
use super::settings::Movement;
use crate::basis::Basis;
use crate::error::Result;
use crate::inference;
use crate::inference::covariance::{Covariance, Errors};
use crate::moments::TimeBasis;
use crate::regression::{NormalEquations, Sample};
use crate::scores::linear::forward::LARGEST_BASIS;

/// p-value of "the weight moves no more than the search saw" below which it starts with all functions.
const MOVES: f64 = 0.01;
/// Rows per coefficient that all functions need.
const ROWS: usize = 4;
/// Functions that a weight may move along, at least.
const WIDE: usize = 4;
/// What a coefficient has to lower −2 log likelihood by.
const KEEP: f64 = 2.0;

/// A weight on the orthonormal basis.
#[derive(Debug, Clone)]
pub(super) struct OnBasis {
    /// Its coefficients.
    pub coefficients: Vec<f64>,
    /// What its band is made of.
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

/// The weights of the first `groups` regressors, and the coefficients of those after them.
pub(super) fn on_basis(
    sample: &mut Sample<'_>,
    groups: usize,
    kind: Covariance,
    manner: Manner<'_>,
) -> Option<(Vec<OnBasis>, Vec<f64>)> {
    let starts = own_functions(sample, groups, kind, manner);
    let normal = sample.normal();
    let coefficients = parsimonious(&normal, &starts)?;
    let places = normal.starts();
    let of = |g: usize| coefficients[places[g]..places[g + 1]].to_vec();
    let mut weights: Vec<OnBasis> =
        (0..groups).map(|g| OnBasis { coefficients: of(g), spread: None }).collect();
    let all: Vec<usize> = (0..normal.regressors()).collect();
    if let (Some(_), Some(fitted)) = (manner.level, normal.solve(&all)) {
        let errors = Errors::new(sample, &fitted, kind);
        for (g, weight) in weights.iter_mut().enumerate() {
            let (covariance, freedom) = errors.covariance(g);
            let centre = fitted.coefficients[fitted.starts[g]..fitted.starts[g + 1]].to_vec();
            weight.spread = Some(Spread { centre, covariance, freedom });
        }
    }
    Some((weights, coefficients[places[groups]..].to_vec()))
}

impl OnBasis {
    /// Draws the weight into its band, and gives it as many coefficients as the basis has.
    pub fn finish(&mut self, sample: &Sample<'_>, level: Option<f64>, size: usize) {
        if let (Some(level), Some(spread)) = (level, &self.spread) {
            let share = share_within(&self.coefficients, spread, sample, level);
            let path = self.coefficients.iter_mut().zip(&spread.centre);
            path.for_each(|(c, centre)| *c = centre + share * (*c - centre));
        }
        self.coefficients.resize(size, 0.0);
    }
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

/// How far a weight may go on its way from the centre of the band and stay within it at all steps.
fn share_within(weight: &[f64], spread: &Spread, sample: &Sample<'_>, level: f64) -> f64 {
    let reach = inference::pointwise(level, spread.freedom);
    let width = weight.len();
    let at = |psi: ArrayView1<'_, f64>| {
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

/// All coefficients after backward elimination of single ones of the first regressors, of which
/// `starts` tells how many functions they begin with; those left out are 0.
fn parsimonious(normal: &NormalEquations, starts: &[usize]) -> Option<Vec<f64>> {
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
    if method.movement == Movement::Legendre && method.bands && more > functions {
        let wider = method.movement.family().basis(more, steps, columns.lag())?;
        if wider.first() == fitted.basis.first()
            && let Ok(inner) = TimeBasis::new(&wider, columns)
        {
            return Ok((wider, inner));
        }
    }
    Ok((fitted.basis.clone(), fitted.score.basis.clone()))
}
