//! How much wider a band has to be, in weight and in time, to hold the whole path at once.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::mixture::{Component, Mixture};
use crate::linear_algebra::Dot;
use crate::vectors::{Kernel, vectorised};

/// Paths that are drawn.
const DRAWS: f64 = 300.0;
/// Steps at which they are compared, about.
const STEPS: usize = 32;
/// The least half-width of a band, in units of its mean half-width.
const LEAST: f64 = 0.1;
/// A factor that is too large to be one of width.
const LARGE: f64 = 3.0;
/// One over the share of all steps that a band looks to either side, at most.
const WIDEST: usize = 16;

/// A band that holds the whole path: at each step what the bands of this one and of those `within` steps
/// of it cover together, each half-width, at least `least`, times `factor`.
///
/// Wider bands alone would not do: where a jump comes a step earlier than its band thinks, no factor
/// reaches from one level to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WholePath {
    pub factor: f64,
    pub least: f64,
    pub within: usize,
}

impl WholePath {
    /// The bounds at a step of `steps`, from the intervals there and around it.
    pub fn at(self, step: usize, steps: usize, interval: impl Fn(usize) -> Interval) -> (f64, f64) {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for near in self.near(step, steps) {
            let (low, middle, high) = interval(near);
            let reach = |gap: f64| self.factor * gap.max(self.least);
            least = least.min(middle - reach(middle - low));
            most = most.max(middle + reach(high - middle));
        }
        (least, most)
    }

    /// The step, and the last ones on either side that count.
    fn near(self, step: usize, steps: usize) -> impl Iterator<Item = usize> {
        let ends = [step.saturating_sub(self.within), (step + self.within).min(steps - 1)];
        std::iter::once(step).chain(ends.into_iter().filter(move |end| *end != step))
    }
}

/// A lower bound, the weight, and an upper bound.
pub(crate) type Interval = (f64, f64, f64);
/// What is known of a step.
type StepInterval = (usize, Interval);

/// The band with which a share `level` of paths stay inside, for intervals that are known at some steps.
///
/// It reaches as many steps to either side as it takes for all but a quarter of the rest to need no large
/// factor: those have a jump where the band of the step has none.
pub(crate) fn whole_path(
    mixture: &Mixture,
    known: &[StepInterval],
    level: f64,
    seed: u64,
) -> WholePath {
    let chosen = chosen(mixture, known);
    let widths = chosen.iter().map(|(_, (low, _, high))| 0.5 * (high - low));
    let least = LEAST * widths.sum::<f64>() / chosen.len().max(1) as f64;
    let steps: Vec<usize> = chosen.iter().map(|(step, _)| *step).collect();
    let paths = drawn(mixture, &steps, seed);
    let largest = mixture.span().steps / WIDEST;
    let mut path = WholePath { factor: 1.0, least, within: 0 };
    loop {
        let bands = Bands::around(path, &steps, known);
        let mut ratios: Vec<f64> = paths
            .chunks_exact(steps.len().max(1))
            .map(|drawn| ratio(drawn, &bands, least))
            .collect();
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            // a place in the list
            let place = (share * ratios.len() as f64).ceil() as usize;
            ratios.get(place.clamp(1, ratios.len().max(1)) - 1).copied().unwrap_or(1.0)
        };
        path.factor = at(level).max(1.0);
        if at(1.0 - 0.25 * (1.0 - level)) <= LARGE || path.within >= largest {
            return path;
        }
        path.within = (2 * path.within).max(1).min(largest);
    }
}

/// Paths of the mixture at some steps, one after the other.
fn drawn(mixture: &Mixture, steps: &[usize], seed: u64) -> Vec<f64> {
    let span = mixture.span();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut paths, mut phi) = (Vec::new(), Vec::new());
    let (mut normal, mut drawn) = (Vec::new(), Vec::new());
    let (mut reached, mut next) = (0.0, 0.5);
    for component in mixture.components() {
        for course in component.courses() {
            reached += component.share * DRAWS;
            if next >= reached {
                continue;
            }
            let mut functions = Vec::with_capacity(steps.len() * component.mean.len());
            for step in steps {
                course.fill(span, *step, &mut phi);
                functions.extend_from_slice(&phi);
            }
            while next < reached {
                next += 1.0;
                normal.clear();
                let columns = component.factor.chunks_exact(component.mean.len());
                normal.extend(columns.map(|_| -> f64 { StandardNormal.sample(&mut random) }));
                drawn.clone_from(&component.mean);
                let given = (&component.factor[..], &normal[..], &functions[..]);
                vectorised::<Draw, _>((given, &mut drawn[..], &mut paths));
            }
        }
    }
    paths
}

/// Adds a path: coefficients are their means and columns of a factor times normal numbers.
struct Draw;

/// A factor column by column, as many normal numbers, and functions of time step by step.
type Drawn<'a> = (&'a [f64], &'a [f64], &'a [f64]);

impl Kernel<(Drawn<'_>, &mut [f64], &mut Vec<f64>)> for Draw {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run(((factor, normal, functions), drawn, paths): (Drawn<'_>, &mut [f64], &mut Vec<f64>)) {
        let size = drawn.len();
        for (column, z) in factor.chunks_exact(size).zip(normal) {
            drawn.iter_mut().zip(column).for_each(|(c, f)| *c += z * f);
        }
        for phi in functions.chunks_exact(size) {
            paths.push(Dot::run((phi, drawn)));
        }
    }
}

/// The known intervals that count at each step, one step after the other.
struct Bands {
    /// Where those of each step end.
    ends: Vec<usize>,
    intervals: Vec<Interval>,
}

impl Bands {
    /// Of each step its own, and the nearest to the ends of what it looks at.
    fn around(path: WholePath, steps: &[usize], known: &[StepInterval]) -> Self {
        let nearest = |at: usize| {
            let after = known.partition_point(|(step, _)| *step < at).min(known.len() - 1);
            let before = after.saturating_sub(1);
            let gap = |index: usize| known[index].0.abs_diff(at);
            known[if gap(before) < gap(after) { before } else { after }].1
        };
        let (mut ends, mut intervals) = (Vec::with_capacity(steps.len()), Vec::new());
        for step in steps {
            intervals.extend(path.near(*step, usize::MAX).map(nearest));
            ends.push(intervals.len());
        }
        Self { ends, intervals }
    }
}

/// The least factor with which a path stays inside.
fn ratio(drawn: &[f64], bands: &Bands, least: f64) -> f64 {
    let of_one = |x: f64, (low, middle, high): &Interval| {
        let gap = x - middle;
        let room = if gap > 0.0 { high - middle } else { middle - low }.max(least);
        if room > 0.0 { gap.abs() / room } else { 0.0 }
    };
    let mut start = 0;
    let mut largest = 0.0;
    for (x, end) in drawn.iter().zip(&bands.ends) {
        let near = bands.intervals[start..*end].iter();
        largest = near.map(|band| of_one(*x, band)).fold(f64::INFINITY, f64::min).max(largest);
        start = *end;
    }
    largest
}

/// Some steps that are evenly spaced, and some next to jumps.
fn chosen(mixture: &Mixture, known: &[StepInterval]) -> Vec<StepInterval> {
    let mut beside: Vec<usize> =
        mixture.components().iter().flat_map(Component::courses).flat_map(|c| c.jumps()).collect();
    beside.sort_unstable();
    beside.dedup();
    let near = |step: usize| {
        beside.binary_search(&step).is_ok() || beside.binary_search(&(step + 1)).is_ok()
    };
    let rows = known.iter().copied().filter(|(step, _)| *step >= mixture.span().first);
    let (jumping, calm): (Vec<StepInterval>, Vec<StepInterval>) =
        rows.partition(|(step, _)| near(*step));
    let mut out = Vec::new();
    for part in [jumping, calm] {
        out.extend(part.iter().step_by(part.len().div_ceil(STEPS).max(1)).copied());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::{Course, Span};

    /// A weight that jumps from 0.5 to −0.5, nobody knows quite when.
    fn jumping() -> Mixture {
        let part = |at: usize| Component {
            share: (-0.5 * ((at as f64 - 100.0) / 4.0).powi(2)).exp(),
            course: Course::Jumps(vec![at]),
            later: Vec::new(),
            mean: vec![0.5, -1.0],
            factor: vec![0.05, 0.0, 0.0, 0.05],
        };
        Mixture::new(Span { first: 1, steps: 200 }, (86..=114).map(part).collect()).unwrap()
    }

    #[test]
    fn paths_that_jump_elsewhere_stay_inside() {
        let (mixture, steps) = (jumping(), 200);
        let at = |step: usize| mixture.interval(step, 0.95);
        let known: Vec<StepInterval> = (0..steps).map(|step| (step, at(step))).collect();
        let path = whole_path(&mixture, &known, 0.95, 1);
        assert!(path.within > 0 && path.factor < LARGE, "{path:?}");
        let all: Vec<usize> = (1..steps).collect();
        let bounds: Vec<(f64, f64)> = all.iter().map(|step| path.at(*step, steps, at)).collect();
        let paths = drawn(&mixture, &all, 2);
        let inside =
            |path: &&[f64]| path.iter().zip(&bounds).all(|(x, (low, high))| low <= x && x <= high);
        let (held, total) =
            (paths.chunks(all.len()).filter(inside).count(), paths.len() / all.len());
        assert!(held * 100 >= total * 90, "{held} of {total}");
        // Far from the jump it is a band around one level.
        assert!(bounds[20].0 > 0.2 && bounds[180].1 < -0.2, "{:?} {:?}", bounds[20], bounds[180]);
    }

    #[test]
    fn a_weight_that_stays_needs_no_time() {
        let (course, later) = (Course::Static, Vec::new());
        let part = Component { share: 1.0, course, later, mean: vec![0.4], factor: vec![0.1] };
        let mixture = Mixture::new(Span { first: 0, steps: 50 }, vec![part]).unwrap();
        let known: Vec<StepInterval> =
            (0..50).map(|step| (step, mixture.interval(step, 0.95))).collect();
        let path = whole_path(&mixture, &known, 0.95, 3);
        assert_eq!(path.within, 0);
        assert!((path.factor - 1.0).abs() < 0.2, "{path:?}");
    }
}
