//! DYNOTEARS (Pamfil et al. 2020).

mod lagrangian;

use dycausal::internals::memory::bytes;
use dycausal::{
    Described, Discover, DynamicGraph, Error, Knowledge, Panel, PanelShape, Parameter, Result, Run,
    Scope,
};
use serde::{Deserialize, Serialize};

use crate::equations::Equations;

/// Least squares with a constraint that leaves no cycle, by an augmented Lagrangian.
///
/// min ½ tr((E − W)' C (E − W)) + λ_w |W₀|₁ + λ_a Σ_l |W_l|₁ with h(W₀) = tr e^{W₀∘W₀} − d = 0:
/// L-BFGS over the positive and negative parts of the weights on the loss + α h + ½ ρ h², with
/// α ← α + ρ h, and ρ ← 10 ρ while h falls too slowly, until h ≤ `tolerance`. Weights up to
/// `threshold` are then left out. It takes noise of equal size for granted, and so depends on units.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | 0 or more |
/// | `lambda_w` | 0.1 | penalty on weights within a step | 0 or more |
/// | `lambda_a` | 0.1 | penalty on weights of lags | 0 or more |
/// | `threshold` | 0.1 | absolute weight up to which there is no edge | 0 or more |
/// | `iterations` | 100 | most rounds of the Lagrangian | at least 1 |
/// | `tolerance` | 1e-8 | h at which it ends | above 0 |
/// | `tabu` | none | edges that cannot be: cause, effect, lag | names of variables and a lag |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dynotears {
    /// Longest lag.
    pub lag: usize,
    /// Penalty on weights within a step.
    pub lambda_w: f64,
    /// Penalty on weights of lags.
    pub lambda_a: f64,
    /// Absolute weight up to which there is no edge.
    pub threshold: f64,
    /// Most rounds of the Lagrangian.
    pub iterations: usize,
    /// h at which it ends.
    pub tolerance: f64,
    /// Edges (cause, effect, lag) that cannot be.
    pub tabu: Vec<(String, String, usize)>,
}

impl Default for Dynotears {
    fn default() -> Self {
        Self {
            lag: 1,
            lambda_w: 0.1,
            lambda_a: 0.1,
            threshold: 0.1,
            iterations: 100,
            tolerance: 1e-8,
            tabu: Vec::new(),
        }
    }
}

impl Described for Dynotears {
    const SUMMARY: &'static str = "least squares with a trace-exponential constraint, by an augmented Lagrangian (DYNOTEARS); weights that stay, depends on units";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "0 or more" },
        Parameter {
            name: "lambda_w",
            purpose: "penalty on weights within a step",
            range: "0 or more",
        },
        Parameter { name: "lambda_a", purpose: "penalty on weights of lags", range: "0 or more" },
        Parameter {
            name: "threshold",
            purpose: "absolute weight up to which there is no edge",
            range: "0 or more",
        },
        Parameter {
            name: "iterations",
            purpose: "most rounds of the augmented Lagrangian",
            range: "at least 1",
        },
        Parameter { name: "tolerance", purpose: "cyclicity at which it ends", range: "above 0" },
        Parameter {
            name: "tabu",
            purpose: "edges that cannot be",
            range: "a list of [cause, effect, lag], variables by name",
        },
    ];
}

impl Discover for Dynotears {
    fn name(&self) -> &'static str {
        "dynotears"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: false,
            inference: false,
            missing: true,
            knowledge: true,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        // Rows with their lags; weights, gradients and the memory of the optimiser.
        let square = shape.columns(self.lag).powi(2);
        bytes(shape.values() * (self.lag as f64 + 2.0) + 8.0 * 50.0 * square)
    }

    fn check(&self) -> Result<()> {
        let sizes = [
            ("lambda_w", self.lambda_w),
            ("lambda_a", self.lambda_a),
            ("threshold", self.threshold),
        ];
        for (name, value) in sizes {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::parameter(name, value, "a number, 0 or more"));
            }
        }
        if self.iterations == 0 {
            return Err(Error::parameter("iterations", self.iterations, "at least 1"));
        }
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return Err(Error::parameter("tolerance", self.tolerance, "a number above 0"));
        }
        let late = self.tabu.iter().find(|(_, _, lag)| *lag > self.lag);
        late.map_or(Ok(()), |(_, _, lag)| {
            let expected = format!("lags of at most `lag` ({})", self.lag);
            Err(Error::parameter("tabu", format!("an edge at lag {lag}"), expected))
        })
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        run.stage("moments", None);
        run.proceed()?;
        let equations = run.parallel(|| Equations::of(panel, self.lag))?;
        let free = self.free(panel, &equations, run.knowledge())?;
        run.stage("augmented Lagrangian", Some(self.iterations as u64));
        let found = lagrangian::solve(self, &equations, &free, run)?;
        run.facts_mut().objective = Some(found.objective);
        run.facts_mut().cyclicity = Some(found.cyclicity);
        equations.graph(panel, &found.weights, self.threshold, run)
    }
}

impl Dynotears {
    /// Which weights there may be.
    fn free(&self, panel: &Panel, equations: &Equations, known: &Knowledge) -> Result<Vec<bool>> {
        let d = panel.variables();
        let mut free = equations.free(known);
        let number = |name: &String| {
            let found = panel.names().iter().position(|other| other == name);
            found.ok_or_else(|| {
                let expected = format!("one of the variables {}", panel.names().join(", "));
                Error::parameter("tabu", format!("variable `{name}`"), expected)
            })
        };
        for (from, to, lag) in &self.tabu {
            free[(lag * d + number(from)?) * d + number(to)?] = false;
        }
        Ok(free)
    }
}

#[cfg(test)]
mod tests;
