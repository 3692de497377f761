//! What the data say of one weight, with the others integrated out at their working models.

use super::dictionary::{Dictionary, tails};
use super::gaussian::{Said, Scratch};
use super::step_moments::StepMoments;
use super::working::{Working, said};
use crate::linear_algebra::{add_scaled, dot};

/// Jumps that are looked at together with cosines, at most.
const WITH_WAVES: usize = 128;

/// Information and scores of every function that models of a weight are made of.
#[derive(Debug)]
pub(super) struct Profile {
    /// sd of the target over that of the regressor.
    pub unit: f64,
    /// Of cosines.
    pub waves: Said,
    /// Of polynomials.
    pub polynomials: Said,
    /// Of each jump: its score, its information, and that with the constant.
    pub jumps: Vec<Jump>,
    /// Of each jump with each cosine, jump by jump, for one in [`Profile::every`] jumps.
    waves_with_jumps: Vec<f64>,
    /// One in so many jumps is looked at together with cosines.
    pub every: usize,
    /// What the others take away from each jump, jump by jump.
    taken: Vec<f64>,
    /// Σ over pieces from each on, with nothing taken away.
    tail: Vec<f64>,
    others: usize,
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

impl Profile {
    /// Of regressor `g`; what is known of it counts for `1 / inflation`.
    pub fn of(
        moments: &StepMoments,
        dictionary: &Dictionary,
        working: &[Working],
        g: usize,
        noise: f64,
        inflation: f64,
    ) -> Self {
        let which: Vec<usize> = (0..working.len()).filter(|h| *h != g).collect();
        let (known, variances) = said(moments, working, &which, noise);
        let mut scratch = Scratch::default();
        scratch.evidence(&known, &variances);
        let others = variances.len();
        let (pieces, count, degrees) = (moments.pieces(), dictionary.waves, 5);
        let places = dictionary.jumps.len();
        let width = count + degrees + places;
        // G_oe, one row per function of the others, then L⁻¹ D^½ G_oe.
        let mut cross = vec![0.0; others * width];
        let mut rows = cross.chunks_exact_mut(width.max(1));
        let mut product = vec![0.0; pieces];
        for h in &which {
            let s = moments.pair(g, *h);
            for column in &working[*h].columns {
                let Some(row) = rows.next() else { break };
                product.iter_mut().zip(column).zip(s).for_each(|((p, c), s)| *p = c * s / noise);
                fill(dictionary, &product, row);
            }
        }
        scratch.project_rows(&mut cross, width);
        let s: Vec<f64> = moments.pair(g, g).iter().map(|s| s / noise).collect();
        let target: Vec<f64> =
            moments.pair(g, moments.target()).iter().map(|s| s / noise).collect();
        let mut score = vec![0.0; width];
        fill(dictionary, &target, &mut score);
        for (row, solved) in cross.chunks_exact(width.max(1)).zip(scratch.solved()) {
            add_scaled(&mut score, -solved, row);
        }
        let scale = 1.0 / inflation;
        score.iter_mut().for_each(|b| *b *= scale);

        let mut information = dictionary.gram(&s);
        for row in cross.chunks_exact(width.max(1)) {
            for j in 0..count {
                add_scaled(&mut information[j * count..(j + 1) * count], -row[j], &row[..count]);
            }
        }
        information.iter_mut().for_each(|a| *a *= scale);
        let waves = Said { information, score: score[..count].to_vec() };

        let column = |k: usize| dictionary.polynomial(k);
        let mut information = vec![0.0; degrees * degrees];
        for j in 0..degrees {
            for k in 0..=j {
                let whole: f64 =
                    column(j).iter().zip(column(k)).zip(&s).map(|((x, y), s)| x * y * s).sum();
                let rows = cross.chunks_exact(width.max(1));
                let taken: f64 = rows.map(|row| row[count + j] * row[count + k]).sum();
                information[j * degrees + k] = (whole - taken) * scale;
                information[k * degrees + j] = information[j * degrees + k];
            }
        }
        let polynomials = Said { information, score: score[count..count + degrees].to_vec() };

        let mut taken = vec![0.0; places * others];
        for (o, row) in cross.chunks_exact(width.max(1)).enumerate() {
            for (j, value) in row[count + degrees..].iter().enumerate() {
                taken[j * others + o] = *value;
            }
        }
        let every = places.div_ceil(WITH_WAVES).max(1);
        let some = dictionary.jumps.iter().step_by(every);
        let mut waves_with_jumps = vec![0.0; some.len() * count];
        for k in 0..count {
            let wave = dictionary.wave(k);
            let tail = tails(wave.iter().zip(&s).map(|(x, s)| x * s), pieces);
            for (j, at) in some.clone().enumerate() {
                waves_with_jumps[j * count + k] = tail[*at];
            }
        }
        for row in cross.chunks_exact(width.max(1)) {
            for (j, out) in waves_with_jumps.chunks_exact_mut(count).enumerate() {
                add_scaled(out, -row[count + degrees + j * every], &row[..count]);
            }
        }
        waves_with_jumps.iter_mut().for_each(|a| *a *= scale);
        let whole = tails(s.iter().copied(), pieces);
        let constant: Vec<f64> = cross.chunks_exact(width.max(1)).map(|row| row[0]).collect();
        let jumps = dictionary
            .jumps
            .iter()
            .enumerate()
            .map(|(j, piece)| {
                let lost = &taken[j * others..(j + 1) * others];
                Jump {
                    piece: *piece,
                    score: score[count + degrees + j],
                    information: (whole[*piece] - dot(lost, lost)) * scale,
                    with_constant: (whole[*piece] - dot(lost, &constant)) * scale,
                }
            })
            .collect();
        let (own, all) = (moments.total(g, g), moments.total(moments.target(), moments.target()));
        let unit = (all / own.max(1e-300)).sqrt();
        Self {
            unit,
            waves,
            polynomials,
            jumps,
            waves_with_jumps,
            every,
            taken,
            tail: whole,
            others,
            scale,
        }
    }

    /// A between two jumps, the earlier first.
    pub fn between(&self, first: usize, second: usize) -> f64 {
        let range = |j: usize| j * self.others..(j + 1) * self.others;
        let lost = dot(&self.taken[range(first)], &self.taken[range(second)]);
        (self.tail[self.jumps[second].piece] - lost) * self.scale
    }

    /// A between a jump, one of every so many, and all cosines.
    pub fn with_waves(&self, jump: usize) -> &[f64] {
        let (count, jump) = (self.waves.score.len(), jump / self.every);
        &self.waves_with_jumps[jump * count..(jump + 1) * count]
    }

    /// What the data say of the constant.
    pub fn constant(&self) -> (f64, f64) {
        (self.waves.information[0], self.waves.score[0])
    }
}

/// Σ φ p over pieces, of all cosines, polynomials and jumps.
fn fill(dictionary: &Dictionary, p: &[f64], out: &mut [f64]) {
    let count = dictionary.waves;
    for (k, value) in out[..count].iter_mut().enumerate() {
        let factor = if k == 0 { 1.0 } else { std::f64::consts::SQRT_2 };
        *value = factor * dot(dictionary.cosine(k), p);
    }
    for (k, value) in out[count..count + 5].iter_mut().enumerate() {
        *value = dot(dictionary.polynomial(k), p);
    }
    let tail = tails(p.iter().copied(), p.len());
    for (value, at) in out[count + 5..].iter_mut().zip(&dictionary.jumps) {
        *value = tail[*at];
    }
}
