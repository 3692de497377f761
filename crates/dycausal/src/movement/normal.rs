//! Quantiles of mixtures of Gaussians.

/// A Gaussian with a share of a mixture; a single point where it does not deviate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
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

/// The number below which a mixture lies with probability `p`.
pub(super) fn quantile(parts: &[Part], p: f64) -> f64 {
    // Where a point is the quantile, it is so exactly.
    for point in parts.iter().filter(|part| part.deviation == 0.0) {
        let (below, at) = around(parts, point.mean);
        if below < p && p <= at {
            return point.mean;
        }
    }
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    for part in parts {
        low = low.min(part.mean - END * part.deviation);
        high = high.max(part.mean + END * part.deviation);
    }
    let (mut at_low, mut at_high) = (-p, 1.0 - p);
    let scale = high - low;
    if !scale.is_finite() {
        return f64::NAN; // as a number of the mixture is
    }
    // Where one Gaussian with the same mean and variance would have it.
    let mean = parts.iter().map(|part| part.share * part.mean).sum::<f64>();
    let square = |part: &Part| part.share * (part.deviation.powi(2) + (part.mean - mean).powi(2));
    let spread = parts.iter().map(square).sum::<f64>().sqrt();
    let mut x = (mean + spread * rough(p)).clamp(low, high);
    let mut side = 0;
    for _ in 0..STEPS {
        let (value, slope) = distribution(parts, x);
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

/// About the quantile of the standard Gaussian (Shore 1982).
fn rough(p: f64) -> f64 {
    let upper = |p: f64| 5.5556 * (1.0 - ((1.0 - p) / p).powf(0.1186));
    if p >= 0.5 { upper(p) } else { -upper(1.0 - p) }
}

/// The probability of less than x, and of at most x.
fn around(parts: &[Part], x: f64) -> (f64, f64) {
    let (mut below, mut at) = (0.0, 0.0);
    for part in parts {
        if part.deviation == 0.0 {
            below += if part.mean < x { part.share } else { 0.0 };
            at += if part.mean <= x { part.share } else { 0.0 };
        } else {
            let probability = part.share * cumulative((x - part.mean) / part.deviation).0;
            below += probability;
            at += probability;
        }
    }
    (below, at)
}

/// The probability of at most x, and its derivative.
fn distribution(parts: &[Part], x: f64) -> (f64, f64) {
    let (mut total, mut slope) = (0.0, 0.0);
    for part in parts {
        if part.deviation == 0.0 {
            total += if part.mean <= x { part.share } else { 0.0 };
        } else {
            let (probability, density) = cumulative((x - part.mean) / part.deviation);
            total += part.share * probability;
            slope += part.share * density / part.deviation;
        }
    }
    (total, slope)
}

/// Φ and φ of the standard Gaussian, Φ to fifteen digits (West 2005, after Hart 1968).
#[allow(clippy::excessive_precision, clippy::unreadable_literal)] // as published
fn cumulative(x: f64) -> (f64, f64) {
    let size = x.abs();
    if size > 37.0 {
        return (if x > 0.0 { 1.0 } else { 0.0 }, 0.0);
    }
    let bell = (-0.5 * size * size).exp();
    let tail = if size < 7.07106781186547 {
        let above = [
            0.0352624965998911,
            0.700383064443688,
            6.37396220353165,
            33.912866078383,
            112.079291497871,
            221.213596169931,
            220.206867912376,
        ];
        let below = [
            0.0883883476483184,
            1.75566716318264,
            16.064177579207,
            86.7807322029461,
            296.564248779674,
            637.333633378831,
            793.826512519948,
            440.413735824752,
        ];
        let polynomial = |c: &[f64]| c.iter().fold(0.0, |sum, c| sum * size + c);
        bell * polynomial(&above) / polynomial(&below)
    } else {
        let build = size + 1.0 / (size + 2.0 / (size + 3.0 / (size + 4.0 / (size + 0.65))));
        bell / build / 2.506628274631
    };
    let density = bell * 0.398_942_280_401_432_7;
    (if x > 0.0 { 1.0 - tail } else { tail }, density)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;

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
        let parts = [Part { share: 1.0, mean: 0.3, deviation: 2.0 }];
        for p in [0.001, 0.025, 0.5, 0.9, 0.999] {
            assert!((quantile(&parts, p) - law.inverse_cdf(p)).abs() < 1e-8, "{p}");
        }
    }

    #[test]
    fn a_point_that_holds_the_median_is_the_median() {
        let parts = [
            Part { share: 0.6, mean: 0.0, deviation: 0.0 },
            Part { share: 0.4, mean: 1.0, deviation: 0.1 },
        ];
        assert_eq!(quantile(&parts, 0.5), 0.0);
        assert_eq!(quantile(&parts, 0.025), 0.0);
        assert!(quantile(&parts, 0.8) > 0.9);
    }

    #[test]
    fn a_number_that_is_none_has_no_quantile() {
        for mean in [f64::NAN, f64::INFINITY] {
            let parts = [Part { share: 1.0, mean, deviation: 1.0 }];
            assert!(quantile(&parts, 0.5).is_nan());
        }
    }

    fn parts() -> impl Strategy<Value = Vec<Part>> {
        let deviation = prop_oneof![Just(0.0), 1e-6..3.0f64];
        let part = (0.01..1.0f64, -5.0..5.0f64, deviation);
        prop::collection::vec(part, 1..12).prop_map(|parts| {
            let total: f64 = parts.iter().map(|part| part.0).sum();
            let part = |(share, mean, deviation)| Part { share: share / total, mean, deviation };
            parts.into_iter().map(part).collect()
        })
    }

    proptest! {
        #[test]
        fn quantiles_are_where_the_distribution_says(parts in parts(), p in 0.001..0.999f64) {
            let x = quantile(&parts, p);
            let (below, _) = around(&parts, x - 1e-7);
            let (_, at) = around(&parts, x + 1e-7);
            prop_assert!(below <= p + 1e-9 && p <= at + 1e-9, "{below} {p} {at}");
        }

        #[test]
        fn quantiles_increase(parts in parts(), p in 0.01..0.5f64) {
            prop_assert!(quantile(&parts, p) <= quantile(&parts, 1.0 - p) + 1e-12);
        }
    }
}
