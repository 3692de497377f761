//! Jumps, and pairs of jumps, of one weight: what the data say of each.

use super::evidence::{Care, Member, member};
use super::prior::Class;
use super::profile::{Jump, Profile};

/// Pairs of the coarser grid whose neighbours are looked at.
const REFINED: usize = 8;

/// All models with two jumps, or a level between two steps.
pub(super) fn pairs(profile: &Profile, still: f64, care: Care) -> Vec<Member> {
    let mut out = Vec::new();
    let places = profile.jumps.len();
    let every = care.every_pair(places);
    let coarse: Vec<usize> = (0..places).step_by(every).collect();
    let cells = coarse.len() * (coarse.len() - 1) / 2;
    let sizes = care.sizes().count();
    let mut found = [Vec::with_capacity(cells * sizes), Vec::with_capacity(cells * sizes)];
    for (at, i) in coarse.iter().enumerate() {
        for j in &coarse[at + 1..] {
            let pair = Pair::of(profile, *i, *j);
            pair.two_jumps(still, care, &mut found[0]);
            pair.between(care, &mut found[1]);
        }
    }
    for (members, class) in found.iter_mut().zip([Class::TwoJumps, Class::Between]) {
        // Cells of a coarse grid are worth as much as the finer ones inside them.
        let mut fine = Vec::new();
        if every > 1 {
            let best = best_cells(members, sizes);
            members.retain(|one| !best.contains(&(one.first, one.second)));
            for (i, j) in best {
                let begun = fine.len();
                let mut inside = 0;
                for a in neighbours(i, every, places) {
                    for b in neighbours(j, every, places).filter(|b| a < *b) {
                        let pair = Pair::of(profile, a, b);
                        match class {
                            Class::Between => pair.between(care, &mut fine),
                            _ => pair.two_jumps(still, care, &mut fine),
                        }
                        inside += 1;
                    }
                }
                let share = f64::from(inside).ln();
                fine[begun..].iter_mut().for_each(|one: &mut Member| one.log -= share);
            }
        }
        let prior = (class.mass() / (cells * sizes).max(1) as f64).ln();
        let all = members.iter().chain(&fine);
        out.extend(all.map(|one| Member { log: one.log + prior, ..*one }));
    }
    out
}

/// ½ b²s² / (1 + s²a) − ½ log(1 + s²a).
pub(super) fn gain(score: f64, information: f64, variance: f64) -> f64 {
    let grown = 1.0 + variance * information.max(0.0);
    0.5 * (score * score * variance / grown - grown.ln())
}

/// What is left of jumps once the constant is known.
pub(super) struct Given {
    information: f64,
    score: f64,
}

impl Given {
    /// The constant with its prior.
    pub fn of(profile: &Profile) -> Self {
        let (information, score) = profile.constant();
        Self { information: information + 1.0 / (profile.unit * profile.unit), score }
    }

    /// Score and information of a jump.
    pub fn without(&self, jump: &Jump) -> (f64, f64) {
        let share = jump.with_constant / self.information;
        (jump.score - share * self.score, jump.information - share * jump.with_constant)
    }
}

/// What the data say of a single level.
pub(super) struct Single {
    pub information: f64,
    pub score: f64,
}

impl Single {
    /// The level before a jump.
    pub fn until(profile: &Profile, jump: &Jump) -> Self {
        let (information, score) = profile.constant();
        Self {
            information: information - 2.0 * jump.with_constant + jump.information,
            score: score - jump.score,
        }
    }

    /// The level between two jumps.
    pub fn between(profile: &Profile, first: usize, second: usize) -> Self {
        let jumps = (&profile.jumps[first], &profile.jumps[second]);
        Self::of(jumps, profile.between(first, second))
    }

    /// The same, given what they share.
    fn of((one, two): (&Jump, &Jump), shared: f64) -> Self {
        Self {
            information: one.information - 2.0 * shared + two.information,
            score: one.score - two.score,
        }
    }
}

/// What the data say of two jumps, and of the level between them.
struct Pair {
    at: (usize, usize),
    unit: f64,
    /// Scores and information of both, and between them, once the constant is known.
    scores: (f64, f64),
    information: (f64, f64, f64),
    between: Single,
}

impl Pair {
    fn of(profile: &Profile, i: usize, j: usize) -> Self {
        let given = Given::of(profile);
        let (one, two) = (&profile.jumps[i], &profile.jumps[j]);
        let shared = profile.between(i, j);
        let ((b1, a1), (b2, a2)) = (given.without(one), given.without(two));
        let a12 = shared - one.with_constant * two.with_constant / given.information;
        let between = Single::of((one, two), shared);
        let (scores, information) = ((b1, b2), (a1.max(0.0), a2.max(0.0), a12));
        Self { at: (i, j), unit: profile.unit * profile.unit, scores, information, between }
    }

    /// Two jumps, for all standard deviations.
    fn two_jumps(&self, still: f64, care: Care, found: &mut Vec<Member>) {
        let ((b1, b2), (a1, a2, a12)) = (self.scores, self.information);
        for (k, sd) in care.sizes() {
            let variance = self.unit * sd * sd;
            let (m1, m2, m12) = (1.0 + variance * a1, 1.0 + variance * a2, variance * a12);
            let determinant = (m1 * m2 - m12 * m12).max(1e-9);
            let square =
                variance * (m2 * b1 * b1 - 2.0 * m12 * b1 * b2 + m1 * b2 * b2) / determinant;
            let log = still + 0.5 * (square - determinant.ln());
            found.push(member(Class::TwoJumps, self.at.0, self.at.1, k, log));
        }
    }

    /// The level between two steps, for all standard deviations.
    fn between(&self, care: Care, found: &mut Vec<Member>) {
        for (k, sd) in care.sizes() {
            let Single { score, information } = self.between;
            let log = gain(score, information, self.unit * sd * sd);
            found.push(member(Class::Between, self.at.0, self.at.1, k, log));
        }
    }
}

/// The pairs of places with the largest evidence, of which each has `sizes` members in a row.
fn best_cells(members: &[Member], sizes: usize) -> Vec<(u16, u16)> {
    let mut best: Vec<(f64, (u16, u16))> = Vec::with_capacity(REFINED + 1);
    for cell in members.chunks_exact(sizes) {
        let log = cell.iter().map(|one| one.log).fold(f64::NEG_INFINITY, f64::max);
        if best.len() < REFINED || best.last().is_some_and(|worst| log > worst.0) {
            let place = best.partition_point(|known| known.0 >= log);
            best.insert(place, (log, (cell[0].first, cell[0].second)));
            best.truncate(REFINED);
        }
    }
    best.into_iter().map(|(_, cell)| cell).collect()
}

/// Places nearer to one of a coarse grid than to its neighbours.
fn neighbours(place: u16, every: usize, places: usize) -> std::ops::Range<usize> {
    let place = usize::from(place);
    let half = every / 2;
    place.saturating_sub(half)..(place + every - half).min(places)
}
