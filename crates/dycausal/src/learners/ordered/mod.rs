//! The ordered engine: a causal order by a scale-free score, and sparse regressions in it.

mod augment;
mod basis_size;
mod candidates;
mod construct;
mod engine;
mod forward;
mod insertion;
mod local;
mod moves;
mod noise;
mod output;
mod pipeline;
mod problem;
mod refit;
mod score;
mod scratch;
mod search;
mod settings;
mod shrink;
mod split;
mod stability;
mod state;
#[cfg(test)]
mod tests;
mod undirected;

use serde::{Deserialize, Serialize};

pub use settings::{Count, Family, Word};

use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Described, Discover, Parameter, Run, Scope};
use crate::panel::Panel;

/// Learns a causal order and how the weights in it move.
///
/// Given an order, a linear model whose weights move is a regression of each variable on its
/// predecessors and lags with coefficients on a basis in time. Under the right order these
/// regressions are sparse, smooth, and have noise of stable variance (and, where it is not
/// Gaussian, of clear shape); a wrong order needs more and wilder coefficients. The search lowers
///
/// Σ_i min{ n log s²_i, Σ_k n_k log s²_ik + (K − 1) log n } + B log n · |parents_i| − 2 n J_i,
///
/// which no change of units touches.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | 0 or more |
/// | `basis` | `legendre` | functions along which weights move | `legendre`, `hat`, `b_spline`, `step`, `constant` |
/// | `basis_size` | `auto` | how many of them | 1 to 16, or `auto`: by score |
/// | `non_gaussian` | true | whether the shape of the noise counts | true, false |
/// | `bands` | true | whether edges get bands and tests | true, false |
/// | `level` | 0.95 | how often a band holds the truth | between 0 and 1 |
/// | `threshold` | 0 | weight that an edge has to exceed to be certain | 0 or more |
/// | `order_changes` | `none` | whether the order may change once | `none`, 1, or `auto`: by score |
/// | `resamples` | 0 | halves of the data in which edges are sought again | 0 or more |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordered {
    /// Longest lag.
    pub lag: usize,
    /// Functions along which weights move.
    pub basis: Family,
    /// How many of them.
    pub basis_size: Count,
    /// Whether the shape of the noise counts.
    pub non_gaussian: bool,
    /// Whether edges get bands and tests.
    pub bands: bool,
    /// How often a band holds the truth.
    pub level: f64,
    /// Weight that an edge has to exceed to be certain.
    pub threshold: f64,
    /// Whether the order may change.
    pub order_changes: Count,
    /// Halves of the data in which edges are sought again.
    pub resamples: usize,
}

impl Default for Ordered {
    fn default() -> Self {
        Self {
            lag: 1,
            basis: Family::Legendre,
            basis_size: Count::AUTO,
            non_gaussian: true,
            bands: true,
            level: 0.95,
            threshold: 0.0,
            order_changes: Count::NONE,
            resamples: 0,
        }
    }
}

impl Described for Ordered {
    const SUMMARY: &'static str = "causal order by a scale-free score, sparse regressions in it";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "0 or more" },
        Parameter {
            name: "basis",
            purpose: "functions along which weights move",
            range: "legendre, hat, b_spline, step or constant",
        },
        Parameter {
            name: "basis_size",
            purpose: "how many of them",
            range: "1 to 16, or auto: by score",
        },
        Parameter {
            name: "non_gaussian",
            purpose: "whether the shape of the noise counts",
            range: "true or false",
        },
        Parameter {
            name: "bands",
            purpose: "whether edges get bands and tests",
            range: "true or false",
        },
        Parameter {
            name: "level",
            purpose: "how often a band holds the truth",
            range: "between 0 and 1",
        },
        Parameter {
            name: "threshold",
            purpose: "weight that an edge has to exceed to be certain",
            range: "0 or more",
        },
        Parameter {
            name: "order_changes",
            purpose: "whether the order may change once",
            range: "none, 1, or auto: by score",
        },
        Parameter {
            name: "resamples",
            purpose: "halves of the data in which edges are sought again",
            range: "0 or more",
        },
    ];
}

impl Discover for Ordered {
    fn name(&self) -> &'static str {
        "ordered"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: true,
            inference: true,
            missing: true,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn check(&self) -> Result<()> {
        let size = self.basis_size.number();
        if size.is_some_and(|size| !(1..=forward::LARGEST_BASIS).contains(&size)) {
            let expected = format!("1 to {}, or auto", forward::LARGEST_BASIS);
            return Err(Error::parameter("basis_size", size.unwrap_or(0), expected));
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Error::parameter("level", self.level, "between 0 and 1"));
        }
        if !(self.threshold >= 0.0 && self.threshold.is_finite()) {
            return Err(Error::parameter("threshold", self.threshold, "a number, 0 or more"));
        }
        match self.order_changes.number() {
            Some(number) if number > 1 => {
                Err(Error::parameter("order_changes", number, "none, 1 or auto"))
            }
            _ => Ok(()),
        }
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        pipeline::learn(self, panel, run)
    }
}
