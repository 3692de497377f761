//! The weights that are reported, and their bands: the listed regressions once more, with care.
//!
//! Where the noise moves, rows count by one over the noise variance of their time (generalised
//! least squares). Weights are averages over models of how each moves, or move along a basis.

use ndarray::{CowArray, Ix2, s};

use super::on_basis::{OnBasis, on_basis};
use super::self_lags::{self, Mend};
use super::settings::Movement;
use crate::basis::Basis;
use crate::inference::equation::{Data, Equation};
use crate::knowledge::Knowledge;
use crate::movement::{Masses, Mixture, Moving, Told, Wanted};
use crate::regression::{Regressor, Sample};
use crate::scores::linear::LinearScore;
use crate::scores::linear::noise::{self, Regression, ResidualSums, Sums};
use crate::scores::linear::shrink::Fit;
use crate::scores::linear::variance::mean_square;

/// How weights are estimated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner<'a> {
    /// How they move.
    pub movement: Movement,
    /// What weights are told on, where it goes on into steps without rows.
    pub basis: Option<&'a Basis>,
    /// How many of its functions weights have; those that move more have all.
    pub functions: usize,
    /// How often a band holds the truth; `None` where there are no bands.
    pub level: Option<f64>,
    /// How effects of variables on themselves are mended, where they are biased.
    pub mend: Option<&'a Mend<'a>>,
    /// How likely each class of motion is beforehand.
    pub masses: Masses,
    /// Whether there are so many edges that little can be kept of each.
    pub brief: bool,
}

/// The weight of one regressor, in standard deviations.
#[derive(Debug, Clone)]
pub(super) struct Weight {
    /// The regressor, as a column.
    pub column: usize,
    /// How it moves.
    pub path: Path,
}

/// How a weight moves.
#[derive(Debug, Clone)]
pub(super) enum Path {
    /// Along a basis.
    Basis(OnBasis),
    /// As an average over models.
    Average(Box<Told>),
}

/// What an equation comes out as.
#[derive(Debug, Clone, Default)]
pub(super) struct Estimated {
    /// Of its regressors; none where rows do not carry the regression.
    pub weights: Vec<Weight>,
    /// Of its own lags 1, 2, … that are no edges; 0 for those that are.
    pub own_lags: Vec<f64>,
}

/// The rows of an equation for its weights.
///
/// Where the basis goes on into the first steps, a regression without the longest lags has rows
/// there.
pub(super) struct Rows<'a> {
    first: usize,
    psi: CowArray<'a, f64, Ix2>,
    precision: Option<Vec<f64>>,
    /// Own lags that are no edges.
    own: Vec<usize>,
}

impl<'d> Rows<'d> {
    /// Which rows there are, and what counts in them.
    pub fn of(data: &Data<'d>, equation: &Equation, basis: Option<&Basis>) -> Self {
        let columns = data.columns;
        let (d, lag) = (columns.variables(), columns.lag());
        let longest = equation.selected.iter().map(|c| c / d).max().unwrap_or(0);
        let remembers = equation.own > lag;
        let earlier = basis.filter(|basis| {
            columns.has_earlier_rows() && longest < lag && basis.first() <= longest
        });
        let (first, psi): (usize, CowArray<'d, f64, Ix2>) = match earlier {
            Some(basis) if !remembers => (longest, data.basis.starting(basis, longest).into()),
            _ => {
                let first = equation.own.max(lag);
                (first, data.basis.values().slice_move(s![first - lag.., ..]).into())
            }
        };
        let precision: Option<Vec<f64>> = equation
            .precision
            .as_ref()
            .map(|p| (first..columns.all_steps()).map(|t| p[t.saturating_sub(lag)]).collect());
        let own = (1..=equation.own)
            .filter(|back| remembers && !equation.selected.contains(&(back * d + equation.to)))
            .collect();
        Self { first, psi, precision, own }
    }

    /// The first step that has rows.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The sample with all functions of the basis.
    pub fn sample<'a>(&'a self, data: &Data<'a>, equation: &'a Equation) -> Sample<'a> {
        let columns = data.columns;
        let (d, series) = (columns.variables(), columns.series());
        let first = self.first;
        let regressor = |variable: usize, back: usize, functions: usize| Regressor {
            values: data.cause(equation, variable, back, first),
            functions,
        };
        let size = data.basis.size();
        let listed = equation.selected.iter().map(|c| regressor(c % d, c / d, size));
        let own = self.own.iter().map(|back| regressor(equation.to, *back, 1));
        Sample {
            target: columns.lagged(equation.to, 0, first),
            regressors: listed.chain(own).collect(),
            psi: self.psi.view(),
            series,
            weights: data.weights(equation, first),
            precision: self.precision.as_deref(),
            intercepts: columns.intercept_of(equation.to) as f64,
        }
    }
}

/// The weights of an equation, with working models if they are known.
pub(super) fn weights(
    data: &Data<'_>,
    equation: &Equation,
    moving: Option<Moving>,
    manner: Manner<'_>,
) -> Estimated {
    let rows = Rows::of(data, equation, manner.basis);
    let mut sample = rows.sample(data, equation);
    let found = match manner.movement {
        Movement::Average => averaged(data, equation, &sample, moving, manner),
        _ => on_basis(&mut sample, equation.selected.len(), data.covariance(), manner)
            .map(|(weights, own)| (weights.into_iter().map(Path::Basis).collect(), own)),
    };
    let Some((paths, own)) = found else { return Estimated::default() };
    let mut own_lags = vec![0.0; rows.own.last().copied().unwrap_or(0)];
    for (back, weight) in rows.own.iter().zip(own) {
        own_lags[back - 1] = weight;
    }
    let weight = |(column, path): (&usize, Path)| Weight { column: *column, path };
    let weights: Vec<Weight> = equation.selected.iter().zip(paths).map(weight).collect();
    let mut estimated = Estimated { weights, own_lags };
    let d = data.columns.variables();
    let lags = |(g, c): (usize, &usize)| (c % d == equation.to).then_some((g, c / d));
    let mut itself: Vec<(usize, usize)> =
        equation.selected.iter().enumerate().filter_map(lags).collect();
    let listed = equation.selected.len();
    itself.extend(rows.own.iter().enumerate().map(|(k, back)| (listed + k, *back)));
    if let (Some(mend), false) = (manner.mend, itself.is_empty()) {
        let past = &data.columns.whole(equation.to)[..rows.first * data.columns.series()];
        self_lags::mend(&sample, &itself, past, equation.to, mend, &mut estimated);
    }
    for weight in &mut estimated.weights {
        if let Path::Basis(path) = &mut weight.path {
            path.finish(&sample, manner.level, data.basis.size());
        }
    }
    estimated
}

/// The weights of an equation as averages over models, each by its column.
pub(in crate::learners) fn averages(
    data: &Data<'_>,
    equation: &Equation,
    level: Option<f64>,
) -> Vec<(usize, Mixture)> {
    let manner = Manner {
        movement: Movement::Average,
        basis: None,
        functions: data.functions,
        level,
        mend: None,
        masses: Masses::default(),
        brief: false,
    };
    let average = |weight: Weight| match weight.path {
        Path::Average(told) => Some((weight.column, told.mixture)),
        Path::Basis(_) => None,
    };
    weights(data, equation, None, manner).weights.into_iter().filter_map(average).collect()
}

/// Averages over models of each weight, and the coefficients of own lags that are no edges.
fn averaged(
    data: &Data<'_>,
    equation: &Equation,
    sample: &Sample<'_>,
    moving: Option<Moving>,
    manner: Manner<'_>,
) -> Option<(Vec<Path>, Vec<f64>)> {
    let listed = equation.selected.len();
    let mut moving =
        moving.unwrap_or_else(|| Moving::new(sample, listed, data.columns.all_steps()));
    let wanted = Wanted {
        level: manner.level.unwrap_or(0.95),
        covariance: data.covariance(),
        masses: manner.masses,
        brief: manner.brief,
    };
    let told = moving.tell(sample, wanted).ok()?;
    let own = moving.joint.coefficients[listed..].iter().map(|c| c[0]).collect();
    Some((told.into_iter().map(|told| Path::Average(Box::new(told))).collect(), own))
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
    let pooled = mean_square(sums, score.columns.rows());
    let mut weights = vec![1.0; score.columns.steps()];
    for (bin, variance) in score.bins.iter().zip(&noise.variances) {
        weights[bin.clone()].fill(pooled / variance.max(1e-12 * pooled));
    }
    Some(weights)
}

/// The equation of a regression that the search found, with the columns that were required.
pub(in crate::learners) fn equation(
    score: &LinearScore,
    to: usize,
    fit: &Fit,
    knowledge: &Knowledge,
) -> Equation {
    let required = knowledge.required_columns(to);
    let missing = required.iter().copied().filter(|column| !fit.selected.contains(column));
    Equation {
        to,
        selected: fit.selected.iter().copied().chain(missing).collect(),
        own: 0,
        precision: precision(score, to, fit, &mut ResidualSums::default()),
        tests: Vec::new(),
        required,
        partial: None,
    }
}
