//! Whether a column that is not in a regression belongs there, however fast its weight moves.
//!
//! A weight that moves fast around 0 explains nothing as long as it is taken to stay or drift. So the
//! candidate is looked at along cosines, with the working models of the others projected out; and by
//! all models of a weight at once: where there is no edge, the mean of their evidence over that of
//! "no edge" is 1, so it exceeds k with a chance below 1/k. Both take noise to be of one size where it is not
//! known to move; so the candidate has to stand up to a robust test as well.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::average::log_evidence;
use super::dictionary::gram;
use super::evidence::{Care, ModelEvidence};
use super::gaussian::{FactorMemory, Likelihood};
use super::inflation::ratio;
use super::learn::Moving;
use super::moves::{WAVES, combined};
use super::prior::Masses;
use super::profile::{Alone, Profile};
use super::robust::{self, Candidate};
use super::transforms::{self, RegressionModels};
use super::working::{Working, said};
use crate::inference::counting_rows;
use crate::linear_algebra::{add_scaled, dot};
use crate::regression::Sample;
use crate::vectors::{Kernel, LANES, vectorised};

/// Rows that each cosine needs.
const ROWS: f64 = 10.0;
/// Rows of a candidate that count, by its fourth moment, for each cosine; a third of Gaussian rows do.
const COUNTING: f64 = 3.0;
/// p-value along cosines from which on models are not asked.
const UNLIKELY: f64 = 0.02;
/// Standard deviations by which a rough statistic has to be above its mean.
const ROUGH: f64 = 2.5;
/// Numbers of cosines, beside all of them, at which it is looked at: those of the tests.
const LOOKED: [usize; 5] = [1, 2, 4, 8, 16];
/// Pieces of time that are enough for a rough look: the fastest cosine turns ten times.
const COARSE: usize = 96;

/// What a rough statistic of a candidate has to reach for a test to be worth it.
///
/// It takes nothing out of the candidate that the others explain, and so is smaller than Wald's: by half where
/// they explain half of it. So it has to be half way from what chance gives to what the p-value asks for.
#[derive(Debug)]
pub(crate) struct Worth {
    /// By the number of cosines, from one on.
    least: Vec<f64>,
}

impl Worth {
    /// For p-values up to `most`.
    pub fn new(most: f64) -> Self {
        let least = |count: usize| {
            let size = count as f64;
            let law = ChiSquared::new(size);
            let asked = law.map_or(size, |law| law.inverse_cdf((1.0 - most).clamp(0.0, 1.0)));
            f64::midpoint(size, asked).max(size + ROUGH * (2.0 * size).sqrt())
        };
        Self { least: (1..=WAVES).map(least).collect() }
    }
}

/// Memory for looks at one candidate after the other.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    products: Vec<f64>,
    evidence: ModelEvidence,
}

/// What is left of a regression, ready for candidates.
#[derive(Debug)]
pub(crate) struct Absent<'a> {
    moving: &'a Moving,
    sample: &'a Sample<'a>,
    /// Residuals times the weight of their rows.
    residuals: Vec<f64>,
    factor: FactorMemory,
    waves: usize,
    /// Rows of a piece of time of a rough look, and cosines over these pieces, one after the other.
    coarse: usize,
    cosines: Vec<f64>,
}

impl<'a> Absent<'a> {
    /// Of a regression with working models; None where rows are too few.
    pub fn new(moving: &'a Moving, sample: &'a Sample<'a>) -> Option<Self> {
        let (moments, noise) = (&moving.moments, moving.joint.noise);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        let fitting = (moments.freedom / ROWS).max(0.0) as usize;
        let waves = WAVES.min(moving.dictionary.waves).min(fitting);
        if waves < 4 {
            return None;
        }
        let all: Vec<usize> = (0..moving.working.len()).collect();
        let (known, variances) = said(moving.known(), &moving.working, &all, noise);
        let mut factor = FactorMemory::default();
        factor.evidence(&known, &variances);
        let mut residuals = sample.target.to_vec();
        let each = Self::each(moving, sample);
        for (x, path) in sample.regressors.iter().zip(moving.weights()) {
            let steps = residuals.chunks_exact_mut(sample.series);
            for (t, (out, values)) in steps.zip(x.values.chunks_exact(sample.series)).enumerate() {
                add_scaled(out, -path[t / each], values);
            }
        }
        for (t, row) in residuals.chunks_exact_mut(sample.series).enumerate() {
            let precision = sample.precision.map_or(1.0, |p| p[t]);
            for r in row {
                *r *= precision;
            }
        }
        if let Some(weights) = sample.weights {
            residuals.iter_mut().zip(weights).for_each(|(r, w)| *r *= w);
        }
        let steps = each * moments.pieces().div_ceil(COARSE);
        let coarse = steps * sample.series;
        let cosines = coarse_cosines(moving, steps / each, waves);
        Some(Self { moving, sample, residuals, factor, waves, coarse, cosines })
    }

    /// Steps of a piece of time.
    fn each(moving: &Moving, sample: &Sample<'_>) -> usize {
        (sample.target.len() / sample.series).div_ceil(moving.moments.pieces()).max(1)
    }

    /// Σ of products of two columns, piece by piece.
    fn by_piece(&self, a: &[f64], b: &[f64], out: &mut Vec<f64>) {
        let length = Self::each(self.moving, self.sample) * self.sample.series;
        out.clear();
        if length == 1 {
            out.extend(a.iter().zip(b).map(|(x, y)| x * y));
        } else {
            vectorised::<ByPiece, _>((a, b, length, out));
        }
    }

    /// Whether a candidate is worth a test: it explains more than chance, roughly.
    pub fn is_worth(
        &self,
        values: &[f64],
        squares: f64,
        worth: &Worth,
        memory: &mut Memory,
    ) -> bool {
        let products = &mut memory.products;
        products.clear();
        vectorised::<ByPiece, _>((values, &self.residuals, self.coarse, products));
        let all = self.moving.joint.noise * squares;
        let mut sum = 0.0;
        for (k, cosine) in self.cosines.chunks_exact(products.len()).enumerate() {
            let factor = if k == 0 { 1.0 } else { 2.0 };
            sum += factor * dot(cosine, products).powi(2) / all;
            let size = k + 1;
            let looked = LOOKED.contains(&size) || size == self.waves;
            if looked && sum > worth.least[k] {
                return true;
            }
        }
        false
    }

    /// p-value of "its weight is 0 at every step"; 1 where it is above `most`.
    pub fn p_value(&self, values: &'a [f64], most: f64, memory: &mut Memory) -> f64 {
        // Values that are nearly all the same tell few cosines apart: more would follow every row that differs.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        let counting = (counting_rows(values.iter().copied()) / COUNTING) as usize;
        let waves = self.waves.min(counting);
        // Were each row to come with either sign, so few would agree by chance this often.
        let pulls = values.iter().zip(&self.residuals).map(|(x, r)| x * r);
        let by_chance = (-counting_rows(pulls)).exp2();
        if waves == 0 || by_chance > most {
            return 1.0;
        }
        let noise = self.moving.joint.noise;
        let (dictionary, working) = (&self.moving.dictionary, &self.moving.working);
        let weighted = self.weighted(values);
        let (mut by_piece, mut along) = (Vec::new(), Vec::new());
        // L⁻¹ D^½ G_oc.
        let others: usize = working.iter().map(|model| model.columns.len()).sum();
        let mut cross = vec![0.0; others * waves];
        let mut rows = cross.chunks_exact_mut(waves);
        for (x, model) in self.sample.regressors.iter().zip(working) {
            self.by_piece(&weighted, x.values, &mut by_piece);
            let own = model.course.leading_waves();
            if own > 0 {
                let most = waves + own - 1;
                along.clear();
                along.extend((0..most).map(|m| dot(dictionary.cosine(m), &by_piece) / noise));
            }
            for (j, column) in model.columns.iter().enumerate() {
                let Some(row) = rows.next() else { break };
                if j < own {
                    for (k, value) in row.iter_mut().enumerate() {
                        *value = transforms::product(&along, j, k);
                    }
                } else {
                    let product: Vec<f64> =
                        column.iter().zip(&by_piece).map(|(c, s)| c * s / noise).collect();
                    fill(dictionary, &product, row);
                }
            }
        }
        self.factor.project_rows(&mut cross, waves);
        self.by_piece(&weighted, values, &mut by_piece);
        let own: Vec<f64> =
            (0..2 * waves).map(|m| dot(dictionary.cosine(m), &by_piece) / noise).collect();
        self.by_piece(&weighted, self.sample.target, &mut by_piece);
        let scaled: Vec<f64> = by_piece.iter().map(|s| s / noise).collect();
        let mut score = vec![0.0; waves];
        fill(dictionary, &scaled, &mut score);
        let mut information = gram(&own, waves);
        for (row, solved) in cross.chunks_exact(waves).zip(self.factor.solved()) {
            add_scaled(&mut score, -solved, row);
            for j in 0..waves {
                add_scaled(&mut information[j * waves..(j + 1) * waves], -row[j], row);
            }
        }
        let plain = Likelihood { information: information.clone(), score: score.clone() };
        // Less is known where noise is large when the candidate is.
        let products: f64 =
            weighted.iter().zip(values).map(|(a, b)| a * b).sum::<f64>().max(f64::MIN_POSITIVE);
        let squares: f64 = self.residuals.iter().zip(values).map(|(r, x)| (r * x).powi(2)).sum();
        let inflation = ratio(squares, noise * products, values.len());
        information.iter_mut().chain(&mut score).for_each(|x| *x /= inflation);
        let (said, freedom) = (Likelihood { information, score }, self.moving.joint.freedom);
        let along = combined(&said, 0, freedom);
        if along > UNLIKELY {
            return 1.0;
        }
        let candidate = Candidate {
            values,
            weighted: &weighted,
            residuals: &self.residuals,
            length: Self::each(self.moving, self.sample) * self.sample.series,
            noise,
        };
        // Models take longest: they are asked where the answer matters.
        let robust = robust::p_value(&candidate, &plain, dictionary, freedom);
        if robust > most {
            return 1.0;
        }
        let by_models = (-self.evidence(values, inflation, &mut memory.evidence)).exp();
        let found = (2.0 * along.min(by_models)).max(robust).max(by_chance);
        if found > most { 1.0 } else { found }
    }

    /// How much likelier the data are with the candidate than without, as a logarithm.
    fn evidence(&self, values: &'a [f64], inflation: f64, evidence: &mut ModelEvidence) -> f64 {
        let moments = self.moving.moments.with(self.sample, values);
        let mut working = self.moving.working.clone();
        working.push(Working::still(1.0, moments.pieces()));
        let (last, noise) = (working.len() - 1, self.moving.joint.noise);
        let dictionary = &self.moving.dictionary;
        let transforms = self.moving.transforms.with(&moments, dictionary);
        let known = RegressionModels { moments: &moments, dictionary, transforms: &transforms };
        let alone = Alone::of(known, last);
        let profile = Profile::of(known, &alone, &working, last, noise, inflation);
        evidence.look(&profile, &self.moving.smooth, Care::Quick);
        log_evidence(evidence, &Masses::unseen())
    }

    fn weighted(&self, values: &[f64]) -> Vec<f64> {
        let series = self.sample.series;
        let weight = |row: usize| {
            self.sample.precision.map_or(1.0, |p| p[row / series])
                * self.sample.weights.map_or(1.0, |w| w[row])
        };
        values.iter().enumerate().map(|(row, x)| x * weight(row)).collect()
    }
}

/// cos(kα), averaged over so many pieces at a time, of as many cosines as there are waves.
fn coarse_cosines(moving: &Moving, together: usize, waves: usize) -> Vec<f64> {
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
    let cosine = |k: usize| moving.dictionary.cosine(k).chunks(together).map(mean);
    (0..waves).flat_map(cosine).collect()
}

/// Σ of products over pieces of a length, in eight interleaved sums.
struct ByPiece;

impl Kernel<(&[f64], &[f64], usize, &mut Vec<f64>)> for ByPiece {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((a, b, length, out): (&[f64], &[f64], usize, &mut Vec<f64>)) {
        for (a, b) in a.chunks(length).zip(b.chunks(length)) {
            let mut sums = [0.0; LANES];
            let ((a, last), (b, rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
            for (x, y) in a.iter().zip(b) {
                for lane in 0..LANES {
                    sums[lane] += x[lane] * y[lane];
                }
            }
            let tail: f64 = last.iter().zip(rest).map(|(x, y)| x * y).sum();
            out.push(sums.iter().sum::<f64>() + tail);
        }
    }
}

/// Σ φ_k p over pieces.
fn fill(dictionary: &super::dictionary::Dictionary, p: &[f64], out: &mut [f64]) {
    for (k, value) in out.iter_mut().enumerate() {
        let factor = if k == 0 { 1.0 } else { std::f64::consts::SQRT_2 };
        *value = factor * dot(dictionary.cosine(k), p);
    }
}
