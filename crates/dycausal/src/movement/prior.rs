//! What is thought of a weight before the data are seen: classes of models, and their members.
//!
//! Everything is in units of sd(effect) / sd(cause), so that no change of units touches it.

use super::course::{DEGREE, frequency};

/// Classes of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MotionClass {
    Static,
    Polynomial,
    Smooth,
    Jump,
    TwoJumps,
    From,
    Until,
    Between,
    SmoothJump,
}

/// Edges that the prior probabilities of classes are worth, beside those of a graph.
const WORTH: f64 = 8.0;

/// Rounds in which they are learned.
const ROUNDS: usize = 30;

/// Probabilities of classes before the data of an edge are seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Masses([f64; CLASSES]);

/// How many classes there are.
const CLASSES: usize = 9;

impl Default for Masses {
    fn default() -> Self {
        Self(MotionClass::ALL.map(MotionClass::mass))
    }
}

impl Masses {
    /// Learned from the edges of a graph: how likely each is to be of each class. Where most edges
    /// drift, one of which little is known more likely drifts as well.
    ///
    /// m ∝ WORTH · prior + Σ_e r_e, r_e ∝ m / prior · (shares of e under the prior), in turns.
    pub fn learned(edges: &[Self]) -> Self {
        let prior = Self::default();
        let mut masses = prior;
        for _ in 0..ROUNDS {
            let mut seen = prior.0.map(|mass| WORTH * mass);
            for edge in edges {
                let odds: [f64; CLASSES] =
                    std::array::from_fn(|c| edge.0[c] * masses.0[c] / prior.0[c]);
                let total: f64 = odds.iter().sum();
                // One of which nothing is known says nothing.
                if total > 0.0 {
                    seen.iter_mut().zip(odds).for_each(|(sum, odds)| *sum += odds / total);
                }
            }
            let total: f64 = seen.iter().sum();
            masses = Self(seen.map(|sum| sum / total));
        }
        masses
    }

    /// Shares of classes of one edge.
    pub(super) fn of(shares: impl Iterator<Item = (MotionClass, f64)>) -> Self {
        let mut masses = Self([0.0; CLASSES]);
        shares.for_each(|(class, share)| masses.0[class as usize] += share);
        masses
    }

    /// Of edges that a search along slow functions did not see: what stays or drifts slowly it would have
    /// seen, so that most of them are there for a while, or turn.
    pub(super) fn unseen() -> Self {
        Self(MotionClass::ALL.map(|class| match class {
            MotionClass::Polynomial | MotionClass::Jump | MotionClass::TwoJumps => 0.10,
            MotionClass::Smooth | MotionClass::Between => 0.25,
            MotionClass::Static
            | MotionClass::From
            | MotionClass::Until
            | MotionClass::SmoothJump => 0.05,
        }))
    }

    /// What the log of prior times evidence of a class changes by.
    pub(super) fn log_ratio(&self, class: MotionClass) -> f64 {
        (self.0[class as usize] / class.mass()).max(1e-6).ln()
    }
}

impl MotionClass {
    /// All of them, in order.
    const ALL: [Self; CLASSES] = [
        Self::Static,
        Self::Polynomial,
        Self::Smooth,
        Self::Jump,
        Self::TwoJumps,
        Self::From,
        Self::Until,
        Self::Between,
        Self::SmoothJump,
    ];

    /// Prior probability.
    pub fn mass(self) -> f64 {
        match self {
            Self::Static => 0.40,
            Self::Polynomial => 0.13,
            Self::Smooth => 0.15,
            Self::Jump => 0.08,
            Self::TwoJumps | Self::From | Self::Until => 0.05,
            Self::Between => 0.03,
            Self::SmoothJump => 0.06,
        }
    }
}

/// Standard deviations of the coefficients of polynomials.
pub(super) const POLYNOMIAL: [f64; 3] = [0.1, 0.3, 1.0];
/// Standard deviations of jumps.
pub(super) const JUMP: [f64; 3] = [0.15, 0.4, 1.0];
/// Standard deviations of smooth courses.
const SMOOTH: [f64; 6] = [0.03, 0.06, 0.12, 0.25, 0.5, 1.0];
/// Lengths, in those of the series, over which smooth courses are alike.
const SMOOTH_LENGTHS: [f64; 7] = [0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.0];

/// How many lengths smooth courses have.
pub(super) const LENGTHS: usize = SMOOTH_LENGTHS.len();
/// How many sizes smooth courses have.
pub(super) const SIZES: usize = SMOOTH.len();
/// How many smooth courses there are, for each smoothness and length one of every size.
pub(super) const SMOOTH_MEMBERS: usize = 3 * LENGTHS * SIZES;

/// Degrees of polynomials with their standard deviations.
pub(super) fn polynomial_members() -> impl Iterator<Item = (usize, f64)> {
    (1..=DEGREE).flat_map(|degree| POLYNOMIAL.map(|sd| (degree, sd)))
}

/// Variances of the coefficients of cosines 1, 2, … of every smooth course: spectral densities of
/// Matérn processes with ν = ½, 3/2, 5/2.
pub(super) fn smooth_members(count: usize) -> Vec<Vec<f64>> {
    let mut all = Vec::with_capacity(SMOOTH_MEMBERS);
    for smoothness in 0..3 {
        for length in SMOOTH_LENGTHS {
            let density: Vec<f64> = (1..count).map(|k| density(smoothness, length, k)).collect();
            for sd in SMOOTH {
                all.push(density.iter().map(|s| sd * sd * s).collect());
            }
        }
    }
    all
}

/// The spectral density at cosine k, over the length that cosines live on.
fn density(smoothness: usize, length: f64, k: usize) -> f64 {
    let (omega, over) = (frequency(k), frequency(1) / std::f64::consts::PI);
    let rate = (2.0 * smoothness as f64 + 1.0).sqrt() / length;
    let below = rate * rate + omega * omega;
    over * match smoothness {
        0 => 2.0 * rate / below,
        1 => 4.0 * rate.powi(3) / below.powi(2),
        _ => 16.0 / 3.0 * rate.powi(5) / below.powi(3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_make_up_everything() {
        for masses in [Masses::default(), Masses::unseen()] {
            assert!((masses.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_most_edges_do_is_likelier_for_all() {
        let drifting =
            Masses::of([(MotionClass::Static, 0.2), (MotionClass::Smooth, 0.8)].into_iter());
        let (few, many) = (Masses::learned(&[drifting; 2]), Masses::learned(&[drifting; 200]));
        let smooth = |masses: &Masses| masses.0[MotionClass::Smooth as usize];
        assert!(
            smooth(&few) > MotionClass::Smooth.mass() && smooth(&many) > 0.9,
            "{few:?} {many:?}"
        );
        let (none, prior) = (Masses::learned(&[]), Masses::default());
        assert!(none.0.iter().zip(prior.0).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn spectral_densities_add_up_to_the_variance() {
        // Twice the sum over all cosines, and once the constant, is the variance at a place.
        for smoothness in 0..3 {
            let total: f64 = (1..200_000).map(|k| density(smoothness, 0.1, k)).sum();
            let constant = density(smoothness, 0.1, 0) / 2.0;
            assert!((total + constant - 1.0).abs() < 0.01, "{smoothness} {total} {constant}");
        }
    }
}
