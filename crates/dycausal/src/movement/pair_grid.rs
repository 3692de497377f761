//! Two jumps of one weight, and the level between them, for all pairs of some places.

use super::evidence::{Care, Member, member};
use super::pairs::CentredJumps;
use super::prior::MotionClass;
use super::profile::Profile;
use crate::vectors::logarithm;
use crate::vectors::{Kernel, vectorised};

/// What the data say of the places of a grid, beside each other, and of one of them with all later ones.
pub(super) struct PairGrid {
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
    /// What each function of the others takes away from each jump, and A with an earlier jump without that.
    taken: Vec<f64>,
    tail: Vec<f64>,
    scale: f64,
    /// The place that was looked at last, and what its jump shares with each later one.
    at: usize,
    shared: Vec<f64>,
    /// Numbers and prior variances of the sizes of jumps.
    sizes: Vec<usize>,
    variances: Vec<f64>,
    /// For each of them the log evidence of two jumps, and of a level between them.
    logs: Vec<(Vec<f64>, Vec<f64>)>,
}

impl PairGrid {
    /// Of some places, in increasing order.
    pub fn new(profile: &Profile, places: Vec<usize>, care: Care) -> Self {
        let jumps = || places.iter().map(|place| &profile.jumps[*place]);
        let given = CentredJumps::of(profile);
        let (score_given, information_given) =
            jumps().map(|jump| given.without(jump)).map(|(b, a)| (b, a.max(0.0))).unzip();
        let unit = profile.unit * profile.unit;
        let count = places.len();
        let of_places =
            |lost: &[f64]| places.iter().map(|place| lost[*place]).collect::<Vec<f64>>();
        Self {
            taken: profile.taken().flat_map(of_places).collect(),
            tail: places.iter().map(|place| profile.shared(*place, 0.0)).collect(),
            scale: profile.scale(),
            score: jumps().map(|jump| jump.score).collect(),
            information: jumps().map(|jump| jump.information).collect(),
            with_constant: jumps().map(|jump| jump.with_constant).collect(),
            score_given,
            information_given,
            constant: given.information,
            at: 0,
            shared: vec![0.0; count],
            sizes: care.sizes().map(|(k, _)| k).collect(),
            variances: care.sizes().map(|(_, sd)| unit * sd * sd).collect(),
            logs: care.sizes().map(|_| (vec![0.0; count], vec![0.0; count])).collect(),
            places,
        }
    }

    /// The places.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// Looks at one place with all that are later.
    pub fn look(&mut self, at: usize, still: f64) {
        self.at = at;
        vectorised::<PlaceGains, _>((self, at, still));
    }

    /// The log evidence of the place that was looked at last with all later ones, for each size of jumps.
    pub fn rows(&self, class: MotionClass) -> impl Iterator<Item = &[f64]> {
        self.logs.iter().map(
            move |(two, between)| {
                if class == MotionClass::Between { &between[..] } else { &two[..] }
            },
        )
    }

    /// The places of a pair, of all pairs one after the other by their first place.
    pub fn pair(&self, mut pair: usize) -> (usize, usize) {
        let mut first = 0;
        while pair >= self.places.len() - 1 - first {
            pair -= self.places.len() - 1 - first;
            first += 1;
        }
        (self.places[first], self.places[first + 1 + pair])
    }

    /// The models of the place that was looked at last and a later one, one for each size of jumps.
    pub fn members(&self, class: MotionClass, later: usize) -> impl Iterator<Item = Member> {
        let (first, second) = (self.places[self.at], self.places[later]);
        self.sizes
            .iter()
            .zip(self.rows(class))
            .map(move |(k, logs)| member(class, first, second, *k, logs[later]))
    }
}

struct PlaceGains;

impl Kernel<(&mut PairGrid, usize, f64)> for PlaceGains {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((grid, at, still): (&mut PairGrid, usize, f64)) {
        let later = at + 1..grid.places.len();
        let (b1, a1) = (grid.score_given[at], grid.information_given[at]);
        let (score, information) = (grid.score[at], grid.information[at]);
        let with_constant = grid.with_constant[at] / grid.constant;
        let shared = &mut grid.shared[later.clone()];
        let count = shared.len();
        shared.copy_from_slice(&grid.tail[later.clone()]);
        for lost in grid.taken.chunks_exact(grid.places.len()) {
            let (factor, lost) = (grid.scale * lost[at], &lost[later.clone()][..count]);
            for (shared, lost) in shared.iter_mut().zip(lost) {
                *shared -= factor * lost;
            }
        }
        let shared = &grid.shared[later.clone()][..count];
        let scores = &grid.score[later.clone()][..count];
        let informations = &grid.information[later.clone()][..count];
        let withs = &grid.with_constant[later.clone()][..count];
        let scores_given = &grid.score_given[later.clone()][..count];
        let informations_given = &grid.information_given[later.clone()][..count];
        for (variance, (two, between)) in grid.variances.iter().zip(&mut grid.logs) {
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
