//! Effects of variables on themselves, without the bias that means leave.
//!
//! Where means are estimated from the same few steps (a smooth mean, or the level of each series),
//! the weight of a variable's own past comes out too small: by about (1 + 3φ)/T. So the fitted
//! recursion y_t = Σ φ_l y_{t−l} + (other causes) + noise is run again, others as they were and the
//! noise with random signs, its mean taken out as in the data, and fitted: the median of what comes
//! out, less what was put in, is the bias. Twice, since the bias depends on φ itself. Bands get wider
//! where these fits spread more than their standard error says.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::refit::{Estimated, Path};
use crate::design::Partition;
use crate::design::Preparation;
use crate::regression::{Regressor, Sample};

/// Draws of each round.
const DRAWS: usize = 60;
/// Rounds.
const ROUNDS: usize = 2;
/// Expected bias, in standard errors, from which on it is mended.
const MATTERS: f64 = 0.1;
/// The largest bias that is expected, times the number of steps.
const LARGEST: f64 = 4.0;
/// The largest sum of own weights that is run again: more would explode.
const STABLE: f64 = 0.995;

/// How own weights are mended.
#[derive(Debug)]
pub(super) struct Mend<'a> {
    /// What was taken out of the data.
    pub preparation: &'a Preparation,
    /// The number of each variable in the panel.
    pub before: &'a [usize],
    /// Seed of the draws; the same for every variable, so that their sequence does not matter.
    pub seed: u64,
}

/// Mends the own weights of an equation: `itself` lists regressors of the sample with their lags,
/// `past` the steps before its first row.
pub(super) fn mend(
    sample: &Sample<'_>,
    itself: &[(usize, usize)],
    past: &[f64],
    to: usize,
    how: &Mend<'_>,
    estimated: &mut Estimated,
) {
    let long = Partition::pieces(sample.target.len() / sample.series, sample.series).are_long();
    // No bias of a stable recursion is larger than this: of long series none is worth a regression.
    if long && !matters(LARGEST / sample.steps(), itself, estimated) {
        return;
    }
    let Some(recursion) = Recursion::of(sample, itself, past) else { return };
    if !recursion.matters(estimated) {
        return;
    }
    let steps = (past.len() + sample.target.len()) / sample.series;
    let variable = how.before[to];
    let centre =
        |column: &mut Vec<f64>| how.preparation.centre(variable, steps, column, sample.series);
    let mut random = ChaCha8Rng::seed_from_u64(how.seed);
    let mut bias = vec![0.0; recursion.weights.len()];
    let mut spread = Vec::new();
    for _ in 0..ROUNDS {
        let weights = recursion.without(&bias);
        let mut drawn: Vec<Vec<f64>> = Vec::with_capacity(DRAWS);
        for _ in 0..DRAWS {
            let mut column = recursion.run(&weights, &mut random);
            if centre(&mut column).is_err() {
                return;
            }
            // A run that explodes says nothing.
            drawn.extend(recursion.fit(&column).filter(|fit| fit.iter().all(|c| c.is_finite())));
        }
        if drawn.len() < DRAWS / 2 {
            return;
        }
        spread = (0..bias.len()).map(|k| variance(&drawn, k)).collect();
        bias = (0..bias.len()).map(|k| median(&drawn, k) - weights[k]).collect();
    }
    recursion.shift(&recursion.without(&bias), &spread, estimated);
}

/// A fitted recursion, ready to be run again.
struct Recursion<'a, 'b> {
    sample: &'a Sample<'b>,
    itself: &'a [(usize, usize)],
    past: &'a [f64],
    /// Own coefficients\[regressor\]\[function\].
    weights: Vec<f64>,
    /// What other causes add to each row.
    others: Vec<f64>,
    noise: Vec<f64>,
}

impl<'a, 'b> Recursion<'a, 'b> {
    fn of(sample: &'a Sample<'b>, itself: &'a [(usize, usize)], past: &'a [f64]) -> Option<Self> {
        let all: Vec<usize> = (0..sample.regressors.len()).collect();
        let fitted = sample.normal().solve(&all)?;
        let mut noise = sample.residuals(&fitted);
        let mut others: Vec<f64> = sample.target.iter().zip(&noise).map(|(y, u)| y - u).collect();
        let mut weights = Vec::new();
        for (g, _) in itself {
            let c = &fitted.coefficients[fitted.starts[*g]..fitted.starts[g + 1]];
            weights.extend_from_slice(c);
            for (row, x) in sample.regressors[*g].values.iter().enumerate() {
                others[row] -= weight(sample, c, row) * x;
            }
        }
        let grown = (fitted.rows / fitted.freedom).sqrt();
        for u in &mut noise {
            *u *= grown;
        }
        Some(Self { sample, itself, past, weights, others, noise })
    }

    /// Whether the expected bias is more than a small part of the standard error.
    fn matters(&self, estimated: &Estimated) -> bool {
        let sum: f64 = self.starts().map(|at| self.weights[at]).sum();
        matters((1.0 + 3.0 * sum.abs()) / self.sample.steps(), self.itself, estimated)
    }

    /// Where the coefficients of each own regressor begin.
    fn starts(&self) -> impl Iterator<Item = usize> {
        self.itself.iter().scan(0, |at, (g, _)| {
            let start = *at;
            *at += self.sample.regressors[*g].functions;
            Some(start)
        })
    }

    /// The weights less their bias, held where the recursion does not explode.
    fn without(&self, bias: &[f64]) -> Vec<f64> {
        let mut out: Vec<f64> = self.weights.iter().zip(bias).map(|(w, b)| w - b).collect();
        let sum: f64 = self.starts().map(|at| out[at]).sum();
        if sum > STABLE {
            let before: f64 = self.starts().map(|at| self.weights[at]).sum();
            let share = ((STABLE - before) / (sum - before)).clamp(0.0, 1.0);
            for (w, b) in out.iter_mut().zip(bias) {
                *w += b * (1.0 - share);
            }
        }
        out
    }

    /// The past and one run of the recursion behind it.
    fn run(&self, weights: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
        let series = self.sample.series;
        let first = self.past.len();
        let mut column = self.past.to_vec();
        column.reserve(self.others.len());
        let paths: Vec<(usize, usize, usize)> = self
            .starts()
            .zip(self.itself)
            .map(|(at, (g, back))| (at, self.sample.regressors[*g].functions, *back))
            .collect();
        for row in 0..self.others.len() {
            let sign = if random.random::<bool>() { 1.0 } else { -1.0 };
            let mut value = self.others[row] + sign * self.noise[row];
            for (at, functions, back) in &paths {
                let c = &weights[*at..at + functions];
                value += weight(self.sample, c, row) * column[first + row - back * series];
            }
            column.push(value);
        }
        column
    }

    /// Own coefficients of the regression on a run.
    fn fit(&self, column: &[f64]) -> Option<Vec<f64>> {
        let rows = self.others.len();
        let mut regressors: Vec<Regressor<'_>> = self.sample.regressors.clone();
        for (g, back) in self.itself {
            let start = self.past.len() - back * self.sample.series;
            regressors[*g].values = &column[start..start + rows];
        }
        let Sample { series, weights, precision, intercepts, .. } = *self.sample;
        let psi = self.sample.psi.view();
        let target = &column[self.past.len()..];
        let sample = Sample { target, regressors, psi, series, weights, precision, intercepts };
        let all: Vec<usize> = (0..sample.regressors.len()).collect();
        let fitted = sample.normal().solve(&all)?;
        let of =
            |(g, _): &(usize, usize)| &fitted.coefficients[fitted.starts[*g]..fitted.starts[g + 1]];
        Some(self.itself.iter().flat_map(of).copied().collect())
    }

    /// Moves weights and bands to the mended weights.
    fn shift(&self, mended: &[f64], spread: &[f64], estimated: &mut Estimated) {
        for (at, (g, back)) in self.starts().zip(self.itself) {
            let Some(weight) = estimated.weights.get_mut(*g) else {
                estimated.own_lags[back - 1] += mended[at] - self.weights[at];
                continue;
            };
            let moved: Vec<f64> = (0..self.sample.regressors[*g].functions)
                .map(|k| mended[at + k] - self.weights[at + k])
                .collect();
            match &mut weight.path {
                Path::Basis(path) => {
                    let Some(known) = path.spread.as_mut() else { continue };
                    let wider = (spread[at] / known.covariance[0]).max(1.0);
                    known.covariance.iter_mut().for_each(|v| *v *= wider);
                    for (k, moved) in moved.iter().enumerate() {
                        known.centre[k] += moved;
                        // What was left out of the weight stays out of it.
                        if path.coefficients[k] != 0.0 {
                            path.coefficients[k] += moved;
                        }
                    }
                }
                Path::Average(told) => {
                    let wider = (spread[at].sqrt() / told.mixture.deviation()).max(1.0);
                    if wider.is_finite() {
                        told.mixture = told.mixture.clone().wider(wider).shifted(moved[0]);
                    }
                }
            }
        }
    }
}

/// Whether a bias is more than a small part of the standard error of an own weight.
fn matters(bias: f64, itself: &[(usize, usize)], estimated: &Estimated) -> bool {
    let known = itself.iter().filter_map(|(g, _)| estimated.weights.get(*g));
    let errors = known.filter_map(|weight| match &weight.path {
        Path::Basis(path) => Some(path.spread.as_ref()?.covariance[0].sqrt()),
        Path::Average(told) => Some(told.mixture.deviation()),
    });
    errors.fold(f64::INFINITY, f64::min) * MATTERS < bias
}

/// A weight at the step of a row.
fn weight(sample: &Sample<'_>, coefficients: &[f64], row: usize) -> f64 {
    let psi = sample.psi.row(row / sample.series);
    coefficients.iter().zip(psi).map(|(c, p)| c * p).sum()
}

fn median(drawn: &[Vec<f64>], k: usize) -> f64 {
    let mut values: Vec<f64> = drawn.iter().map(|of_one| of_one[k]).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

fn variance(drawn: &[Vec<f64>], k: usize) -> f64 {
    let count = drawn.len() as f64;
    let mean = drawn.iter().map(|of_one| of_one[k]).sum::<f64>() / count;
    drawn.iter().map(|of_one| (of_one[k] - mean).powi(2)).sum::<f64>() / (count - 1.0)
}
