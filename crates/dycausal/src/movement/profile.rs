//! What the data say of one weight, with the others integrated out at their working models.

use super::course::DEGREE;
use super::dictionary::{Dictionary, fill_tails, gram, tails};
use super::gaussian::{FactorMemory, Likelihood};
use super::transforms::{self, RegressionModels};
use super::working::{Working, said};
use crate::linear_algebra::{add_scaled, dot};

/// Polynomials, the constant among them.
const DEGREES: usize = DEGREE + 1;
/// Jumps that are looked at together with cosines, at most.
const WITH_WAVES: usize = 128;

/// Information and scores of every function that models of a weight are made of.
#[derive(Debug)]
pub(super) struct Profile {
    /// sd of the target over that of the regressor.
    pub unit: f64,
    /// Of cosines.
    pub waves: Likelihood,
    /// Of polynomials.
    pub polynomials: Likelihood,
    /// Of each jump: its score, its information, and that with the constant.
    pub jumps: Vec<Jump>,
    /// Of each cosine with each jump, cosine by cosine, for one in [`Profile::every`] jumps.
    pub waves_with_jumps: Vec<f64>,
    /// One in so many jumps is looked at together with cosines.
    pub every: usize,
    /// What each function of the others takes away from each jump.
    taken: Vec<f64>,
    /// Σ over pieces from each on, with nothing taken away.
    tail: Vec<f64>,
    scale: f64,
}

/// What the data say of one jump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jump {
    /// The piece before which it comes.
    pub piece: usize,
    /// b.
    pub score: f64,
    /// A with itself.
    pub information: f64,
    /// A with the constant.
    pub with_constant: f64,
}

/// What the data say of one weight as if it were alone, before the noise is known.
#[derive(Debug)]
pub(super) struct Alone {
    /// Of cosines.
    waves: Vec<f64>,
    /// Of polynomials.
    polynomials: Vec<f64>,
    /// Of all cosines with one in so many jumps, cosine by cosine.
    waves_with_jumps: Vec<f64>,
    /// Σ over pieces from each on.
    tail: Vec<f64>,
    /// Of every function with the target.
    score: Vec<f64>,
}

impl Alone {
    /// Of regressor `g`.
    pub fn of(known: RegressionModels<'_>, g: usize) -> Self {
        let RegressionModels { moments, dictionary, transforms } = known;
        let (own, target) = (moments.pair(g, g), moments.target());
        let every = every(dictionary);
        let mut score = vec![0.0; width(dictionary)];
        fill(dictionary, transforms.pair(g, target), moments.pair(g, target), &mut score);
        Self {
            waves: gram(transforms.pair(g, g), dictionary.waves),
            polynomials: of_polynomials(dictionary, own),
            waves_with_jumps: of_waves_with_jumps(dictionary, own, every),
            tail: tails(own.iter().copied(), own.len()),
            score,
        }
    }
}

/// One in so many jumps is looked at together with cosines.
fn every(dictionary: &Dictionary) -> usize {
    dictionary.jumps.len().div_ceil(WITH_WAVES).max(1)
}

/// How many functions there are.
fn width(dictionary: &Dictionary) -> usize {
    dictionary.waves + DEGREES + dictionary.jumps.len()
}

impl Profile {
    /// Of regressor `g`; what is known of it counts for `1 / inflation`.
    pub fn of(
        known: RegressionModels<'_>,
        alone: &Alone,
        working: &[Working],
        g: usize,
        noise: f64,
        inflation: f64,
    ) -> Self {
        let RegressionModels { moments, dictionary, .. } = known;
        let taken = Taken::of(known, working, g, noise);
        let places = dictionary.jumps.len();
        let (count, scale) = (dictionary.waves, 1.0 / inflation);
        let over = |s: &[f64]| -> Vec<f64> { s.iter().map(|s| s / noise).collect() };
        let score = taken.score(over(&alone.score), scale);
        let waves = Likelihood {
            information: taken.of_waves(dictionary, over(&alone.waves), scale),
            score: score[..count].to_vec(),
        };
        let polynomials = Likelihood {
            information: taken.of_polynomials(dictionary, over(&alone.polynomials), scale),
            score: score[count..count + DEGREES].to_vec(),
        };
        let every = every(dictionary);
        let together = over(&alone.waves_with_jumps);
        let waves_with_jumps = taken.of_waves_with_jumps(dictionary, together, every, scale);
        let tail = over(&alone.tail);
        let of_jumps = taken.of_jumps(places);
        // What is taken from each jump with itself, and with the constant.
        let (mut own, mut with) = (vec![0.0; places], vec![0.0; places]);
        for (row, lost) in taken.rows().zip(of_jumps.chunks_exact(places.max(1))) {
            own.iter_mut().zip(lost).for_each(|(sum, x)| *sum += x * x);
            add_scaled(&mut with, row[0], lost);
        }
        let jump = |(j, piece): (usize, &usize)| Jump {
            piece: *piece,
            score: score[count + DEGREES + j],
            information: (tail[*piece] - own[j]) * scale,
            with_constant: (tail[*piece] - with[j]) * scale,
        };
        let jumps = dictionary.jumps.iter().enumerate().map(jump).collect();
        let (mine, all) = (moments.total(g, g), moments.total(moments.target(), moments.target()));
        let unit = (all / mine.max(1e-300)).sqrt();
        Self {
            unit,
            waves,
            polynomials,
            jumps,
            waves_with_jumps,
            every,
            taken: of_jumps,
            tail,
            scale,
        }
    }

    /// A between two jumps, the earlier first.
    pub fn between(&self, first: usize, second: usize) -> f64 {
        let lost: f64 = self.taken().map(|lost| lost[first] * lost[second]).sum();
        self.shared(second, lost)
    }

    /// A between two jumps, the later one given, where the others take so much away.
    pub fn shared(&self, second: usize, lost: f64) -> f64 {
        (self.tail[self.jumps[second].piece] - lost) * self.scale
    }

    /// What each function of the others takes away from each jump.
    pub fn taken(&self) -> impl Iterator<Item = &[f64]> {
        self.taken.chunks_exact(self.jumps.len().max(1))
    }

    /// What is known of a weight counts for so much of what it would.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// A between a jump, one of every so many, and a cosine.
    pub fn with_wave(&self, jump: usize, wave: usize) -> f64 {
        self.waves_with_jumps[wave * self.together() + jump / self.every]
    }

    /// How many jumps are looked at together with cosines.
    pub fn together(&self) -> usize {
        self.jumps.len().div_ceil(self.every)
    }

    /// What the data say of the constant.
    pub fn constant(&self) -> (f64, f64) {
        (self.waves.information[0], self.waves.score[0])
    }
}

/// What the others explain of each function of a weight: L⁻¹ D^½ G_oe, one row per function of
/// theirs, and L⁻¹ D^½ g_o.
struct Taken {
    cross: Vec<f64>,
    solved: Vec<f64>,
    width: usize,
}

impl Taken {
    fn of(known: RegressionModels<'_>, working: &[Working], g: usize, noise: f64) -> Self {
        let RegressionModels { moments, dictionary, transforms } = known;
        let which: Vec<usize> = (0..working.len()).filter(|h| *h != g).collect();
        let (told, variances) = said(known, working, &which, noise);
        let mut scratch = FactorMemory::default();
        scratch.evidence(&told, &variances);
        let (others, width) = (variances.len(), width(dictionary));
        let mut cross = vec![0.0; others * width];
        let mut rows = cross.chunks_exact_mut(width);
        let mut product = vec![0.0; moments.pieces()];
        let count = dictionary.waves;
        for h in &which {
            let (s, both) = (moments.pair(g, *h), transforms.pair(g, *h));
            let waves = working[*h].course.leading_waves();
            for (j, column) in working[*h].columns.iter().enumerate() {
                let Some(row) = rows.next() else { break };
                product.iter_mut().zip(column).zip(s).for_each(|((p, c), s)| *p = c * s);
                if j < waves {
                    for (k, value) in row[..count].iter_mut().enumerate() {
                        *value = transforms::product(both, j, k);
                    }
                } else {
                    fill_waves(dictionary, &product, row);
                }
                fill_others(dictionary, &product, row);
                for value in row {
                    *value /= noise;
                }
            }
        }
        scratch.project_rows(&mut cross, width);
        Self { cross, solved: scratch.solved().collect(), width }
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.cross.chunks_exact(self.width)
    }

    /// b of every function.
    fn score(&self, mut score: Vec<f64>, scale: f64) -> Vec<f64> {
        for (row, solved) in self.rows().zip(&self.solved) {
            add_scaled(&mut score, -solved, row);
        }
        scaled(score, scale)
    }

    /// A of cosines.
    fn of_waves(&self, dictionary: &Dictionary, mut alone: Vec<f64>, scale: f64) -> Vec<f64> {
        let count = dictionary.waves;
        for row in self.rows() {
            for (j, out) in alone.chunks_exact_mut(count).enumerate() {
                add_scaled(out, -row[j], &row[..count]);
            }
        }
        scaled(alone, scale)
    }

    /// A of polynomials.
    fn of_polynomials(&self, dictionary: &Dictionary, mut alone: Vec<f64>, scale: f64) -> Vec<f64> {
        let first = dictionary.waves;
        for (at, value) in alone.iter_mut().enumerate() {
            let (j, k) = (first + at / DEGREES, first + at % DEGREES);
            *value -= self.rows().map(|row| row[j] * row[k]).sum::<f64>();
        }
        scaled(alone, scale)
    }

    /// A of all cosines with one in so many jumps, cosine by cosine.
    fn of_waves_with_jumps(
        &self,
        dictionary: &Dictionary,
        mut alone: Vec<f64>,
        every: usize,
        scale: f64,
    ) -> Vec<f64> {
        let count = dictionary.waves;
        let mut jumps = Vec::with_capacity(alone.len() / count.max(1));
        for row in self.rows() {
            jumps.clear();
            jumps.extend(row[count + DEGREES..].iter().step_by(every));
            for (k, out) in alone.chunks_exact_mut(jumps.len().max(1)).enumerate() {
                add_scaled(out, -row[k], &jumps);
            }
        }
        scaled(alone, scale)
    }

    /// What is taken from each jump, one row per function of the others.
    fn of_jumps(&self, places: usize) -> Vec<f64> {
        self.rows().flat_map(|row| &row[self.width - places..]).copied().collect()
    }
}

fn scaled(mut values: Vec<f64>, factor: f64) -> Vec<f64> {
    for value in &mut values {
        *value *= factor;
    }
    values
}

/// Σ φ φ s over pieces, of polynomials.
fn of_polynomials(dictionary: &Dictionary, own: &[f64]) -> Vec<f64> {
    let entry = |at: usize| {
        let (j, k) = (at / DEGREES, at % DEGREES);
        let both = dictionary.polynomial(j).iter().zip(dictionary.polynomial(k));
        both.zip(own).map(|((x, y), s)| x * y * s).sum::<f64>()
    };
    (0..DEGREES * DEGREES).map(entry).collect()
}

/// Σ φ s over pieces from one in so many jumps on, of all cosines, cosine by cosine.
fn of_waves_with_jumps(dictionary: &Dictionary, own: &[f64], every: usize) -> Vec<f64> {
    let some = dictionary.jumps.iter().step_by(every);
    let mut out = Vec::with_capacity(some.len() * dictionary.waves);
    let mut tail = Vec::new();
    for k in 0..dictionary.waves {
        let factor = if k == 0 { 1.0 } else { std::f64::consts::SQRT_2 };
        let products = dictionary.cosine(k).iter().zip(own).map(|(x, s)| factor * x * s);
        fill_tails(products, own.len(), &mut tail);
        out.extend(some.clone().map(|at| tail[*at]));
    }
    out
}

/// Σ φ p over pieces, of all cosines, polynomials and jumps; of cosines by Σ cos(mα) p.
fn fill(dictionary: &Dictionary, transforms: &[f64], p: &[f64], out: &mut [f64]) {
    for (k, value) in out[..dictionary.waves].iter_mut().enumerate() {
        *value = transforms::along(transforms, k);
    }
    fill_others(dictionary, p, out);
}

/// The same of cosines, where those of p are not known.
fn fill_waves(dictionary: &Dictionary, p: &[f64], out: &mut [f64]) {
    for (k, value) in out[..dictionary.waves].iter_mut().enumerate() {
        let factor = if k == 0 { 1.0 } else { std::f64::consts::SQRT_2 };
        *value = factor * dot(dictionary.cosine(k), p);
    }
}

/// The same of polynomials and jumps.
fn fill_others(dictionary: &Dictionary, p: &[f64], out: &mut [f64]) {
    let count = dictionary.waves;
    for (k, value) in out[count..count + DEGREES].iter_mut().enumerate() {
        *value = dot(dictionary.polynomial(k), p);
    }
    let tail = tails(p.iter().copied(), p.len());
    for (value, at) in out[count + DEGREES..].iter_mut().zip(&dictionary.jumps) {
        *value = tail[*at];
    }
}
