//! The weights of one regression, each by its own average over models.
//!
//! All weights begin as static. The one that gains most from moving takes the best model of its best
//! class as its working model, then the next, until nothing gains: at most a few sweeps. Then every
//! weight is averaged over its models, the others integrated out at their working models.

use super::average::{BestModel, average, best};
use super::dictionary::Dictionary;
use super::evidence::{Care, Member, ModelEvidence};
use super::inflation::inflations;
use super::mixture::Mixture;
use super::motion::Motion;
use super::moves::{moved, unchanging};
use super::prior::{Masses, smooth_members};
use super::profile::{Alone, Profile};
use super::step_moments::StepMoments;
use super::transforms::{RegressionModels, Transforms};
use super::working::{Joint, Working, joint};
use crate::error::Result;
use crate::inference;
use crate::inference::covariance::Covariance;
use crate::regression::Sample;

/// What another model has to be better by, as a logarithm, to take the place of one, in each sweep.
const BETTER: [f64; 4] = [0.0, 2.0, 6.0, 12.0];
/// Change of the noise variance, as a share, that does not matter.
const SETTLED: f64 = 0.02;
/// Functions of all working models together, at most.
const FUNCTIONS: usize = 500;

/// Digits that are kept of coefficients: more than data tell.
const DIGITS: i32 = 9;
/// The same where there are very many edges.
const BRIEF_DIGITS: i32 = 6;

/// What is asked of the weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// How often a band holds the truth.
    pub level: f64,
    /// The kind of covariance that the data ask for.
    pub covariance: Covariance,
    /// How likely each class of models is before the data of an edge are seen.
    pub masses: Masses,
    /// Whether there are so many edges that little can be kept of each.
    pub brief: bool,
}

/// What was learned of one weight.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    /// The weight, in units of the columns.
    pub mixture: Mixture,
    /// How it moves.
    pub motion: Motion,
    /// p-value of "it does not move".
    pub unchanging: f64,
    /// Digits that are kept of its coefficients.
    pub digits: i32,
}

/// A regression whose weights have working models.
#[derive(Debug)]
pub(crate) struct Moving {
    /// Its moments.
    pub moments: StepMoments,
    /// The model of each regressor.
    pub working: Vec<Working>,
    /// The noise and all coefficients.
    pub joint: Joint,
    pub(super) dictionary: Dictionary,
    pub(super) transforms: Transforms,
    alone: Vec<Alone>,
    pub(super) smooth: Vec<Vec<f64>>,
    /// The first regressors are edges, and may move.
    edges: usize,
    looked: Vec<Option<WeightModels>>,
    /// The member of each that is its working model; static at first.
    current: Vec<Option<Member>>,
    shares: Vec<Masses>,
    evidence: ModelEvidence,
}

/// The models of one weight, as long as the others do not change.
#[derive(Debug)]
struct WeightModels {
    profile: Profile,
    /// Once models were looked at.
    best: Option<BestModel>,
}

impl Moving {
    /// Finds working models for the first `edges` regressors of a sample of a panel of `steps`.
    pub fn new(sample: &Sample<'_>, edges: usize, steps: usize) -> Self {
        let moments = StepMoments::of(sample, steps);
        let dictionary = Dictionary::new(&moments.places);
        let smooth = smooth_members(dictionary.waves);
        let target = moments.target();
        let square = moments.total(target, target);
        let still = |g: usize| {
            let unit = (square / moments.total(g, g).max(1e-300)).sqrt();
            Working::still(unit, moments.pieces())
        };
        let working: Vec<Working> = (0..moments.regressors()).map(still).collect();
        let transforms = Transforms::of(&moments, &dictionary);
        let known = RegressionModels {
            moments: &moments,
            dictionary: &dictionary,
            transforms: &transforms,
        };
        let joint = joint(known, &working, square / moments.freedom.max(1.0));
        let alone = (0..edges).map(|g| Alone::of(known, g)).collect();
        let looked = (0..edges).map(|_| None).collect();
        let mut moving = Self {
            moments,
            working,
            joint,
            dictionary,
            transforms,
            alone,
            smooth,
            edges,
            looked,
            current: vec![None; edges],
            shares: vec![Masses::default(); edges],
            evidence: ModelEvidence::default(),
        };
        moving.sweep();
        moving
    }

    fn sweep(&mut self) {
        let mut gains: Vec<(usize, f64)> = Vec::with_capacity(self.edges);
        for g in 0..self.edges {
            let profile = self.profile(g, 1.0);
            gains.push((g, moved(&profile)));
            self.looked[g] = Some(WeightModels { profile, best: None });
        }
        gains.sort_by(|a, b| b.1.total_cmp(&a.1));
        for better in BETTER {
            let mut changed = false;
            for (g, _) in &gains {
                changed |= self.choose(*g, better);
            }
            if !changed {
                break;
            }
            let before = self.joint.noise;
            self.joint = joint(self.known(), &self.working, before);
            if (self.joint.noise / before - 1.0).abs() > SETTLED {
                self.looked.iter_mut().for_each(|looked| *looked = None);
            }
        }
    }

    /// The best model of a weight; looks at them if others have changed since.
    fn look(&mut self, g: usize) -> Option<BestModel> {
        let looked = match self.looked[g].take() {
            Some(looked) if looked.best.is_some() => looked,
            known => {
                let profile = known.map_or_else(|| self.profile(g, 1.0), |looked| looked.profile);
                self.evidence.look(&profile, &self.smooth, Care::Quick);
                let (best, shares) = best(&self.evidence, self.current[g].as_ref());
                self.shares[g] = shares;
                WeightModels { profile, best }
            }
        };
        self.looked[g].insert(looked).best
    }

    fn profile(&self, g: usize, inflation: f64) -> Profile {
        Profile::of(self.known(), &self.alone[g], &self.working, g, self.joint.noise, inflation)
    }

    /// All that models are asked by.
    pub(super) fn known(&self) -> RegressionModels<'_> {
        let Self { moments, dictionary, transforms, .. } = self;
        RegressionModels { moments, dictionary, transforms }
    }

    /// Gives a weight the best model, if that is clearly better than the one it has.
    fn choose(&mut self, g: usize, better: f64) -> bool {
        let Some(best) = self.look(g).filter(|best| best.member.log > best.now + better) else {
            return false;
        };
        let Some(looked) = &self.looked[g] else { return false };
        let (course, variances) =
            ModelEvidence::working_model(&looked.profile, &self.smooth, &best.member);
        let taken: usize = self.working.iter().map(Working::size).sum();
        if taken + course.size() > FUNCTIONS {
            return false;
        }
        self.working[g] = Working::new(course, variances, &self.dictionary);
        self.current[g] = Some(best.member);
        for (h, looked) in self.looked.iter_mut().enumerate() {
            if h != g {
                *looked = None;
            }
        }
        true
    }

    /// How likely each edge is of each class, when it was last looked at.
    pub fn shares(&self) -> &[Masses] {
        &self.shares
    }

    /// What is told of every edge.
    ///
    /// # Errors
    /// If numbers are not finite.
    pub fn tell(&mut self, sample: &Sample<'_>, wanted: Wanted) -> Result<Vec<Told>> {
        let weights = self.weights();
        let inflated =
            inflations(sample, &self.moments, &weights, self.joint.noise, wanted.covariance);
        let small = self.small_sample(wanted.level);
        let mut told = Vec::with_capacity(self.edges);
        for (g, inflation) in inflated.into_iter().enumerate().take(self.edges) {
            // The same models as long as nothing has changed since they were looked at quickly.
            let known = self.looked[g].take();
            let profile = match known.filter(|_| inflation <= 1.0) {
                Some(looked) => looked.profile,
                None => self.profile(g, inflation),
            };
            let care = if wanted.brief { Care::Quick } else { Care::Thorough };
            self.evidence.look(&profile, &self.smooth, care);
            let (mixture, motion) =
                average(&mut self.evidence, &profile, &self.smooth, &self.moments, wanted)?;
            let mixture = mixture.wider(small);
            let unchanging = unchanging(&profile, self.joint.freedom);
            let digits = if wanted.brief { BRIEF_DIGITS } else { DIGITS };
            told.push(Told { mixture, motion, unchanging, digits });
        }
        Ok(told)
    }

    /// How much wider bands are because the noise variance is estimated.
    fn small_sample(&self, level: f64) -> f64 {
        let reach = |freedom: f64| inference::pointwise(level, freedom);
        (reach(self.joint.freedom) / reach(1e6)).clamp(1.0, 20.0)
    }

    /// The weight of each regressor under its working model, piece by piece.
    pub fn weights(&self) -> Vec<Vec<f64>> {
        let of = |(model, coefficients): (&Working, &Vec<f64>)| {
            let mut path = vec![0.0; self.moments.pieces()];
            for (column, c) in model.columns.iter().zip(coefficients) {
                path.iter_mut().zip(column).for_each(|(w, phi)| *w += c * phi);
            }
            path
        };
        self.working.iter().zip(&self.joint.coefficients).map(of).collect()
    }
}
