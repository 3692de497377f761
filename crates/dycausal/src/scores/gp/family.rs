//! Families of covariances, and what their parameters are.
//!
//! Inputs have standard deviation 1, and each has a relevance w_j ≥ 0 that counts as w_j²; at 0 it does
//! nothing. Then come log s_f², the size of the function, log s_n², that of the noise, and what a family has
//! of its own.

use serde::{Deserialize, Serialize};

/// How a function may bend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Covariance {
    /// s_f² (Σ_j λ_j k_j + ρ Σ_{j<k} λ_j λ_k k_j k_k), k_j = exp(−Δ_j²/2ℓ²): functions of one input each, and of pairs.
    Sums,
    /// s_f² asin(2S_ab / √((1 + 2S_aa)(1 + 2S_bb))), S_ab = b + Σ_j λ_j z_aj z_bj: networks of sigmoids without end.
    Arcsine,
    /// s_f² exp(−r²/2), r² = Σ_j λ_j Δ_j²: smooth functions of all inputs together.
    Smooth,
    /// s_f² (1 + √5 r + 5r²/3) exp(−√5 r): rougher ones (Matérn, ν = 5/2).
    Rough,
    /// s_l² Σ_j λ_j z_aj z_bj + s_f² exp(−r²/2): a plane with dents.
    LinearAndSmooth,
}

/// Relevance up to which inputs go.
const MOST_RELEVANT: f64 = 4.5;

impl Covariance {
    /// All, the cheapest to learn from first.
    pub const ALL: [Self; 5] =
        [Self::Sums, Self::Arcsine, Self::Smooth, Self::LinearAndSmooth, Self::Rough];

    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sums => "sums and products",
            Self::Arcsine => "arcsine",
            Self::Smooth => "smooth",
            Self::Rough => "rough",
            Self::LinearAndSmooth => "linear and smooth",
        }
    }

    /// Whether its inputs are counted from 0 of the data.
    pub(super) fn needs_zero(self) -> bool {
        self == Self::Arcsine
    }

    /// Where a search begins; the target has variance 1.
    pub fn start(self, inputs: usize) -> Vec<f64> {
        let many = inputs.max(1) as f64;
        let relevance = match self {
            Self::Arcsine => 0.2,
            Self::Sums => (1.0 / many).min(0.5),
            Self::Smooth | Self::Rough | Self::LinearAndSmooth => (2.0 / many).min(0.2),
        };
        let mut out = vec![f64::sqrt(relevance); inputs];
        out.extend([2f64.ln(), 0.3f64.ln()]);
        out.extend(match self {
            Self::Smooth | Self::Rough => vec![],
            Self::Arcsine => vec![0.1f64.ln()],
            Self::LinearAndSmooth => vec![1f64.ln()],
            Self::Sums => vec![1f64.ln(), 0.05f64.ln()],
        });
        out
    }

    /// The least and the largest value of each parameter.
    pub fn bounds(self, inputs: usize) -> Vec<(f64, f64)> {
        let mut out = vec![(0.0, MOST_RELEVANT); inputs];
        out.extend([(-5.0, 9.0), (0.001f64.ln(), 2f64.ln())]);
        out.extend(match self {
            Self::Smooth | Self::Rough => vec![],
            Self::Arcsine => vec![(-8.0, 4.0)],
            Self::LinearAndSmooth => vec![(-8.0, 5.0)],
            Self::Sums => vec![(0.1f64.ln(), 5f64.ln()), (-8.0, 2.0)],
        });
        out
    }

    /// The covariance of the function at two points, without noise.
    pub(super) fn between(self, parameters: &[f64], a: &Place, b: &Place) -> f64 {
        let (w, rest) = parameters.split_at(a.z.len());
        let size = rest[0].exp();
        let product = || -> f64 { a.weighed.iter().zip(&b.z).map(|(x, y)| x * y).sum() };
        let square = |product: f64| (a.own + b.own - 2.0 * product).max(0.0);
        match self {
            Self::Arcsine => {
                let bias = rest[2].exp();
                let own = |place: &Place| 1.0 + 2.0 * (bias + place.own);
                let u = 2.0 * (bias + product()) / (own(a) * own(b)).sqrt();
                size * u.clamp(-1.0, 1.0).asin()
            }
            Self::Smooth => size * (-0.5 * square(product())).exp(),
            Self::Rough => {
                let r = (5.0 * square(product())).sqrt();
                size * (1.0 + r + r * r / 3.0) * (-r).exp()
            }
            Self::LinearAndSmooth => {
                let product = product();
                rest[2].exp() * product + size * (-0.5 * square(product)).exp()
            }
            Self::Sums => {
                let (length, pairs) = (rest[2].exp(), rest[3].exp());
                let (mut first, mut squares) = (0.0, 0.0);
                for (w, (x, y)) in w.iter().zip(a.z.iter().zip(&b.z)) {
                    let part = w * w * (-0.5 * ((x - y) / length).powi(2)).exp();
                    first += part;
                    squares += part * part;
                }
                size * (first + pairs * 0.5 * (first * first - squares))
            }
        }
    }
}

/// A point, with what covariances need of it alone.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Where it is.
    pub z: Vec<f64>,
    /// λ_j z_j.
    weighed: Vec<f64>,
    /// Σ_j λ_j z_j².
    own: f64,
}

impl Place {
    /// A point, given relevances and the parameters after them.
    pub fn new(parameters: &[f64], z: Vec<f64>) -> Self {
        let weighed: Vec<f64> = z.iter().zip(parameters).map(|(z, w)| w * w * z).collect();
        let own = weighed.iter().zip(&z).map(|(x, z)| x * z).sum();
        Self { z, weighed, own }
    }
}
