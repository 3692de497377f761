//! Jumps, and pairs of jumps, of one weight: what the data say of each.

use super::evidence::{Care, Member, member};
use super::pair_grid::PairGrid;
use super::prior::MotionClass;
use super::profile::{Jump, Profile};
use crate::vectors::logarithm;
use crate::vectors::{Kernel, vectorised};

/// How much less likely than the likeliest of its class, as a logarithm, a pair is that nobody misses.
const LOST: f64 = 25.0;
/// How much less likely than the likeliest model of all the best pair is, as a logarithm, where no finer places
/// would make up for it.
const HOPELESS: f64 = 40.0;

/// Adds all models with two jumps, or a level between two steps.
pub(super) fn add_pairs(profile: &Profile, still: f64, care: Care, out: &mut Vec<Member>) {
    let places = profile.jumps.len();
    let every = care.every_pair(places);
    let mut grid = PairGrid::new(profile, (0..places).step_by(every).collect(), care);
    let count = grid.places().len();
    let cells = count * (count - 1) / 2;
    let sizes = care.sizes().count();
    // By class and size, all pairs.
    let classes = [MotionClass::TwoJumps, MotionClass::Between];
    let mut logs = classes.map(|_| vec![Vec::with_capacity(cells); sizes]);
    for at in 0..count {
        grid.look(at, still);
        for (class, logs) in classes.into_iter().zip(&mut logs) {
            let found = logs.iter_mut().zip(grid.rows(class));
            found.for_each(|(all, row)| all.extend_from_slice(&row[at + 1..]));
        }
    }
    let likeliest = out.iter().map(|one| one.log).fold(f64::NEG_INFINITY, f64::max);
    for (logs, class) in logs.iter_mut().zip(classes) {
        let begun = out.len();
        let most = logs.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let hopeless = most + class.mass().ln() < likeliest - HOPELESS;
        let refined = if every > 1 && !hopeless { care.refined() } else { 0 };
        let best = best_cells(logs, refined);
        // What is looked at more closely does not count as it is.
        for log in logs.iter_mut() {
            for pair in &best {
                log[*pair] = f64::NEG_INFINITY;
            }
        }
        for ((k, _), logs) in care.sizes().zip(logs.iter()) {
            let mut left = &logs[..];
            for (at, first) in grid.places().iter().enumerate() {
                let (row, rest) = left.split_at(count - 1 - at);
                left = rest;
                let pairs = grid.places()[at + 1..].iter().zip(row);
                let pairs = pairs.filter(|(_, log)| **log > most - LOST);
                out.extend(pairs.map(|(second, log)| member(class, *first, *second, k, *log)));
            }
        }
        // Cells of a coarse grid are worth as much as the finer ones inside them.
        for pair in best {
            add_inside(profile, still, care, (class, grid.pair(pair), every), out);
        }
        let prior = (class.mass() / (cells * sizes).max(1) as f64).ln();
        out[begun..].iter_mut().for_each(|one| one.log += prior);
    }
}

/// Adds the finer pairs inside one of a coarse grid.
fn add_inside(
    profile: &Profile,
    still: f64,
    care: Care,
    (class, (i, j), every): (MotionClass, (usize, usize), usize),
    out: &mut Vec<Member>,
) {
    let places = profile.jumps.len();
    let (first, second) = (neighbours(i, every, places), neighbours(j, every, places));
    // The second of them come after the first.
    let all = first.start..second.end;
    let near = all.filter(|place| first.contains(place) || second.contains(place));
    let mut grid = PairGrid::new(profile, near.collect(), care);
    let (begun, mut inside) = (out.len(), 0);
    for at in 0..first.len() {
        grid.look(at, still);
        for place in at + 1..grid.places().len() {
            if second.contains(&grid.places()[place]) {
                out.extend(grid.members(class, place));
                inside += 1;
            }
        }
    }
    let share = f64::from(inside).ln();
    out[begun..].iter_mut().for_each(|one| one.log -= share);
}

/// ½ b²s² / (1 + s²a) − ½ log(1 + s²a), for many scores b with their informations a.
pub(super) fn gains(scores: &[f64], informations: &[f64], variance: f64, out: &mut Vec<f64>) {
    out.clear();
    out.resize(scores.len(), 0.0);
    vectorised::<PairGains, _>((scores, informations, variance, out));
}

struct PairGains;

impl Kernel<(&[f64], &[f64], f64, &mut Vec<f64>)> for PairGains {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((scores, informations, variance, out): (&[f64], &[f64], f64, &mut Vec<f64>)) {
        for ((out, score), information) in out.iter_mut().zip(scores).zip(informations) {
            let known = if *information > 0.0 { *information } else { 0.0 };
            let grown = 1.0 + variance * known;
            *out = 0.5 * (score * score * variance / grown - logarithm(grown));
        }
    }
}

/// What is left of jumps once the constant is known.
pub(super) struct CentredJumps {
    pub information: f64,
    score: f64,
}

impl CentredJumps {
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
        let (one, two) = (&profile.jumps[first], &profile.jumps[second]);
        let shared = profile.between(first, second);
        Self {
            information: one.information - 2.0 * shared + two.information,
            score: one.score - two.score,
        }
    }
}

/// So many pairs with the largest evidence at any size, best first.
fn best_cells(logs: &[Vec<f64>], count: usize) -> Vec<usize> {
    let mut best: Vec<(f64, usize)> = Vec::with_capacity(count + 1);
    let pairs = if count > 0 { logs[0].len() } else { 0 };
    for pair in 0..pairs {
        let log = logs.iter().map(|of_size| of_size[pair]).fold(f64::NEG_INFINITY, f64::max);
        if best.len() < count || best.last().is_some_and(|worst| log > worst.0) {
            let place = best.partition_point(|known| known.0 >= log);
            best.insert(place, (log, pair));
            best.truncate(count);
        }
    }
    best.into_iter().map(|(_, pair)| pair).collect()
}

/// Places nearer to one of a coarse grid than to its neighbours.
fn neighbours(place: usize, every: usize, places: usize) -> std::ops::Range<usize> {
    let half = every / 2;
    place.saturating_sub(half)..(place + every - half).min(places)
}
