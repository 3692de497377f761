//! What is known of a weight over time: several courses, each with a share and a Gaussian.
//!
//! The weight at a step is the median of the mixture there, its band the quantiles: so the weight
//! always lies in its band. Nothing is kept per step; any step can be asked.

use serde::{Deserialize, Serialize};

use super::course::{Course, Span, waves};
use super::normal::{GaussianShare, Law};
use super::remembered::Remembered;
use crate::error::{Error, Result};
use crate::linear_algebra::{Dot, dot};
use crate::vectors::{Kernel, vectorised};

/// Steps that are looked at, where all would be too many.
const PROBES: usize = 128;

/// One course of a weight with its coefficients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// How much of the mixture it is.
    pub share: f64,
    /// The functions that it is a sum of.
    pub course: Course,
    /// Nobody knows to the step when it jumps: the same once more, with the same share, for each of
    /// these numbers of steps by which a single jump may come later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<usize>,
    /// Mean coefficients.
    pub mean: Vec<f64>,
    /// Columns whose products with themselves add up to the covariance, one after the other.
    pub factor: Vec<f64>,
}

impl Component {
    /// The course, and the same later.
    pub(super) fn courses(&self) -> impl Iterator<Item = Course> + '_ {
        std::iter::once(0).chain(self.later.iter().copied()).map(|by| self.course.later(by))
    }

    /// How many courses it stands for.
    fn copies(&self) -> usize {
        1 + self.later.len()
    }

    /// How many of them are past their jump at a step; of those without a jump all or none.
    fn past(&self, span: Span, step: usize) -> usize {
        let at = self.course.extent().1;
        let step = step.max(span.first);
        std::iter::once(&0).chain(&self.later).filter(|by| step >= at + **by).count()
    }

    /// What it says where its functions are these.
    fn part(&self, phi: &[f64], copies: usize) -> GaussianShare {
        let variance = vectorised::<Variance, _>((&self.factor[..], phi));
        let share = if copies == 1 { self.share } else { self.share * copies as f64 };
        GaussianShare { share, mean: dot(phi, &self.mean), deviation: variance.sqrt() }
    }
}

/// Σ (f'φ)² over the columns f of a factor.
struct Variance;

impl Kernel<(&[f64], &[f64])> for Variance {
    type Output = f64;

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((factor, phi): (&[f64], &[f64])) -> f64 {
        let mut sum = 0.0;
        for column in factor.chunks_exact(phi.len()) {
            let along = Dot::run((phi, column));
            sum += along * along;
        }
        sum
    }
}

/// A weight as a mixture of [`Component`]s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    span: Span,
    components: Vec<Component>,
    /// Tables, files, checks and rankings all ask for the weight at every step.
    #[serde(skip)]
    remembered: Remembered,
}

impl Mixture {
    /// The mixture of these components, whose shares are made to add up to 1.
    ///
    /// # Errors
    /// If there is none, or one does not have the numbers that its course asks for.
    pub fn new(span: Span, mut components: Vec<Component>) -> Result<Self> {
        let total = total_share(&components);
        for part in &mut components {
            part.share /= total;
            // Ten thousands of edges have one: no larger than it is.
            part.mean.shrink_to_fit();
            part.factor.shrink_to_fit();
        }
        components.shrink_to_fit();
        let mixture = Self { span, components, remembered: Remembered::default() };
        mixture.check(span.steps)?;
        Ok(mixture)
    }

    /// The components.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The steps it is known on.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The weight at a step: the median.
    pub fn median(&self, step: usize) -> f64 {
        let worked_out = || Law::of(&self.parts(step)).quantile(0.5);
        self.remembered.median(step).unwrap_or_else(worked_out)
    }

    /// The weight at every step, which is remembered from then on.
    pub(crate) fn medians(&self) -> &[f64] {
        self.remembered.medians(|| (0..self.span.steps).map(|step| self.median(step)).collect())
    }

    /// The median between two bounds that hold the weight with this probability.
    pub fn interval(&self, step: usize, level: f64) -> (f64, f64, f64) {
        if let Some((low, high)) = self.remembered.bounds(step, level) {
            return (low, self.median(step), high);
        }
        let law = Law::of(&self.parts(step));
        let tail = (1.0 - level) / 2.0;
        let median = self.remembered.median(step).unwrap_or_else(|| law.quantile(0.5));
        (law.quantile(tail), median, law.quantile(1.0 - tail))
    }

    /// Keeps intervals of a level that were worked out, where they are those of every step from the first on.
    pub(crate) fn remember(&self, level: f64, known: &[(usize, (f64, f64, f64))]) {
        if known.len() == self.span.steps {
            self.remembered.keep(level, known.iter().map(|(_, interval)| *interval));
        }
    }

    /// How likely the weight is exactly 0 at a step.
    pub fn absent(&self, step: usize) -> f64 {
        let none = |part: &&GaussianShare| part.mean == 0.0 && part.deviation == 0.0;
        self.parts(step).iter().filter(none).map(|part| part.share).sum()
    }

    /// The same weight times a number.
    pub fn times(mut self, factor: f64) -> Self {
        self.remembered = Remembered::default();
        for part in &mut self.components {
            part.mean.iter_mut().chain(&mut part.factor).for_each(|x| *x *= factor);
        }
        self
    }

    /// Whether the weight is the same at every step: no part of it moves.
    pub fn stays(&self) -> bool {
        self.components.iter().all(|part| part.course == Course::Static)
    }

    /// Whether it has levels and jumps alone, and nothing that drifts.
    pub(crate) fn has_levels_alone(&self) -> bool {
        self.components.iter().all(|part| part.course.is_level())
    }

    /// The last step before, and the first after, every jump.
    pub(crate) fn beside_jumps(&self) -> Vec<usize> {
        let jumps = self.components.iter().flat_map(Component::courses).flat_map(|c| c.jumps());
        let beside = jumps.flat_map(|at| [at.saturating_sub(1), at]);
        let mut steps: Vec<usize> = beside.filter(|step| *step < self.span.steps).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// Steps at which it is worth looking: some evenly spaced, and both sides of every jump.
    pub(crate) fn probes(&self) -> Vec<usize> {
        let Span { steps, .. } = self.span;
        let mut probes: Vec<usize> = (0..steps).step_by(steps.div_ceil(PROBES).max(1)).collect();
        probes.extend(self.beside_jumps());
        probes.push(steps - 1);
        probes.sort_unstable();
        probes.dedup();
        probes
    }

    /// The standard deviation of the weight, in the middle of the series.
    pub(crate) fn deviation(&self) -> f64 {
        let parts = self.parts(self.span.first.midpoint(self.span.steps));
        let mean: f64 = parts.iter().map(|part| part.share * part.mean).sum();
        let square = |part: &GaussianShare| part.deviation.powi(2) + (part.mean - mean).powi(2);
        parts.iter().map(|part| part.share * square(part)).sum::<f64>().sqrt()
    }

    /// The same mixture with deviations times a factor.
    pub(crate) fn wider(mut self, factor: f64) -> Self {
        self.remembered = Remembered::default();
        self.components.iter_mut().flat_map(|part| &mut part.factor).for_each(|x| *x *= factor);
        self
    }

    /// The same weight moved by a number.
    pub(crate) fn shifted(mut self, by: f64) -> Self {
        self.remembered = Remembered::default();
        for part in &mut self.components {
            // The first function is the constant, or the level of a weight that is 0 elsewhere.
            part.mean[0] += by;
        }
        self
    }

    /// The same numbers with so many digits.
    pub(crate) fn rounded(mut self, digits: i32) -> Self {
        self.remembered = Remembered::default();
        let last = f64::from(digits - 1);
        let round = |x: &mut f64| {
            if *x != 0.0 && x.is_finite() {
                let digits = 10f64.powf(last - x.abs().log10().floor());
                if digits.is_finite() && digits > 0.0 {
                    *x = (*x * digits).round() / digits;
                }
            }
        };
        for part in &mut self.components {
            part.mean.iter_mut().chain(&mut part.factor).for_each(round);
        }
        self
    }

    /// What each component says at a step.
    pub(super) fn parts(&self, step: usize) -> Vec<GaussianShare> {
        let mut phi = Vec::with_capacity(40);
        // Cosines are the same for all that have them.
        let count = self.components.iter().map(|one| one.course.waves()).max().unwrap_or(0);
        let mut cosines = Vec::with_capacity(count);
        waves(self.span.place(step as f64), count, &mut cosines);
        let mut parts = Vec::with_capacity(2 * self.components.len());
        for one in &self.components {
            if let Course::Smooth(count) = one.course {
                parts.push(one.part(&cosines[..count], 1));
                continue;
            }
            if one.later.is_empty() {
                one.course.fill_with(self.span, step, &cosines, &mut phi);
                parts.push(one.part(&phi, 1));
                continue;
            }
            let past = one.past(self.span, step);
            for (copies, jumped) in [(past, true), (one.copies() - past, false)] {
                if copies > 0 {
                    one.course.fill_side(jumped, &mut phi);
                    parts.push(one.part(&phi, copies));
                }
            }
        }
        parts
    }

    /// Refuses numbers that are no mixture over `steps` steps.
    pub(crate) fn check(&self, steps: usize) -> Result<()> {
        let refused = |what: &str, found: String, expected: &str| {
            Err(Error::shape(format!("{what} of a mixture"), found, expected))
        };
        if self.span.steps != steps || self.span.first >= steps {
            return refused("span", format!("{:?}", self.span), &format!("within {steps} steps"));
        }
        let total = total_share(&self.components);
        if !((total - 1.0).abs() < 1e-6 && self.components.iter().all(|part| part.share >= 0.0)) {
            return refused("shares", total.to_string(), "0 or more, together 1");
        }
        for part in &self.components {
            let (functions, last) = part.course.extent();
            let size = part.mean.len();
            let whole = size > 0 && part.factor.len().is_multiple_of(size);
            let longest = part.later.iter().copied().max().unwrap_or(0);
            let last = last.saturating_add(longest);
            let whole = whole && (part.later.is_empty() || part.course.jumps_once());
            if functions != size || !whole || functions > steps.max(64) || last > steps {
                return refused(
                    "course",
                    format!("{:?}", part.course),
                    "as many numbers as functions",
                );
            }
            if !part.mean.iter().chain(&part.factor).all(|x| x.is_finite()) {
                return refused("numbers", "one that is not finite".into(), "finite numbers");
            }
        }
        Ok(())
    }
}

/// The shares of all courses together.
fn total_share(components: &[Component]) -> f64 {
    components.iter().flat_map(|part| std::iter::repeat_n(part.share, part.copies())).sum()
}
