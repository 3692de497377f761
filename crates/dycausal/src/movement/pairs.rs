//! Jumps, and pairs of jumps, of one weight: what the data say of each.

use super::evidence::{Care, Member};
use super::pair_grid::Grid;
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
    let mut grid = Grid::new(profile, coarse, care);
    for at in 0..grid.places().len() {
        grid.look(profile, at, still);
        for place in at + 1..grid.places().len() {
            found[0].extend(grid.members(Class::TwoJumps, place));
            found[1].extend(grid.members(Class::Between, place));
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
                let (first, second) = (neighbours(i, every, places), neighbours(j, every, places));
                // The second of them come after the first.
                let all = first.start..second.end;
                let near = all.filter(|place| first.contains(place) || second.contains(place));
                let mut grid = Grid::new(profile, near.collect(), care);
                for at in 0..first.len() {
                    grid.look(profile, at, still);
                    for place in at + 1..grid.places().len() {
                        if second.contains(&grid.places()[place]) {
                            fine.extend(grid.members(class, place));
                            inside += 1;
                        }
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
    pub information: f64,
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
        let (one, two) = (&profile.jumps[first], &profile.jumps[second]);
        let shared = profile.between(first, second);
        Self {
            information: one.information - 2.0 * shared + two.information,
            score: one.score - two.score,
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
