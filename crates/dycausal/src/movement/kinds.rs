//! Which kind of motion is likeliest, and when it changes.
//!
//! Models are named by what they look like: two jumps of which one is small are one jump, a drift with
//! a small jump is a drift.

use super::average::{Within, own_shares, representatives};
use super::course::Course;
use super::evidence::{Member, ModelEvidence};
use super::motion::{Change, Kind, Motion};
use super::prior::MotionClass;
use super::profile::Profile;
use super::step_moments::StepMoments;

/// Share below which a kind of motion is not told.
const LEAST_TOLD: f64 = 1e-3;
/// How much smaller one part of a motion is than the other where it does not count.
const SMALL: f64 = 1.0 / 3.0;
/// How much less likely than its class, as a logarithm, a model is that says nothing of when it changes.
const UNHEARD: f64 = 20.0;
/// Models that a class is named by.
const NAMED: f64 = 12.0;

/// A kind of motion, and what may be of it.
struct KindCandidate<'a> {
    kind: Kind,
    share: f64,
    of: Vec<Possible<'a>>,
}

/// When a weight may change.
enum Possible<'a> {
    /// As each member of a class of this share says.
    Class(&'a Within<'a>, f64),
    /// At these steps, with a probability.
    Steps(Vec<usize>, f64),
}

impl Possible<'_> {
    /// How many changes there are.
    fn count(&self) -> usize {
        match self {
            Self::Class(class, _) => match class.class {
                MotionClass::Jump | MotionClass::From | MotionClass::Until => 1,
                MotionClass::Between => 2,
                _ => 0,
            },
            Self::Steps(steps, _) => steps.len(),
        }
    }

    /// The step of one of the changes with its probability, for all that may be.
    fn add(&self, which: usize, step: impl Fn(u16) -> usize, out: &mut Vec<(usize, f64)>) {
        match self {
            Self::Class(class, share) if which < self.count() => {
                let at = |one: &Member| if which == 0 { one.first } else { one.second };
                let within = |one: &Member| share * (one.log - class.log).exp();
                let told = class.members.iter().filter(|one| one.log > class.log - UNHEARD);
                out.extend(told.map(|one| (step(at(one)), within(one))));
            }
            Self::Class(..) => {}
            Self::Steps(steps, share) => out.extend(steps.get(which).map(|step| (*step, *share))),
        }
    }
}

/// The kind of motion with its probability and its changes.
pub(super) fn motion(
    evidence: &mut ModelEvidence,
    profile: &Profile,
    smooth: &[Vec<f64>],
    moments: &StepMoments,
    classes: &[Within<'_>],
    level: f64,
) -> Motion {
    let mut told: Vec<KindCandidate<'_>> = Vec::new();
    let mut tell = |kind: Kind, share: f64, possible| {
        let index = told.iter().position(|known| known.kind == kind).unwrap_or_else(|| {
            told.push(KindCandidate { kind, share: 0.0, of: Vec::new() });
            told.len() - 1
        });
        told[index].share += share;
        told[index].of.push(possible);
    };
    for (class, share) in classes.iter().zip(own_shares(classes)) {
        let best = || class.members.iter().max_by(|a, b| a.log.total_cmp(&b.log));
        match class.class {
            MotionClass::Static | MotionClass::Polynomial | MotionClass::Smooth => {
                let Some(best) = best() else { continue };
                let kind = ModelEvidence::model(profile, smooth, best).0.kind();
                tell(kind, share, Possible::Class(class, share));
            }
            MotionClass::Jump | MotionClass::From | MotionClass::Until => {
                let Some(best) = best() else { continue };
                let (course, posterior) = evidence.posterior(profile, smooth, best);
                let (kind, _) = name(&course, &posterior.mean, moments.pieces());
                tell(kind, share, Possible::Class(class, share));
            }
            MotionClass::Between => tell(Kind::Pulses, share, Possible::Class(class, share)),
            MotionClass::TwoJumps | MotionClass::SmoothJump if share > LEAST_TOLD => {
                for (one, weight) in representatives(class, NAMED) {
                    let (course, posterior) = evidence.posterior(profile, smooth, one);
                    let (kind, at) = name(&course, &posterior.mean, moments.pieces());
                    let steps: Vec<usize> = at.iter().map(|piece| moments.starts[*piece]).collect();
                    tell(kind, share * weight, Possible::Steps(steps, share * weight));
                }
            }
            MotionClass::TwoJumps | MotionClass::SmoothJump => {}
        }
    }
    told.sort_by(|a, b| b.share.total_cmp(&a.share));
    let Some(first) = told.first() else {
        let (kind, probability) = (Kind::Static, 1.0);
        return Motion { kind, probability, shares: Vec::new(), changes: Vec::new() };
    };
    let count = first.of.iter().map(Possible::count).max().unwrap_or(0);
    let step = |place: u16| moments.starts[profile.jumps[usize::from(place)].piece];
    let changes = (0..count).map(|which| change(&first.of, which, step, level)).collect();
    let shares = told.iter().filter(|told| told.share >= LEAST_TOLD);
    let shares = shares.map(|told| (told.kind, told.share)).collect();
    Motion { kind: first.kind, probability: first.share.min(1.0), shares, changes }
}

/// What a course with these coefficients looks like, and the pieces at which it changes.
fn name(course: &Course, mean: &[f64], pieces: usize) -> (Kind, Vec<usize>) {
    match course {
        Course::Jumps(at) if at.len() == 1 => (jump(mean[0], mean[1]), at.clone()),
        Course::Jumps(at) => {
            let (first, second) = (mean[1].abs(), mean[2].abs());
            // The level before the one jump that counts.
            if second < SMALL * first {
                (jump(mean[0], mean[1]), vec![at[0]])
            } else if first < SMALL * second {
                (jump(mean[0] + mean[1], mean[2]), vec![at[1]])
            } else {
                (Kind::JumpsTwice, at.clone())
            }
        }
        Course::SmoothJump(count, at) => {
            let drift: f64 = mean[1..*count].iter().map(|c| c * c).sum::<f64>().sqrt();
            let share = *at as f64 / pieces.max(1) as f64;
            let jumped = mean[*count].abs() * (share * (1.0 - share)).max(0.0).sqrt();
            if jumped < SMALL * drift {
                (Kind::Drifts, Vec::new())
            } else if drift < SMALL * jumped {
                (jump(mean[0], mean[*count]), vec![*at])
            } else {
                (Kind::DriftsAndJumps, vec![*at])
            }
        }
        Course::From(at) | Course::Until(at) => (course.kind(), vec![*at]),
        Course::Between(from, to) => (course.kind(), vec![*from, *to]),
        Course::Static | Course::Polynomial(_) | Course::Smooth(_) => (course.kind(), Vec::new()),
    }
}

/// A jump from a level, or a flip where it leads to the other sign.
fn jump(before: f64, by: f64) -> Kind {
    let after = before + by;
    let small = before.abs().min(after.abs()) < SMALL * before.abs().max(after.abs());
    if before * after < 0.0 && !small { Kind::Flips } else { Kind::Jumps }
}

/// Median and interval of a change over all that may be.
fn change(
    possible: &[Possible<'_>],
    which: usize,
    step: impl Fn(u16) -> usize,
    level: f64,
) -> Change {
    let mut all = Vec::new();
    for one in possible {
        one.add(which, &step, &mut all);
    }
    all.sort_by_key(|(step, _)| *step);
    let total: f64 = all.iter().map(|(_, share)| share).sum();
    let at = |p: f64| {
        let mut reached = 0.0;
        for (step, share) in &all {
            reached += share;
            if reached >= p * total {
                return *step;
            }
        }
        all.last().map_or(0, |last| last.0)
    };
    let tail = (1.0 - level) / 2.0;
    Change { at: at(0.5), low: at(tail), high: at(1.0 - tail) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_by_what_they_look_like() {
        let two = Course::Jumps(vec![10, 40]);
        assert_eq!(name(&two, &[0.6, -1.2, 0.1], 50), (Kind::Flips, vec![10]));
        assert_eq!(name(&two, &[0.6, 0.1, -1.2], 50), (Kind::Flips, vec![40]));
        assert_eq!(name(&two, &[0.6, 0.4, -0.4], 50), (Kind::JumpsTwice, vec![10, 40]));
        let both = Course::SmoothJump(3, 25);
        assert_eq!(name(&both, &[0.1, 0.5, 0.1, 0.1], 50), (Kind::Drifts, vec![]));
        assert_eq!(name(&both, &[0.5, 0.01, 0.0, 0.8], 50), (Kind::Jumps, vec![25]));
        assert_eq!(name(&both, &[0.1, 0.4, 0.0, 0.8], 50).0, Kind::DriftsAndJumps);
        assert_eq!(jump(0.5, -0.55), Kind::Jumps, "next to nothing is left, but it does not turn");
    }
}
