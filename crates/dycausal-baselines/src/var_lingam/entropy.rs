//! How far a residual is from Gaussian: Hyvärinen's approximation of entropy, for two residuals at
//! once.

use dycausal::internals::vectors::{Kernel, LANES, exponential, vectorised};

/// Factors of at most 2 that are multiplied before a logarithm is taken.
const FACTORS: usize = 512;

/// Means of log cosh u and u e^{−u²/2}: all that the entropy of a standardised u is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Means {
    log_cosh: f64,
    odd: f64,
}

impl Means {
    /// H(u) = (1 + log 2π)/2 − k₁ (E log cosh u − γ)² − k₂ (E u e^{−u²/2})².
    fn entropy(self) -> f64 {
        const K1: f64 = 79.047;
        const K2: f64 = 7.4129;
        const GAMMA: f64 = 0.37457;
        let gaussian = f64::midpoint(1.0, (2.0 * std::f64::consts::PI).ln());
        gaussian - K1 * (self.log_cosh - GAMMA).powi(2) - K2 * self.odd.powi(2)
    }
}

/// The entropy of a standardised column.
pub(super) fn entropy(u: &[f64]) -> f64 {
    let [means, _] = vectorised::<Sums, _>((u, u, 0.0, 1.0));
    means.entropy()
}

/// The entropies of the standardised residuals of x on y and of y on x, both standardised and with
/// correlation ρ: u = (x − ρ y) / √(1 − ρ²).
pub(super) fn of_residuals(x: &[f64], y: &[f64], correlation: f64) -> (f64, f64) {
    let left = (1.0 - correlation * correlation).max(f64::MIN_POSITIVE);
    let [first, second] = vectorised::<Sums, _>((x, y, correlation, 1.0 / left.sqrt()));
    (first.entropy(), second.entropy())
}

struct Sums;

/// Running sums of one residual, lane by lane.
#[derive(Clone, Copy)]
struct Running {
    size: [f64; LANES],
    product: [f64; LANES],
    odd: [f64; LANES],
}

impl Running {
    const NEW: Self = Self { size: [0.0; LANES], product: [1.0; LANES], odd: [0.0; LANES] };

    /// log cosh u = |u| + log(1 + e^{−2|u|}) − log 2; the logarithm is taken of many factors at once.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::needless_range_loop)] // lanes side by side
    fn add(&mut self, u: &[f64; LANES]) {
        for lane in 0..LANES {
            let size = u[lane].abs();
            self.size[lane] += size;
            self.product[lane] *= 1.0 + exponential(-2.0 * size);
            self.odd[lane] += u[lane] * exponential(-0.5 * u[lane] * u[lane]);
        }
    }
}

impl Kernel<(&[f64], &[f64], f64, f64)> for Sums {
    type Output = [Means; 2];

    #[inline(always)]
    #[allow(clippy::inline_always)] // inlined into code compiled for the vectors of this machine
    fn run((x, y, rho, scale): (&[f64], &[f64], f64, f64)) -> [Means; 2] {
        let count = x.len() as f64;
        let mut sums = [(0.0, 0.0); 2];
        for (x, y) in x.chunks(LANES * FACTORS).zip(y.chunks(LANES * FACTORS)) {
            let mut running = [Running::NEW; 2];
            let (whole, rest) = x.as_chunks::<LANES>();
            let (other, last) = y.as_chunks::<LANES>();
            let mut residuals = |a: &[f64; LANES], b: &[f64; LANES]| {
                let mut first = [0.0; LANES];
                let mut second = [0.0; LANES];
                for lane in 0..LANES {
                    first[lane] = (a[lane] - rho * b[lane]) * scale;
                    second[lane] = (b[lane] - rho * a[lane]) * scale;
                }
                running[0].add(&first);
                running[1].add(&second);
            };
            for (a, b) in whole.iter().zip(other) {
                residuals(a, b);
            }
            let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
            a[..rest.len()].copy_from_slice(rest);
            b[..last.len()].copy_from_slice(last);
            if !rest.is_empty() {
                residuals(&a, &b);
            }
            // Lanes beyond the end are zeros: they add log 2 to the logarithms and nothing else.
            let beyond = if rest.is_empty() { 0.0 } else { (LANES - rest.len()) as f64 };
            for (sum, part) in sums.iter_mut().zip(&running) {
                let logs: f64 = part.product.iter().map(|p| p.ln()).sum();
                sum.0 += part.size.iter().sum::<f64>() + logs - beyond * std::f64::consts::LN_2;
                sum.1 += part.odd.iter().sum::<f64>();
            }
        }
        sums.map(|(log_cosh, odd)| Means {
            log_cosh: log_cosh / count - std::f64::consts::LN_2,
            odd: odd / count,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(u: &[f64]) -> f64 {
        let count = u.len() as f64;
        let log_cosh = u.iter().map(|u| u.cosh().ln()).sum::<f64>() / count;
        let odd = u.iter().map(|u| u * (-u * u / 2.0).exp()).sum::<f64>() / count;
        Means { log_cosh, odd }.entropy()
    }

    proptest! {
        #[test]
        fn entropies_are_those_of_the_formula(u in prop::collection::vec(-6.0..6.0f64, 1..40)) {
            prop_assert!((entropy(&u) - plain(&u)).abs() < 1e-11);
        }
    }

    #[test]
    fn long_columns_and_residuals() {
        let x: Vec<f64> = (0..9001).map(|k| crate::golden::noise(k) * 3.0).collect();
        let y: Vec<f64> = (0..9001).map(|k| crate::golden::noise(k + 50_000) * 3.0).collect();
        let residual = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| (a - 0.3 * b) / (1.0f64 - 0.09).sqrt()).collect()
        };
        let (first, second) = of_residuals(&x, &y, 0.3);
        assert!((first - plain(&residual(&x, &y))).abs() < 1e-10);
        assert!((second - plain(&residual(&y, &x))).abs() < 1e-10);
    }
}
