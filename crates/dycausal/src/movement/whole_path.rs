//! How much wider a band has to be to hold the whole path at once.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::mixture::Mixture;
use crate::linear_algebra::dot;

/// Paths that are drawn.
const DRAWS: f64 = 300.0;
/// Steps at which they are compared, about.
const STEPS: usize = 32;
/// The least half-width of a band, in units of its mean half-width.
const LEAST: f64 = 0.1;

/// A band that holds the whole path: each half-width, at least `least`, times `factor`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WholePath {
    pub factor: f64,
    pub least: f64,
}

impl WholePath {
    /// The bounds around an interval.
    pub fn around(self, (low, middle, high): Interval) -> (f64, f64) {
        let reach = |gap: f64| self.factor * gap.max(self.least);
        (middle - reach(middle - low), middle + reach(high - middle))
    }
}

/// A lower bound, the weight, and an upper bound.
pub(crate) type Interval = (f64, f64, f64);
/// What is known of a step.
type Known = (usize, Interval);

/// The factor, for intervals that are known at some steps, with which a share `level` of paths stay inside.
pub(crate) fn whole_path(mixture: &Mixture, known: &[Known], level: f64, seed: u64) -> WholePath {
    let span = mixture.span();
    let (steps, bands): (Vec<usize>, Vec<Interval>) = chosen(mixture, known).into_iter().unzip();
    let widths = bands.iter().map(|(low, _, high)| 0.5 * (high - low));
    let least = LEAST * widths.sum::<f64>() / bands.len().max(1) as f64;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut ratios = Vec::new();
    let mut phi = Vec::new();
    let mut reached = 0.0;
    let mut next = 0.5;
    for component in mixture.components() {
        reached += component.share * DRAWS;
        if next >= reached {
            continue;
        }
        let size = component.mean.len();
        let functions: Vec<f64> = steps
            .iter()
            .flat_map(|t| {
                component.course.fill(span, *t, &mut phi);
                phi.clone()
            })
            .collect();
        while next < reached {
            next += 1.0;
            let mut drawn = component.mean.clone();
            for column in component.factor.chunks_exact(size) {
                let z: f64 = StandardNormal.sample(&mut random);
                drawn.iter_mut().zip(column).for_each(|(c, f)| *c += z * f);
            }
            let mut most: f64 = 0.0;
            for (phi, (low, middle, high)) in functions.chunks_exact(size).zip(&bands) {
                let gap = dot(phi, &drawn) - middle;
                let room = if gap > 0.0 { high - middle } else { middle - low };
                let room = room.max(least);
                if room > 0.0 {
                    most = most.max(gap.abs() / room);
                }
            }
            ratios.push(most);
        }
    }
    ratios.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place in the list
    let at = ((level * ratios.len() as f64).ceil() as usize).clamp(1, ratios.len().max(1)) - 1;
    WholePath { factor: ratios.get(at).copied().unwrap_or(1.0).max(1.0), least }
}

/// Some steps that are evenly spaced, and some next to jumps.
fn chosen(mixture: &Mixture, known: &[Known]) -> Vec<Known> {
    let mut beside: Vec<usize> =
        mixture.components().iter().flat_map(|part| part.course.jumps()).collect();
    beside.sort_unstable();
    beside.dedup();
    let near = |step: usize| {
        beside.binary_search(&step).is_ok() || beside.binary_search(&(step + 1)).is_ok()
    };
    let rows = known.iter().copied().filter(|(step, _)| *step >= mixture.span().first);
    let (jumping, calm): (Vec<Known>, Vec<Known>) = rows.partition(|(step, _)| near(*step));
    let mut out = Vec::new();
    for part in [jumping, calm] {
        out.extend(part.iter().step_by(part.len().div_ceil(STEPS).max(1)).copied());
    }
    out
}
