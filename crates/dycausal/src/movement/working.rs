//! The model that each weight of a regression is taken to follow while the others are looked at.

use super::course::Course;
use super::dictionary::Dictionary;
use super::gaussian::{FactorMemory, GaussianPosterior, Likelihood};
use super::transforms::{self, RegressionModels};
use crate::linear_algebra::dot;

/// Functions of time with prior variances.
#[derive(Debug, Clone)]
pub(crate) struct Working {
    /// What the functions are.
    pub course: Course,
    /// The prior variance of each coefficient.
    pub variances: Vec<f64>,
    /// The functions, piece by piece.
    pub columns: Vec<Vec<f64>>,
}

impl Working {
    /// A weight that stays.
    pub fn still(unit: f64, pieces: usize) -> Self {
        Self {
            course: Course::Static,
            variances: vec![unit * unit],
            columns: vec![vec![1.0; pieces]],
        }
    }

    /// A weight on these functions; jumps are numbers of pieces.
    pub(super) fn new(course: Course, variances: Vec<f64>, dictionary: &Dictionary) -> Self {
        let one = || dictionary.cosine(0).to_vec();
        let columns = match &course {
            Course::Static => vec![one()],
            Course::Polynomial(degree) => {
                (0..=*degree).map(|k| dictionary.polynomial(k).to_vec()).collect()
            }
            Course::Smooth(count) => (0..*count).map(|k| dictionary.wave(k)).collect(),
            Course::Jumps(at) => {
                [one()].into_iter().chain(at.iter().map(|at| dictionary.jump(*at))).collect()
            }
            Course::From(at) => vec![dictionary.jump(*at)],
            Course::Until(at) => vec![difference(&one(), &dictionary.jump(*at))],
            Course::Between(from, to) => {
                vec![difference(&dictionary.jump(*from), &dictionary.jump(*to))]
            }
            Course::SmoothJump(count, at) => {
                let waves = (0..*count).map(|k| dictionary.wave(k));
                waves.chain([dictionary.jump(*at)]).collect()
            }
        };
        Self { course, variances, columns }
    }

    /// How many functions.
    pub fn size(&self) -> usize {
        self.columns.len()
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

/// Σ φ_i φ_j s over pieces.
fn product(a: &[f64], b: &[f64], s: &[f64]) -> f64 {
    a.iter().zip(b).zip(s).map(|((x, y), s)| x * y * s).sum()
}

/// What the data say of the coefficients of some regressors, one after the other, in units of the
/// noise variance.
pub(super) fn said(
    known: RegressionModels<'_>,
    working: &[Working],
    which: &[usize],
    noise: f64,
) -> (Likelihood, Vec<f64>) {
    let RegressionModels { moments, transforms, .. } = known;
    let size: usize = which.iter().map(|g| working[*g].size()).sum();
    let mut information = vec![0.0; size * size];
    let mut score = Vec::with_capacity(size);
    let mut variances = Vec::with_capacity(size);
    let mut row = 0;
    for (index, g) in which.iter().enumerate() {
        let (own, target) = (&working[*g], moments.target());
        let (waves, with_target) = (own.course.leading_waves(), moments.pair(*g, target));
        let along = |k: usize| transforms::along(transforms.pair(*g, target), k);
        score.extend((0..waves).map(|k| along(k) / noise));
        score.extend(own.columns[waves..].iter().map(|column| dot(column, with_target) / noise));
        variances.extend_from_slice(&working[*g].variances);
        let mut col = 0;
        for h in &which[..=index] {
            let s = moments.pair(*g, *h);
            let still = working[*g].size() == 1 && working[*h].size() == 1;
            if still && working[*g].course == Course::Static && working[*h].course == Course::Static
            {
                information[row * size + col] = s.iter().sum::<f64>() / noise;
            } else {
                let (more, both) = (working[*h].course.leading_waves(), transforms.pair(*g, *h));
                for (j, a) in working[*g].columns.iter().enumerate() {
                    for (k, b) in working[*h].columns.iter().enumerate() {
                        let value = if j < waves && k < more {
                            transforms::product(both, j, k)
                        } else {
                            product(a, b, s)
                        };
                        information[(row + j) * size + col + k] = value / noise;
                    }
                }
            }
            col += working[*h].size();
        }
        row += working[*g].size();
    }
    for j in 0..size {
        for k in 0..j {
            information[k * size + j] = information[j * size + k];
        }
    }
    (Likelihood { information, score }, variances)
}

/// The noise variance and all coefficients under the working models.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    /// Σ r² over rows less what was used up.
    pub noise: f64,
    /// Coefficients of each regressor on its functions.
    pub coefficients: Vec<Vec<f64>>,
    /// What is left of the rows.
    pub freedom: f64,
}

/// Solves for the coefficients, and then for the noise that they leave, a few times over.
pub(super) fn joint(known: RegressionModels<'_>, working: &[Working], start: f64) -> Joint {
    let moments = known.moments;
    let all: Vec<usize> = (0..working.len()).collect();
    let square = moments.total(moments.target(), moments.target());
    let (plain, variances) = said(known, working, &all, 1.0);
    let size = variances.len();
    let mut noise = start;
    let mut scratch = FactorMemory::default();
    let mut found = GaussianPosterior { mean: Vec::new(), factor: Vec::new() };
    let mut freedom = moments.freedom;
    for _ in 0..3 {
        let scaled = Likelihood {
            information: plain.information.iter().map(|x| x / noise).collect(),
            score: plain.score.iter().map(|x| x / noise).collect(),
        };
        scratch.evidence(&scaled, &variances);
        found = scratch.posterior();
        let mean = &found.mean;
        let row = |k: usize| dot(&plain.information[k * size..(k + 1) * size], mean);
        let fitted: f64 = (0..size).map(|k| mean[k] * (2.0 * plain.score[k] - row(k))).sum();
        // tr(A Σ): coefficients that the data, and not the prior, have settled.
        let left: f64 = found
            .factor
            .chunks_exact(size.max(1))
            .map(|column| column.iter().zip(&variances).map(|(f, v)| f * f / v).sum::<f64>())
            .sum();
        freedom = (moments.freedom - (size as f64 - left)).max(1.0);
        let residual = (square - fitted).max(1e-12 * square);
        let next = residual / freedom;
        let settled = (next / noise - 1.0).abs() < 1e-3;
        noise = next;
        if settled {
            break;
        }
    }
    let mut coefficients = Vec::with_capacity(working.len());
    let mut at = 0;
    for model in working {
        coefficients.push(found.mean[at..at + model.size()].to_vec());
        at += model.size();
    }
    Joint { noise, coefficients, freedom }
}
