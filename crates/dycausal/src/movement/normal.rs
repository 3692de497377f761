//! Quantiles of mixtures of Gaussians.

use crate::vectors::{Kernel, LANES, exponential, vectorised};

/// A Gaussian with a share of a mixture; a single point where it does not deviate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GaussianShare {
    /// Its share.
    pub share: f64,
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// Steps of the search for a quantile, at most.
const STEPS: usize = 100;
/// How near a probability has to be for one more step to be the last.
const NEAR: f64 = 1e-7;
/// Standard deviations beyond which nothing is left of a Gaussian.
const END: f64 = 9.0;

/// A mixture, ready to be asked for several quantiles.
#[derive(Debug, Default)]
pub(super) struct Law {
    /// Of Gaussians, with nothing behind the last to make up whole vectors.
    shares: Vec<f64>,
    means: Vec<f64>,
    /// One over their deviations.
    rates: Vec<f64>,
    /// Single points with their shares.
    points: Vec<(f64, f64)>,
    /// Where everything lies.
    low: f64,
    high: f64,
    /// The mean and the deviation of all of it.
    mean: f64,
    spread: f64,
}

impl Law {
    /// Of these parts.
    pub fn of(parts: &[GaussianShare]) -> Self {
        let (mut low, mut high, mut mean) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for part in parts {
            low = low.min(part.mean - END * part.deviation);
            high = high.max(part.mean + END * part.deviation);
            mean += part.share * part.mean;
        }
        let square = |part: &GaussianShare| {
            part.share * (part.deviation.powi(2) + (part.mean - mean).powi(2))
        };
        let spread = parts.iter().map(square).sum::<f64>().sqrt();
        let gaussian = || parts.iter().filter(|part| part.deviation != 0.0);
        let points = parts.iter().filter(|part| part.deviation == 0.0);
        let points = points.map(|part| (part.mean, part.share)).collect();
        let whole = gaussian().count().next_multiple_of(LANES);
        let padded = |of: fn(&GaussianShare) -> f64| {
            let mut values = Vec::with_capacity(whole);
            values.extend(gaussian().map(of));
            values.resize(whole, 0.0);
            values
        };
        let shares = padded(|part| part.share);
        let means = padded(|part| part.mean);
        let rates = padded(|part| 1.0 / part.deviation);
        Self { shares, means, rates, points, low, high, mean, spread }
    }

    /// The number below which the mixture lies with probability `p`.
    pub fn quantile(&self, p: f64) -> f64 {
        // Where a point is the quantile, it is so exactly.
        for (place, _) in &self.points {
            let (below, at) = self.around(*place);
            if below < p && p <= at {
                return *place;
            }
        }
        let (mut low, mut high) = (self.low, self.high);
        let (mut at_low, mut at_high) = (-p, 1.0 - p);
        let scale = high - low;
        if !scale.is_finite() {
            return f64::NAN; // as a number of the mixture is
        }
        // Where one Gaussian with the same mean and variance would have it.
        let mut x = (self.mean + self.spread * rough(p)).clamp(low, high);
        let mut side = 0;
        for _ in 0..STEPS {
            let (value, slope) = self.distribution(x);
            let gap = value - p;
            if gap.abs() < 1e-12 || high - low < 1e-14 * scale {
                break;
            }
            if gap < 0.0 {
                (low, at_low) = (x, gap);
                if side == -1 {
                    at_high /= 2.0;
                }
                side = -1;
            } else {
                (high, at_high) = (x, gap);
                if side == 1 {
                    at_low /= 2.0;
                }
                side = 1;
            }
            // Newton where it stays inside, else the false position.
            let newton = x - gap / slope;
            let close = gap.abs() < NEAR && (newton - x).abs() < 10.0 * NEAR * scale;
            if close && slope > 0.0 && newton > low && newton < high {
                // What is left after one more step is a small part of this.
                return newton;
            }
            x = if slope > 0.0
                && newton > low
                && newton < high
                && (newton - x).abs() < 0.5 * (high - low)
            {
                newton
            } else {
                let cut = low + (high - low) * at_low / (at_low - at_high);
                if cut > low && cut < high { cut } else { f64::midpoint(low, high) }
            };
        }
        x
    }

    /// The probability of less than x, and of at most x.
    fn around(&self, x: f64) -> (f64, f64) {
        let (total, _) = self.gaussian(x);
        let (mut below, mut at) = (total, total);
        for (place, share) in &self.points {
            below += if *place < x { *share } else { 0.0 };
            at += if *place <= x { *share } else { 0.0 };
        }
        (below, at)
    }

    /// The probability of at most x, and its derivative.
    fn distribution(&self, x: f64) -> (f64, f64) {
        let (total, slope) = self.gaussian(x);
        let points = self.points.iter().filter(|(place, _)| *place <= x);
        (total + points.map(|(_, share)| share).sum::<f64>(), slope)
    }

    /// The same of what is no point.
    fn gaussian(&self, x: f64) -> (f64, f64) {
        vectorised::<Distribution, _>((self, x))
    }
}

/// About the quantile of the standard Gaussian (Shore 1982).
fn rough(p: f64) -> f64 {
    let upper = |p: f64| 5.5556 * (1.0 - ((1.0 - p) / p).powf(0.1186));
    if p >= 0.5 { upper(p) } else { -upper(1.0 - p) }
}

/// Σ share Φ((x − mean) / deviation), and its derivative.
struct Distribution;

impl Kernel<(&Law, f64)> for Distribution {
    type Output = (f64, f64);

    #[inline(always)]
    #[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
    fn run((law, x): (&Law, f64)) -> (f64, f64) {
        let (mut totals, mut slopes) = ([0.0; LANES], [0.0; LANES]);
        let (shares, _) = law.shares.as_chunks::<LANES>();
        let (means, _) = law.means.as_chunks::<LANES>();
        let (rates, _) = law.rates.as_chunks::<LANES>();
        for ((share, mean), rate) in shares.iter().zip(means).zip(rates) {
            for lane in 0..LANES {
                let (probability, density) = cumulative((x - mean[lane]) * rate[lane]);
                totals[lane] += share[lane] * probability;
                slopes[lane] += share[lane] * density * rate[lane];
            }
        }
        (totals.iter().sum(), slopes.iter().sum())
    }
}

/// Φ and φ of the standard Gaussian, Φ to fifteen digits where it matters (West 2005, after Hart 1968): far out
/// its fraction tends to that of the tail.
#[inline(always)]
#[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
#[allow(clippy::excessive_precision, clippy::unreadable_literal)] // as published
fn cumulative(x: f64) -> (f64, f64) {
    let size = x.abs();
    let bell = exponential(-0.5 * size * size);
    let mut above = 0.0352624965998911;
    for c in [
        0.700383064443688,
        6.37396220353165,
        33.912866078383,
        112.079291497871,
        221.213596169931,
        220.206867912376,
    ] {
        above = above * size + c;
    }
    let mut below = 0.0883883476483184;
    for c in [
        1.75566716318264,
        16.064177579207,
        86.7807322029461,
        296.564248779674,
        637.333633378831,
        793.826512519948,
        440.413735824752,
    ] {
        below = below * size + c;
    }
    let tail = bell * above / below;
    let density = bell * 0.398_942_280_401_432_7;
    (if x > 0.0 { 1.0 - tail } else { tail }, density)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;

    fn quantile(parts: &[GaussianShare], p: f64) -> f64 {
        Law::of(parts).quantile(p)
    }

    #[test]
    fn the_distribution_is_that_of_another_library() {
        let law = Normal::standard();
        for k in -100..=100 {
            let x = f64::from(k) * 0.09;
            assert!((cumulative(x).0 - law.cdf(x)).abs() < 1e-10, "{x}");
        }
    }

    #[test]
    fn one_gaussian_has_its_own_quantiles() {
        let law = Normal::new(0.3, 2.0).unwrap();
        let parts = [GaussianShare { share: 1.0, mean: 0.3, deviation: 2.0 }];
        for p in [0.001, 0.025, 0.5, 0.9, 0.999] {
            assert!((quantile(&parts, p) - law.inverse_cdf(p)).abs() < 1e-8, "{p}");
        }
    }

    #[test]
    fn a_point_that_holds_the_median_is_the_median() {
        let parts = [
            GaussianShare { share: 0.6, mean: 0.0, deviation: 0.0 },
            GaussianShare { share: 0.4, mean: 1.0, deviation: 0.1 },
        ];
        assert_eq!(quantile(&parts, 0.5), 0.0);
        assert_eq!(quantile(&parts, 0.025), 0.0);
        assert!(quantile(&parts, 0.8) > 0.9);
    }

    #[test]
    fn a_number_that_is_none_has_no_quantile() {
        for mean in [f64::NAN, f64::INFINITY] {
            let parts = [GaussianShare { share: 1.0, mean, deviation: 1.0 }];
            assert!(quantile(&parts, 0.5).is_nan());
        }
    }

    fn parts() -> impl Strategy<Value = Vec<GaussianShare>> {
        let deviation = prop_oneof![Just(0.0), 1e-6..3.0f64];
        let part = (0.01..1.0f64, -5.0..5.0f64, deviation);
        prop::collection::vec(part, 1..12).prop_map(|parts| {
            let total: f64 = parts.iter().map(|part| part.0).sum();
            let part =
                |(share, mean, deviation)| GaussianShare { share: share / total, mean, deviation };
            parts.into_iter().map(part).collect()
        })
    }

    proptest! {
        #[test]
        fn quantiles_are_where_the_distribution_says(parts in parts(), p in 0.001..0.999f64) {
            let x = quantile(&parts, p);
            let law = Law::of(&parts);
            let (below, _) = law.around(x - 1e-7);
            let (_, at) = law.around(x + 1e-7);
            prop_assert!(below <= p + 1e-9 && p <= at + 1e-9, "{below} {p} {at}");
        }

        #[test]
        fn quantiles_increase(parts in parts(), p in 0.01..0.5f64) {
            prop_assert!(quantile(&parts, p) <= quantile(&parts, 1.0 - p) + 1e-12);
        }
    }
}
