//! How likely each model of a weight makes the data.

use super::course::Course;
use super::gaussian::{FactorMemory, GaussianPosterior, Likelihood, Projected};
use super::pairs::{CentredJumps, Single, add_pairs, gains};
use super::prior::{JUMP, LENGTHS, MotionClass, SIZES, SMOOTH_MEMBERS, polynomial_members};
use super::profile::{Jump, Profile};

/// Places of jumps up to which all pairs are looked at.
const ALL_PAIRS: usize = 96;
/// Places of a coarser grid of pairs.
const COARSE: usize = 64;
/// Prior variance in units of what the data know, below which a cosine is left out.
const NEGLIGIBLE: f64 = 1e-3;

/// How much less likely, as a logarithm, a smooth course is whose neighbours are not looked at.
const FAR: f64 = 10.0;
/// Places of a quick look.
const QUICK_PLACES: usize = 32;
/// Cosines of a working model at most.
const WORKING_WAVES: usize = 20;
/// The same as `NEGLIGIBLE` for working models.
const WORKING_NEGLIGIBLE: f64 = 0.1;

/// How many models are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Some of each class: enough for a working model.
    Quick,
    /// All.
    Thorough,
}

impl Care {
    /// Whether a smooth course is looked at: quickly, only those of ν = 3/2.
    fn takes_smooth(self, index: usize) -> bool {
        self == Self::Thorough || index / (SMOOTH_MEMBERS / 3) == 1
    }

    /// Places of jumps, of which only one in as many is paired with others at first.
    pub fn every_pair(self, places: usize) -> usize {
        match self {
            Self::Quick if places <= 2 * QUICK_PLACES => 1,
            Self::Quick => places.div_ceil(QUICK_PLACES),
            Self::Thorough if places <= ALL_PAIRS => 1,
            Self::Thorough => places.div_ceil(COARSE),
        }
    }

    /// Pairs of the coarser grid whose neighbours are looked at.
    pub fn refined(self) -> usize {
        if self == Self::Quick { 3 } else { 8 }
    }

    /// Standard deviations of jumps, with their numbers.
    pub fn sizes(self) -> impl Iterator<Item = (usize, f64)> {
        let all = JUMP.into_iter().enumerate();
        all.filter(move |(k, _)| self == Self::Thorough || *k == 1)
    }

    /// Smooth courses that a jump is added to.
    fn smooth_with_jump(self) -> usize {
        if self == Self::Quick { 2 } else { 6 }
    }

    /// Places of the jump of a smooth course.
    fn smooth_places(self) -> usize {
        if self == Self::Quick { QUICK_PLACES } else { 128 }
    }
}

/// One model, and the log of its prior times its evidence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub class: MotionClass,
    /// The smooth course or polynomial, or the first jump.
    pub first: u16,
    /// The second jump, or the jump of a smooth course.
    pub second: u16,
    /// The standard deviation of jumps.
    pub deviation: u8,
    pub log: f64,
}

/// Score and information of a model that jumps there.
type OfJump<'a> = &'a dyn Fn(&Jump) -> (f64, f64);

/// All models of one weight.
#[derive(Debug, Default)]
pub(super) struct ModelEvidence {
    /// Class by class.
    pub members: Vec<Member>,
    scratch: FactorMemory,
    variances: Vec<f64>,
    projected: Projected,
    gains: Vec<f64>,
}

#[allow(clippy::cast_possible_truncation)] // numbers of models and places
pub(super) fn member(
    class: MotionClass,
    first: usize,
    second: usize,
    deviation: usize,
    log: f64,
) -> Member {
    Member { class, first: first as u16, second: second as u16, deviation: deviation as u8, log }
}

impl ModelEvidence {
    /// Looks at all models, or, where only a working model is sought, at some of each class.
    pub fn look(&mut self, profile: &Profile, smooth: &[Vec<f64>], care: Care) {
        self.members.clear();
        let unit = profile.unit * profile.unit;
        let still = self.scratch.evidence(&profile.waves, &[unit]);
        self.add(&[member(MotionClass::Static, 0, 0, 0, still)]);
        let of_polynomials: Vec<Member> = polynomial_members()
            .enumerate()
            .map(|(index, (degree, sd))| {
                self.variances.clear();
                self.variances.push(unit);
                self.variances.resize(degree + 1, unit * sd * sd);
                let log = self.scratch.evidence(&profile.polynomials, &self.variances);
                member(MotionClass::Polynomial, index, 0, 0, log)
            })
            .collect();
        self.add(&of_polynomials);
        let mut drifts = self.all_smooth(profile, smooth, care);
        self.add(&drifts);
        if profile.jumps.is_empty() {
            return;
        }
        self.jumps(profile, still, care);
        add_pairs(profile, still, care, &mut self.members);
        drifts.sort_by(|a, b| b.log.total_cmp(&a.log));
        let looked = drifts.len();
        drifts.truncate(care.smooth_with_jump());
        self.smooth_jumps(profile, smooth, &drifts, looked, care);
    }

    /// Adds the members of one class, which share its prior probability.
    fn add(&mut self, found: &[Member]) {
        let prior = found.first().map_or(0.0, |one| (one.class.mass() / found.len() as f64).ln());
        self.members.extend(found.iter().map(|one| Member { log: one.log + prior, ..*one }));
    }

    /// Smooth courses: every other length and size first, and those between them where it may matter.
    fn all_smooth(&mut self, profile: &Profile, smooth: &[Vec<f64>], care: Care) -> Vec<Member> {
        let count = smooth.len();
        let mut logs = vec![f64::NEG_INFINITY; count];
        let mut most = f64::NEG_INFINITY;
        let every_other = |index: &usize| (index / SIZES % LENGTHS).is_multiple_of(2);
        for index in (1..count).step_by(2).filter(|index| care.takes_smooth(*index)) {
            if care == Care::Quick || every_other(&index) {
                logs[index] = self.smooth(profile, smooth, index);
                most = most.max(logs[index]);
            }
        }
        if care == Care::Quick {
            let looked = (0..count).filter(|index| logs[*index].is_finite());
            return looked
                .map(|index| member(MotionClass::Smooth, index, 0, 0, logs[index]))
                .collect();
        }
        for index in (1..count).step_by(2).filter(|index| !every_other(index)) {
            if logs[index - SIZES].max(logs[index + SIZES]) > most - FAR {
                logs[index] = self.smooth(profile, smooth, index);
            }
        }
        for index in (0..count).step_by(2) {
            let near = |other: usize| {
                other < count && other / SIZES == index / SIZES && logs[other] > most - FAR
            };
            if near(index + 1) || near(index.wrapping_sub(1)) {
                logs[index] = self.smooth(profile, smooth, index);
            }
        }
        (0..count).map(|index| member(MotionClass::Smooth, index, 0, 0, logs[index])).collect()
    }

    /// The log evidence of a smooth course, whose factor stays in the scratch.
    fn smooth(&mut self, profile: &Profile, smooth: &[Vec<f64>], index: usize) -> f64 {
        smooth_variances(profile, &smooth[index], &mut self.variances);
        self.scratch.evidence(&profile.waves, &self.variances)
    }

    fn jumps(&mut self, profile: &Profile, still: f64, care: Care) {
        let given = CentredJumps::of(profile);
        let unit = profile.unit * profile.unit;
        let until = |jump: &Jump| {
            let until = Single::until(profile, jump);
            (until.score, until.information)
        };
        let told: [(MotionClass, f64, OfJump<'_>); 3] = [
            (MotionClass::Jump, still, &|jump| given.without(jump)),
            (MotionClass::From, 0.0, &|jump| (jump.score, jump.information)),
            (MotionClass::Until, 0.0, &until),
        ];
        for (class, more, told) in told {
            let (scores, informations): (Vec<f64>, Vec<f64>) =
                profile.jumps.iter().map(told).unzip();
            let begun = self.members.len();
            for (k, sd) in care.sizes() {
                gains(&scores, &informations, unit * sd * sd, &mut self.gains);
                let found = self.gains.iter().enumerate();
                self.members.extend(found.map(|(j, gain)| member(class, j, 0, k, more + gain)));
            }
            let count = self.members.len() - begun;
            let prior = (class.mass() / count as f64).ln();
            self.members[begun..].iter_mut().for_each(|one| one.log += prior);
        }
    }

    fn smooth_jumps(
        &mut self,
        profile: &Profile,
        smooth: &[Vec<f64>],
        best: &[Member],
        looked: usize,
        care: Care,
    ) {
        let unit = profile.unit * profile.unit;
        let some = profile.jumps.len().div_ceil(profile.every);
        let every = profile.every * some.div_ceil(care.smooth_places()).max(1);
        let mut found = Vec::new();
        for one in best {
            let log = self.smooth(profile, smooth, usize::from(one.first));
            self.scratch.project(
                &profile.waves_with_jumps,
                profile.together(),
                &mut self.projected,
            );
            let some = profile.jumps.iter().enumerate().step_by(every);
            let left = some.clone().map(|(j, jump)| {
                let Projected { own, with, .. } = &self.projected;
                let at = j / profile.every;
                (jump.score - with[at], jump.information - own[at])
            });
            let (scores, informations): (Vec<f64>, Vec<f64>) = left.unzip();
            for (k, sd) in care.sizes() {
                gains(&scores, &informations, unit * sd * sd, &mut self.gains);
                for ((j, _), gain) in some.clone().zip(&self.gains) {
                    let first = usize::from(one.first);
                    found.push(member(MotionClass::SmoothJump, first, j, k, log + gain));
                }
            }
        }
        // Those that were left out had as much prior probability each.
        let prior = (best.len() as f64 / looked as f64).ln();
        for one in &mut found {
            one.log += prior;
        }
        self.add(&found);
    }

    /// The same, for a working model: with fewer cosines.
    pub fn working_model(
        profile: &Profile,
        smooth: &[Vec<f64>],
        one: &Member,
    ) -> (Course, Vec<f64>) {
        let (course, mut variances) = Self::model(profile, smooth, one);
        let (Course::Smooth(count) | Course::SmoothJump(count, _)) = course else {
            return (course, variances);
        };
        let all = profile.waves.score.len();
        let matters =
            |k: &usize| variances[*k] * profile.waves.information[k * all + k] > WORKING_NEGLIGIBLE;
        let kept = (0..count.min(WORKING_WAVES)).rev().find(matters).map_or(1, |k| k + 1);
        variances.drain(kept..count);
        match course {
            Course::SmoothJump(_, at) => (Course::SmoothJump(kept, at), variances),
            _ => (Course::Smooth(kept), variances),
        }
    }

    /// The functions of a member, in numbers of pieces, with their prior variances.
    pub fn model(profile: &Profile, smooth: &[Vec<f64>], one: &Member) -> (Course, Vec<f64>) {
        let unit = profile.unit * profile.unit;
        let jump = unit * JUMP[usize::from(one.deviation)].powi(2);
        let piece = |index: u16| profile.jumps[usize::from(index)].piece;
        match one.class {
            MotionClass::Static => (Course::Static, vec![unit]),
            MotionClass::Polynomial => {
                let (degree, sd) =
                    polynomial_members().nth(usize::from(one.first)).unwrap_or((1, 0.1));
                let mut variances = vec![unit; 1];
                variances.resize(degree + 1, unit * sd * sd);
                (Course::Polynomial(degree), variances)
            }
            MotionClass::Smooth => {
                let mut variances = Vec::new();
                smooth_variances(profile, &smooth[usize::from(one.first)], &mut variances);
                (Course::Smooth(variances.len()), variances)
            }
            MotionClass::Jump => (Course::Jumps(vec![piece(one.first)]), vec![unit, jump]),
            MotionClass::TwoJumps => {
                let at = vec![piece(one.first), piece(one.second)];
                (Course::Jumps(at), vec![unit, jump, jump])
            }
            MotionClass::From => (Course::From(piece(one.first)), vec![jump]),
            MotionClass::Until => (Course::Until(piece(one.first)), vec![jump]),
            MotionClass::Between => {
                (Course::Between(piece(one.first), piece(one.second)), vec![jump])
            }
            MotionClass::SmoothJump => {
                let mut variances = Vec::new();
                smooth_variances(profile, &smooth[usize::from(one.first)], &mut variances);
                let course = Course::SmoothJump(variances.len(), piece(one.second));
                variances.push(jump);
                (course, variances)
            }
        }
    }

    /// The coefficients of a member, given the data.
    pub fn posterior(
        &mut self,
        profile: &Profile,
        smooth: &[Vec<f64>],
        one: &Member,
    ) -> (Course, GaussianPosterior) {
        let (course, variances) = Self::model(profile, smooth, one);
        let (first, second) = (usize::from(one.first), usize::from(one.second));
        let jump = |index: usize| profile.jumps[index];
        let (a, b) = profile.constant();
        let single = |information: f64, score: f64| Likelihood {
            information: vec![information],
            score: vec![score],
        };
        let said = match one.class {
            MotionClass::Static | MotionClass::Smooth => None,
            MotionClass::Polynomial => Some(profile.polynomials.clone()),
            MotionClass::From => Some(single(jump(first).information, jump(first).score)),
            MotionClass::Until => {
                let until = Single::until(profile, &jump(first));
                Some(single(until.information, until.score))
            }
            MotionClass::Between => {
                let both = Single::between(profile, first, second);
                Some(single(both.information, both.score))
            }
            MotionClass::Jump => {
                let one = jump(first);
                let information = vec![a, one.with_constant, one.with_constant, one.information];
                Some(Likelihood { information, score: vec![b, one.score] })
            }
            MotionClass::TwoJumps => {
                let (one, two) = (jump(first), jump(second));
                let shared = profile.between(first, second);
                #[rustfmt::skip]
                let information = vec![
                    a, one.with_constant, two.with_constant,
                    one.with_constant, one.information, shared,
                    two.with_constant, shared, two.information,
                ];
                Some(Likelihood { information, score: vec![b, one.score, two.score] })
            }
            MotionClass::SmoothJump => {
                let (count, all) = (variances.len() - 1, profile.waves.score.len());
                let mut information = Vec::with_capacity((count + 1) * (count + 1));
                for row in 0..count {
                    let start = row * all;
                    information.extend_from_slice(&profile.waves.information[start..start + count]);
                    information.push(profile.with_wave(second, row));
                }
                information.extend((0..count).map(|k| profile.with_wave(second, k)));
                information.push(jump(second).information);
                let mut score = profile.waves.score[..count].to_vec();
                score.push(jump(second).score);
                Some(Likelihood { information, score })
            }
        };
        self.scratch.evidence(said.as_ref().unwrap_or(&profile.waves), &variances);
        (course, self.scratch.posterior())
    }
}

/// Prior variances of the constant and of the cosines that matter.
fn smooth_variances(profile: &Profile, shape: &[f64], out: &mut Vec<f64>) {
    let (unit, all) = (profile.unit * profile.unit, profile.waves.score.len());
    let matters = |k: &usize| {
        unit * shape[*k] * profile.waves.information[(k + 1) * all + k + 1] > NEGLIGIBLE
    };
    let last = (0..shape.len()).rev().find(matters).map_or(0, |k| k + 1);
    out.clear();
    out.push(unit);
    out.extend(shape[..last].iter().map(|s| unit * s));
}
