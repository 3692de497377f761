//! From models and their evidence to what is told of a weight: a mixture, and the kind of motion.

use super::course::Course;
use super::evidence::{Member, ModelEvidence};
use super::gaussian::{add_products, factored};
use super::kinds::motion;
use super::learn::Wanted;
use super::mixture::{Component, Mixture};
use super::motion::Motion;
use super::prior::{Masses, MotionClass};
use super::profile::Profile;
use super::step_moments::StepMoments;
use crate::error::Result;
use crate::vectors::{Kernel, LANES, exponential, vectorised};

/// Class probabilities are raised to this power: models are never quite right.
const TEMPER: f64 = 0.5;
/// Steps of a piece of time at which a jump is put, at most.
const SPLIT: usize = 4;
/// Models that one Gaussian stands for, at most.
const MERGED: f64 = 8.0;

/// What is kept of a mixture.
#[derive(Clone, Copy)]
struct MixtureRange {
    /// Share of a class below which it is left out.
    share: f64,
    /// Share of a variance below which the rest of it is left out.
    variance: f64,
    /// Components that jump, at most.
    jumping: f64,
    /// Components of smooth courses with a jump, at most.
    smooth: f64,
}

impl MixtureRange {
    const FULL: Self = Self { share: 0.005, variance: 1e-4, jumping: 40.0, smooth: 4.0 };
    /// Where there are very many edges.
    const BRIEF: Self = Self { share: 0.05, variance: 0.01, jumping: 12.0, smooth: 1.0 };
}

/// The models of one class with their probabilities within it.
pub(super) struct Within<'a> {
    pub class: MotionClass,
    pub members: &'a [Member],
    /// log of prior times evidence.
    pub log: f64,
    /// What the prior learned from all edges adds to it.
    pub learned: f64,
}

/// Σ exp, as a logarithm.
fn log_sum(members: &[Member]) -> f64 {
    let most = members.iter().map(|one| one.log).fold(f64::NEG_INFINITY, f64::max);
    most + vectorised::<SumOfExponentials, _>((members, most)).ln()
}

/// Σ exp(log − most), in eight interleaved sums.
struct SumOfExponentials;

impl Kernel<(&[Member], f64)> for SumOfExponentials {
    type Output = f64;

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((members, most): (&[Member], f64)) -> f64 {
        let mut sums = [0.0; LANES];
        let (whole, rest) = members.as_chunks::<LANES>();
        for members in whole {
            let mut logs = [0.0; LANES];
            logs.iter_mut().zip(members).for_each(|(log, one)| *log = one.log - most);
            for lane in 0..LANES {
                sums[lane] += exponential(logs[lane]);
            }
        }
        let tail: f64 = rest.iter().map(|one| exponential(one.log - most)).sum();
        sums.iter().sum::<f64>() + tail
    }
}

fn classes<'a>(members: &'a [Member], masses: &Masses) -> Vec<Within<'a>> {
    members
        .chunk_by(|a, b| a.class == b.class)
        .map(|members| {
            let (class, log) = (members[0].class, log_sum(members));
            Within { class, members, log, learned: masses.log_ratio(class) }
        })
        .collect()
}

/// Evidence of all models together, as a logarithm, with these probabilities of their classes.
pub(super) fn log_evidence(evidence: &ModelEvidence, masses: &Masses) -> f64 {
    let classes = classes(&evidence.members, masses);
    let log = |class: &Within<'_>| class.log + class.learned;
    let most = classes.iter().map(log).fold(f64::NEG_INFINITY, f64::max);
    most + classes.iter().map(|class| (log(class) - most).exp()).sum::<f64>().ln()
}

/// Probabilities of classes by their own data alone.
pub(super) fn own_shares(classes: &[Within<'_>]) -> Vec<f64> {
    normalised(classes, |class| class.log)
}

/// Probabilities raised to a power; what was learned from other edges counts in full.
fn shares(classes: &[Within<'_>], power: f64) -> Vec<f64> {
    normalised(classes, |class| power * class.log + class.learned)
}

fn normalised(classes: &[Within<'_>], log: impl Fn(&Within<'_>) -> f64) -> Vec<f64> {
    let log = &log;
    let most = classes.iter().map(log).fold(f64::NEG_INFINITY, f64::max);
    let raw: Vec<f64> = classes.iter().map(|class| (log(class) - most).exp()).collect();
    let total: f64 = raw.iter().sum();
    raw.into_iter().map(|share| share / total).collect()
}

/// The best model of the likeliest class.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestModel {
    /// The model.
    pub member: Member,
    /// log of prior times evidence of the model that it would take the place of.
    pub now: f64,
}

/// The best model, beside the present one, or beside staying still; and how likely each class is.
pub(super) fn best(
    evidence: &ModelEvidence,
    present: Option<&Member>,
) -> (Option<BestModel>, Masses) {
    let classes = classes(&evidence.members, &Masses::default());
    let shares = classes.iter().map(|class| class.class).zip(own_shares(&classes));
    (best_of(&classes, present), Masses::of(shares))
}

fn best_of(classes: &[Within<'_>], present: Option<&Member>) -> Option<BestModel> {
    let best = classes.iter().max_by(|a, b| a.log.total_cmp(&b.log))?;
    let member = best.members.iter().max_by(|a, b| a.log.total_cmp(&b.log))?;
    let still = classes.iter().find(|class| class.class == MotionClass::Static)?;
    let key = |one: &Member| (one.first, one.second, one.deviation);
    let now = match present {
        Some(known) => {
            let own = classes.iter().find(|class| class.class == known.class);
            own.and_then(|class| class.members.iter().find(|one| key(one) == key(known)))
        }
        None => still.members.first(),
    };
    let now = now.map_or(f64::NEG_INFINITY, |one| one.log);
    Some(BestModel { member: *member, now })
}

/// The mixture, in the units of the profile, and the motion.
pub(super) fn average(
    evidence: &mut ModelEvidence,
    profile: &Profile,
    smooth: &[Vec<f64>],
    moments: &StepMoments,
    wanted: Wanted,
) -> Result<(Mixture, Motion)> {
    let members = std::mem::take(&mut evidence.members);
    let classes = classes(&members, &wanted.masses);
    let tempered = shares(&classes, TEMPER);
    let mut components = Vec::new();
    let kept = if wanted.brief { MixtureRange::BRIEF } else { MixtureRange::FULL };
    for (class, share) in classes.iter().zip(&tempered).filter(|(_, share)| **share > kept.share) {
        match class.class {
            MotionClass::Static | MotionClass::Polynomial | MotionClass::Smooth => {
                components.push(merged(evidence, profile, smooth, class, *share, kept.variance));
            }
            MotionClass::SmoothJump => {
                let count = (kept.smooth * share.sqrt()).ceil();
                sampled(evidence, profile, smooth, class, (*share, count), kept, &mut components);
            }
            _ => {
                let count = (kept.jumping * share).ceil().max(3.0);
                sampled(evidence, profile, smooth, class, (*share, count), kept, &mut components);
            }
        }
    }
    components.iter_mut().for_each(tidy);
    let components: Vec<Component> =
        components.into_iter().map(|component| at_steps(component, moments)).collect();
    let motion = motion(evidence, profile, smooth, moments, &classes, wanted.level);
    drop(classes);
    evidence.members = members;
    Ok((Mixture::new(moments.span, components)?, motion))
}

/// One Gaussian with the mean and the covariance of all models of a class.
fn merged(
    evidence: &mut ModelEvidence,
    profile: &Profile,
    smooth: &[Vec<f64>],
    class: &Within<'_>,
    share: f64,
    least: f64,
) -> Component {
    let mut size = 0;
    let mut found = Vec::new();
    for (one, weight) in representatives(class, MERGED) {
        let (_, posterior) = evidence.posterior(profile, smooth, one);
        size = size.max(posterior.mean.len());
        found.push((weight, posterior));
    }
    let mut mean = vec![0.0; size];
    let mut covariance = vec![0.0; size * size];
    for (weight, posterior) in &found {
        mean.iter_mut().zip(&posterior.mean).for_each(|(m, x)| *m += weight * x);
    }
    for (weight, posterior) in &found {
        let own = posterior.mean.len();
        let gap: Vec<f64> = (0..own).map(|k| posterior.mean[k] - mean[k]).collect();
        let columns = posterior.factor.chunks_exact(own).chain([&gap[..]]);
        columns.for_each(|column| add_products(&mut covariance, size, *weight, column));
        // Cosines that a model leaves out are 0 in it, as far as it goes.
        for j in own..size {
            for k in own..size {
                covariance[j * size + k] += weight * mean[j] * mean[k];
            }
        }
    }
    let course = match class.class {
        MotionClass::Static => Course::Static,
        MotionClass::Polynomial => Course::Polynomial(size - 1),
        _ => Course::Smooth(size),
    };
    let factor = factored(covariance, size, least);
    Component { share, course, later: Vec::new(), mean, factor }
}

/// A few models that stand for all of a class, each as often as its probability asks.
fn sampled(
    evidence: &mut ModelEvidence,
    profile: &Profile,
    smooth: &[Vec<f64>],
    class: &Within<'_>,
    (share, count): (f64, f64),
    kept: MixtureRange,
    components: &mut Vec<Component>,
) {
    for (one, weight) in representatives(class, count) {
        let (course, posterior) = evidence.posterior(profile, smooth, one);
        let size = posterior.mean.len();
        let factor = match size {
            0..=3 => posterior.factor,
            _ => factored(covariance(&posterior.factor, size), size, kept.variance),
        };
        let (share, mean) = (share * weight, posterior.mean);
        components.push(Component { share, course, later: Vec::new(), mean, factor });
    }
}

/// Models that stand for all of a class: `count` evenly spaced along their probabilities, equal ones
/// together.
pub(super) fn representatives<'a>(class: &Within<'a>, count: f64) -> Vec<(&'a Member, f64)> {
    let mut ordered: Vec<(&Member, f64)> = class
        .members
        .iter()
        .filter(|one| one.log > class.log - 12.0)
        .map(|one| (one, (one.log - class.log).exp()))
        .collect();
    if class.class == MotionClass::SmoothJump {
        ordered.sort_by_key(|(one, _)| (one.second, one.first, one.deviation));
    } else {
        ordered.sort_by_key(|(one, _)| (one.first, one.second, one.deviation));
    }
    let total: f64 = ordered.iter().map(|(_, weight)| weight).sum();
    let (mut reached, mut next) = (0.0, 0.5);
    let mut found = Vec::new();
    for (one, weight) in ordered {
        reached += weight / total * count;
        let mut times = 0.0;
        while next < reached {
            times += 1.0;
            next += 1.0;
        }
        if times > 0.0 {
            found.push((one, times / count));
        }
    }
    found
}

fn covariance(factor: &[f64], size: usize) -> Vec<f64> {
    let mut out = vec![0.0; size * size];
    factor.chunks_exact(size).for_each(|column| add_products(&mut out, size, 1.0, column));
    out
}

/// Jumps at steps instead of pieces: all steps of a piece alike, where it has a few.
fn at_steps(component: Component, moments: &StepMoments) -> Component {
    let (starts, steps) = (&moments.starts, moments.span.steps);
    let each = starts.get(1).map_or(1, |second| second - starts[0]);
    let at = |piece: &usize| starts.get(*piece).copied().unwrap_or(steps);
    let course = match &component.course {
        Course::Jumps(pieces) => Course::Jumps(pieces.iter().map(at).collect()),
        Course::From(piece) => Course::From(at(piece)),
        Course::Until(piece) => Course::Until(at(piece)),
        Course::Between(from, to) => Course::Between(at(from), at(to)),
        Course::SmoothJump(count, piece) => Course::SmoothJump(*count, at(piece)),
        other => other.clone(),
    };
    let parts = if course.jumps_once() { each.min(SPLIT) } else { 1 };
    let room = steps - course.extent().1.min(steps);
    let later = (1..parts).map(|k| (k * each / parts).min(room)).collect();
    Component { share: component.share / parts as f64, course, later, ..component }
}

/// Leaves out cosines that are nothing but rounding.
fn tidy(component: &mut Component) {
    let Course::Smooth(count) = component.course else { return };
    let size = |k: usize| {
        let columns = component.factor.chunks_exact(count);
        component.mean[k].abs() + columns.map(|column| column[k].powi(2)).sum::<f64>().sqrt()
    };
    let most = (0..count).map(size).fold(0.0, f64::max);
    let kept = (0..count).rev().find(|k| size(*k) > 1e-3 * most).map_or(1, |k| k + 1);
    let columns = component.factor.chunks_exact(count);
    component.factor = columns.flat_map(|column| column[..kept].to_vec()).collect();
    component.mean.truncate(kept);
    component.course = Course::Smooth(kept);
}
