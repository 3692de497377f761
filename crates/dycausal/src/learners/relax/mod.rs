//! Trajectories that relax: the integral form of linear dynamics, for few steps and observation noise.

mod followed;
mod horizon;
mod integral;
mod outcome;
mod selection;
mod significance;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub(crate) use followed::Relaxation;

use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Described, Discover, Parameter, Scope};
use crate::panel::Panel;
use crate::run::memory::bytes;
use crate::run::{Auto, PanelShape, Run};

/// Learns what drives what from many short trajectories that start somewhere and come to rest.
///
/// Every variable decays on its own and is driven by others, x_i' = −λ_i x_i + Σ_j w_ji x_j + c_i, and
/// is seen with noise. Differences of noisy values are noisier still; integrals are not:
///
/// x_i(t) = e^{−λ_i t} a_i + Σ_j w_ji h_j(t) + c_i h_1(t), h_j(t) = ∫ e^{−λ_i (t − s)} x_j(s) ds,
///
/// with a start a_i that is free in every trajectory, integrals by the trapezium rule, and time in
/// steps. For every λ of a grid causes are selected forward while each explains more than
/// 2 log d; the λ with the smallest residual is taken. Edges are lag-1 edges whose weight is w_ji per
/// step; they are listed if they stand up to two tests, of the integral form and of increments, that
/// allow for whatever goes on within a trajectory, at a false discovery rate of `alpha`. The ranking of
/// all edges is by (√L_m + √L_c)² / 4: the likelihood ratio of the cause alone, and given the others.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `horizon` | `auto` | steps that are used, from the first on | at least 3, or `auto`: until trajectories no longer differ |
/// | `causes` | 5 | most causes of a variable | at least 1 |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed | above 0, at most 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relax {
    /// Steps that are used.
    pub horizon: Auto<usize>,
    /// Most causes of a variable.
    pub causes: usize,
    /// False discovery rate of the edges that are listed; 1 lists what was selected.
    pub alpha: f64,
}

impl Default for Relax {
    fn default() -> Self {
        Self { horizon: Auto::Auto, causes: 5, alpha: 0.05 }
    }
}

impl Described for Relax {
    const VERSION: u32 = 2;
    const SUMMARY: &'static str = "integral form of linear dynamics, for short trajectories that come to rest; lagged edges only";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "horizon",
            purpose: "steps that are used; auto: until trajectories no longer differ",
            range: "at least 3, or auto",
        },
        Parameter { name: "causes", purpose: "most causes of a variable", range: "at least 1" },
        Parameter {
            name: "alpha",
            purpose: "false discovery rate of the edges that are listed",
            range: "above 0, at most 1; 1 lists what was selected",
        },
    ];
}

impl Discover for Relax {
    fn name(&self) -> &'static str {
        "relax"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: false,
            lagged: true,
            time_varying: false,
            inference: true,
            missing: false,
            knowledge: true,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        1
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        // Values, integrals and their residuals; second moments; two rankings.
        let variables = shape.variables as f64;
        bytes(5.0 * shape.values() + 8.0 * 5.0 * variables * variables)
    }

    fn check(&self) -> Result<()> {
        if let Some(steps @ 0..3) = self.horizon.value() {
            return Err(Error::parameter("horizon", steps, "at least 3, or auto"));
        }
        if self.causes == 0 {
            return Err(Error::parameter("causes", self.causes, "at least 1"));
        }
        if !(self.alpha > 0.0 && self.alpha <= 1.0) {
            return Err(Error::parameter("alpha", self.alpha, "above 0, at most 1"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        Ok(self.learned(panel, run)?.0)
    }
}

impl Relax {
    /// The graph, and the dynamics that it is of.
    pub(crate) fn learned(
        &self,
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(DynamicGraph, Relaxation)> {
        outcome::learn(self, panel, run)
    }
}
