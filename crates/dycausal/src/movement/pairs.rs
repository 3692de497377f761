//! Jumps, and pairs of jumps, of one weight: what the data say of each.

use super::elementary::logarithm;
use super::evidence::{Care, Member, member};
use super::prior::Class;
use super::profile::{Jump, Profile};
use crate::vectors::{Kernel, vectorised};

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
    let mut row = Row::new(profile, &coarse, care);
    for (at, i) in coarse.iter().enumerate() {
        row.look(profile, at, still);
        for (place, j) in coarse.iter().enumerate().skip(at + 1) {
            for (which, (k, _)) in care.sizes().enumerate() {
                let logs = &row.logs[which];
                found[0].push(member(Class::TwoJumps, *i, *j, k, logs.0[place]));
                found[1].push(member(Class::Between, *i, *j, k, logs.1[place]));
            }
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

/// What the data say of the places of a grid, beside each other, and of one of them with all later ones.
struct Row {
    places: Vec<usize>,
    /// Score and information of each jump, and that with the constant.
    score: Vec<f64>,
    information: Vec<f64>,
    with_constant: Vec<f64>,
    /// Score and information once the constant is known.
    score_given: Vec<f64>,
    information_given: Vec<f64>,
    /// What is known of the constant.
    constant: f64,
    /// What the jump of the row shares with each.
    shared: Vec<f64>,
    /// Prior variances of jumps.
    variances: Vec<f64>,
    /// For each of them the log evidence of two jumps, and of a level between them.
    logs: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Row {
    fn new(profile: &Profile, places: &[usize], care: Care) -> Self {
        let jumps = || places.iter().map(|place| &profile.jumps[*place]);
        let given = Given::of(profile);
        let (score_given, information_given) =
            jumps().map(|jump| given.without(jump)).map(|(b, a)| (b, a.max(0.0))).unzip();
        let unit = profile.unit * profile.unit;
        let count = places.len();
        Self {
            places: places.to_vec(),
            score: jumps().map(|jump| jump.score).collect(),
            information: jumps().map(|jump| jump.information).collect(),
            with_constant: jumps().map(|jump| jump.with_constant).collect(),
            score_given,
            information_given,
            constant: given.information,
            shared: vec![0.0; count],
            variances: care.sizes().map(|(_, sd)| unit * sd * sd).collect(),
            logs: care.sizes().map(|_| (vec![0.0; count], vec![0.0; count])).collect(),
        }
    }

    /// Looks at one place with all that are later.
    fn look(&mut self, profile: &Profile, at: usize, still: f64) {
        for (place, shared) in self.places.iter().zip(&mut self.shared).skip(at + 1) {
            *shared = profile.between(self.places[at], *place);
        }
        vectorised::<Look, _>((self, at, still));
    }
}

struct Look;

impl Kernel<(&mut Row, usize, f64)> for Look {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((row, at, still): (&mut Row, usize, f64)) {
        let later = at + 1..row.places.len();
        let (b1, a1) = (row.score_given[at], row.information_given[at]);
        let (score, information) = (row.score[at], row.information[at]);
        let with_constant = row.with_constant[at] / row.constant;
        let shared = &row.shared[later.clone()];
        let count = shared.len();
        let scores = &row.score[later.clone()][..count];
        let informations = &row.information[later.clone()][..count];
        let withs = &row.with_constant[later.clone()][..count];
        let scores_given = &row.score_given[later.clone()][..count];
        let informations_given = &row.information_given[later.clone()][..count];
        for (variance, (two, between)) in row.variances.iter().zip(&mut row.logs) {
            let (variance, m1) = (*variance, 1.0 + variance * a1);
            let two = &mut two[later.clone()][..count];
            let between = &mut between[later.clone()][..count];
            for k in 0..count {
                let (b2, m2) = (scores_given[k], 1.0 + variance * informations_given[k]);
                let m12 = variance * (shared[k] - with_constant * withs[k]);
                let determinant = m1 * m2 - m12 * m12;
                let determinant = if determinant > 1e-9 { determinant } else { 1e-9 };
                let square =
                    variance * (m2 * b1 * b1 - 2.0 * m12 * b1 * b2 + m1 * b2 * b2) / determinant;
                two[k] = still + 0.5 * (square - logarithm(determinant));
                let own = information - 2.0 * shared[k] + informations[k];
                let own = if own > 0.0 { own } else { 0.0 };
                let (gap, grown) = (score - scores[k], 1.0 + variance * own);
                between[k] = 0.5 * (gap * gap * variance / grown - logarithm(grown));
            }
        }
    }
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
