//! DAGMA (Bello et al. 2022) on variables and their lags.

mod path;

use dycausal::internals::memory::bytes;
use dycausal::{
    Described, Discover, DynamicGraph, Error, Panel, PanelShape, Parameter, Result, Run, Scope,
};
use serde::{Deserialize, Serialize};

use crate::equations::Equations;

/// Least squares with a constraint that leaves no cycle, over variables and their lags; no edge
/// goes back in time.
///
/// min μ (½ tr((E − W)' C (E − W)) + λ |W|₁) + h_s(W₀), h_s(W) = −log det(sI − W∘W) + d log s,
///
/// by Adam, for μ = `mu` · `decay`^k; each stage begins where the last one ended and keeps within the
/// domain of h. Only weights within a step can close a cycle, so h is that of W₀ alone. Weights up
/// to `threshold` are then left out. It takes noise of equal size for granted, and so depends on
/// units.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | 0 or more |
/// | `sparsity` | 0.03 | λ | 0 or more |
/// | `threshold` | 0.3 | absolute weight up to which there is no edge | 0 or more |
/// | `stages` | 5 | how often μ falls | at least 1 |
/// | `mu` | 1 | μ of the first stage | above 0 |
/// | `decay` | 0.1 | what μ is multiplied with after each stage | above 0, at most 1 |
/// | `domain` | 1, 0.9, 0.8, 0.7, 0.6 | s of each stage; the last one of those that follow | above 0 |
/// | `rate` | 0.0003 | length of Adam's steps | above 0 |
/// | `warm_iterations` | 30000 | most steps of a stage but the last | at least 1 |
/// | `iterations` | 60000 | most steps of the last stage | at least 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dagma {
    /// Longest lag.
    pub lag: usize,
    /// λ.
    pub sparsity: f64,
    /// Absolute weight up to which there is no edge.
    pub threshold: f64,
    /// How often μ falls.
    pub stages: usize,
    /// μ of the first stage.
    pub mu: f64,
    /// What μ is multiplied with after each stage.
    pub decay: f64,
    /// s of each stage.
    pub domain: Vec<f64>,
    /// Length of Adam's steps.
    pub rate: f64,
    /// Most steps of a stage but the last.
    pub warm_iterations: usize,
    /// Most steps of the last stage.
    pub iterations: usize,
}

impl Default for Dagma {
    fn default() -> Self {
        Self {
            lag: 1,
            sparsity: 0.03,
            threshold: 0.3,
            stages: 5,
            mu: 1.0,
            decay: 0.1,
            domain: vec![1.0, 0.9, 0.8, 0.7, 0.6],
            rate: 3e-4,
            warm_iterations: 30_000,
            iterations: 60_000,
        }
    }
}

impl Described for Dagma {
    const SUMMARY: &'static str = "least squares with a log-determinant constraint over variables and lags (DAGMA); weights that stay, depends on units";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "0 or more" },
        Parameter { name: "sparsity", purpose: "penalty on weights", range: "0 or more" },
        Parameter {
            name: "threshold",
            purpose: "absolute weight up to which there is no edge",
            range: "0 or more",
        },
        Parameter { name: "stages", purpose: "stages of the central path", range: "at least 1" },
        Parameter { name: "mu", purpose: "weight of the loss at first", range: "above 0" },
        Parameter {
            name: "decay",
            purpose: "what `mu` is multiplied with after each stage",
            range: "above 0, at most 1",
        },
        Parameter {
            name: "domain",
            purpose: "bound on squared weights of each stage",
            range: "a list of numbers above 0",
        },
        Parameter { name: "rate", purpose: "length of Adam's steps", range: "above 0" },
        Parameter {
            name: "warm_iterations",
            purpose: "most steps of each stage but the last",
            range: "at least 1",
        },
        Parameter {
            name: "iterations",
            purpose: "most steps of the last stage",
            range: "at least 1",
        },
    ];
}

impl Discover for Dagma {
    fn name(&self) -> &'static str {
        "dagma"
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
        // Gradients, means of Adam and inverses of all weights.
        let square = shape.columns(self.lag).powi(2);
        bytes(2.0 * shape.values() + 8.0 * 16.0 * square)
    }

    fn check(&self) -> Result<()> {
        for (name, value) in [("sparsity", self.sparsity), ("threshold", self.threshold)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::parameter(name, value, "a number, 0 or more"));
            }
        }
        for (name, value) in [("mu", self.mu), ("decay", self.decay), ("rate", self.rate)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::parameter(name, value, "a number above 0"));
            }
        }
        if self.decay > 1.0 {
            return Err(Error::parameter("decay", self.decay, "at most 1"));
        }
        let counts = [
            ("stages", self.stages),
            ("warm_iterations", self.warm_iterations),
            ("iterations", self.iterations),
        ];
        if let Some((name, value)) = counts.into_iter().find(|(_, value)| *value == 0) {
            return Err(Error::parameter(name, value, "at least 1"));
        }
        if self.stages > 10_000 {
            return Err(Error::parameter("stages", self.stages, "at most 10000"));
        }
        if self.domain.is_empty() || self.domain.iter().any(|s| !(*s > 0.0 && s.is_finite())) {
            let found = format!("{:?}", self.domain);
            return Err(Error::parameter("domain", found, "one or more numbers above 0"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        run.stage("moments", None);
        run.proceed()?;
        let equations = run.parallel(|| Equations::of(panel, self.lag))?;
        run.stage("central path", Some(self.stages as u64));
        let weights = path::Path::new(self, &equations, run.knowledge()).follow(run)?;
        equations.graph(panel, &weights, self.threshold, run)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::golden::{LAG, numbers, set, whole};

    /// `scripts/golden_baselines.py dagma` made the values.
    #[test]
    fn weights_are_those_of_dagma() {
        let golden: Vec<Value> =
            serde_json::from_str(include_str!("../golden/dagma.json")).unwrap();
        for entry in golden {
            let panel = Panel::unnamed(whole(set(&entry))).unwrap();
            let (sparsity, threshold) = (0.01, 0.1);
            let method = Dagma { lag: LAG, sparsity, threshold, ..Dagma::default() };
            let graph = method.discover(&panel, &mut Run::new(0)).unwrap();
            let d = panel.variables();
            for (place, theirs) in numbers(&entry["weights"]).iter().enumerate() {
                let (lag, from, to) = (place / (d * d), place / d % d, place % d);
                let ours = graph.weight(0, lag, from, to);
                let what = format!("{} {lag} {from} {to}: {ours} {theirs}", entry["set"]);
                assert_eq!(ours == 0.0, *theirs == 0.0, "{what}");
                assert!((ours - theirs).abs() < 1e-2, "{what}");
            }
        }
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        let bad = [
            Dagma { rate: 0.0, ..Dagma::default() },
            Dagma { domain: Vec::new(), ..Dagma::default() },
            Dagma { stages: 0, ..Dagma::default() },
            Dagma { decay: 2.0, ..Dagma::default() },
        ];
        for (method, name) in bad.iter().zip(["rate", "domain", "stages", "decay"]) {
            assert!(method.check().unwrap_err().to_string().contains(name));
        }
    }
}
