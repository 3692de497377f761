//! Granger's question of a vector autoregression.

mod autoregression;

use dycausal::graph::{Edge, Trajectory};
use dycausal::internals::memory::bytes;
use dycausal::listing::{Candidate, Decision, Searched, decided};
use dycausal::{
    Basis, Described, Discover, DynamicGraph, Error, Panel, PanelShape, Parameter, Result, Run,
    Scope,
};
use ndarray::Array3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

pub use autoregression::Autoregression;
use autoregression::System;

use crate::pcmci::Fdr;

/// How weights are estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Coefficients {
    /// Least squares.
    #[default]
    Ols,
    /// Least squares with a ridge.
    Ridge,
    /// The lasso, its penalty by BIC.
    Lasso,
}

/// How the covariance of coefficients is estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// One noise variance for all rows.
    #[default]
    Wald,
    /// Any noise variance of each row (HC3).
    Robust,
}

/// Does the past of one variable help to predict another, given the past of all?
///
/// Every variable is regressed on all variables at lags 1 to `lag` with an intercept, over the
/// complete rows of all series. With b the coefficients of one cause and V their covariance,
///
/// W = b' V⁻¹ b, of which W / lag is F(lag, rows − coefficients) where there is no such cause.
///
/// A pair whose test passes is listed with those of its lags whose own t-test passes, or else the
/// strongest. Tests are always of least squares; `coefficients` says which weights are shown. Where
/// rows are too few for tests, ridge lists all weights and lasso those that are not 0. It looks for
/// no causes within a step, so what it calls lagged may be due to them. `fdr` adjusts p-values as every
/// method here does ([`dycausal::listing`]): pairs of variables are one family, effects of variables on
/// themselves another.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | at least 1 |
/// | `coefficients` | ols | how weights are estimated | ols, ridge, lasso |
/// | `ridge` | 0.01 | shrinkage of ridge, relative to the variance of each regressor | above 0 |
/// | `statistic` | wald | covariance of the test | wald, robust |
/// | `alpha` | 0.05 | level at which a pair counts | 0 to 1 |
/// | `fdr` | bh | control over all pairs | none, bh |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Granger {
    /// Longest lag.
    pub lag: usize,
    /// How weights are estimated.
    pub coefficients: Coefficients,
    /// Shrinkage of ridge, relative to the variance of each regressor.
    pub ridge: f64,
    /// How the covariance of the test is estimated.
    pub statistic: Statistic,
    /// Level at which a pair counts.
    pub alpha: f64,
    /// Control over all pairs.
    pub fdr: Fdr,
}

impl Default for Granger {
    fn default() -> Self {
        Self {
            lag: 1,
            coefficients: Coefficients::Ols,
            ridge: 0.01,
            statistic: Statistic::Wald,
            alpha: 0.05,
            fdr: Fdr::Bh,
        }
    }
}

impl Described for Granger {
    const VERSION: u32 = 2;
    const SUMMARY: &'static str =
        "vector autoregression with Granger's tests; lagged edges only, weights that stay";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "at least 1" },
        Parameter {
            name: "coefficients",
            purpose: "how weights are estimated; tests are of least squares",
            range: "ols, ridge or lasso",
        },
        Parameter {
            name: "ridge",
            purpose: "shrinkage of ridge, relative to the variance of each regressor",
            range: "above 0",
        },
        Parameter {
            name: "statistic",
            purpose: "covariance of the test: one noise variance, or one for each row (HC3)",
            range: "wald or robust",
        },
        Parameter { name: "alpha", purpose: "level at which a pair counts", range: "0 to 1" },
        Parameter {
            name: "fdr",
            purpose: "control over all pairs (Benjamini and Hochberg)",
            range: "none or bh",
        },
    ];
}

impl Discover for Granger {
    fn name(&self) -> &'static str {
        "granger"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: false,
            lagged: true,
            time_varying: false,
            inference: true,
            missing: true,
            knowledge: false,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        // Rows with their lags, and a few squares of all regressors.
        let square = shape.columns(self.lag).powi(2);
        bytes(shape.values() * (self.lag as f64 + 2.0) * 2.0 + 8.0 * 6.0 * square)
    }

    fn check(&self) -> Result<()> {
        if self.lag == 0 {
            let expected = "at least 1: only lagged edges are sought";
            return Err(Error::parameter("lag", self.lag, expected));
        }
        if !(self.ridge > 0.0 && self.ridge.is_finite()) {
            return Err(Error::parameter("ridge", self.ridge, "a number above 0"));
        }
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(Error::parameter("alpha", self.alpha, "0 to 1"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        run.stage("autoregression", None);
        run.proceed()?;
        let system = run.parallel(|| System::of(panel, self.lag))?;
        run.proceed()?;
        let tests = if system.freedom() < 1.0 && self.coefficients != Coefficients::Ols {
            run.warn("there are too few rows for tests: all weights of ridge, or all of the lasso that are not 0, are listed");
            None
        } else {
            Some(run.parallel(|| system.least_squares(self.statistic))?)
        };
        let weights = match (self.coefficients, &tests) {
            (Coefficients::Ols, Some(fitted)) => fitted.weights.clone(),
            (Coefficients::Lasso, _) => {
                run.stage("lasso", Some(panel.variables() as u64));
                self.lasso(&system, panel.variables(), run)?
            }
            _ => system.weights(&system.inverse(self.ridge)?),
        };
        let edges = self.edges(panel.steps(), &weights, tests.as_ref());
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let basis = Basis::constant(panel.steps())?;
        let graph = DynamicGraph::new(names, times, self.lag, basis, edges)?;
        match tests {
            Some(fitted) => graph.with_ranking(fitted.ranking()?),
            None => Ok(graph),
        }
    }
}

impl Granger {
    /// The autoregression by least squares with all of its statistics.
    ///
    /// # Errors
    /// If no row is complete, rows are too few, or variables are copies of each other.
    pub fn fit(&self, panel: &Panel) -> Result<Autoregression> {
        self.check()?;
        System::of(panel, self.lag)?.least_squares(self.statistic)
    }

    fn lasso(&self, system: &System, d: usize, run: &Run) -> Result<Array3<f64>> {
        let of_target = |to: usize| {
            run.proceed()?;
            run.advance(1);
            // With fewer rows than regressors the noise variance is that of a ridge.
            let found = system.regression(to, 0.0).unit_free_lasso();
            found.or_else(|| system.regression(to, self.ridge).unit_free_lasso()).ok_or_else(|| {
                let what = "rows are too few for a penalty by BIC; take ridge `coefficients` or lower `lag`";
                Error::numerical("lasso", what)
            })
        };
        let all: Vec<Vec<f64>> =
            run.parallel(|| (0..d).into_par_iter().map(of_target).collect::<Result<_>>())?;
        Ok(Array3::from_shape_fn((self.lag, d, d), |(l, from, to)| all[to][l * d + from]))
    }

    fn edges(
        &self,
        steps: usize,
        weights: &Array3<f64>,
        fitted: Option<&Autoregression>,
    ) -> Vec<Edge> {
        let (lags, d, _) = weights.dim();
        let edge = |l: usize, from: usize, to: usize| {
            Edge::new(from, to, l + 1, Trajectory::Constant(weights[[l, from, to]]), steps)
        };
        let Some(fitted) = fitted else {
            let places = weights.indexed_iter().filter(|(_, w)| **w != 0.0);
            return places.map(|((l, from, to), _)| edge(l, from, to)).collect();
        };
        let p = fitted.statistic.mapv(|w| p_value(w, lags, fitted.freedom));
        let pairs: Vec<Candidate> = p
            .indexed_iter()
            .map(|((from, to), p)| Candidate {
                from,
                to,
                p: Some(*p),
                statistic: Some(fitted.statistic[[from, to]]),
                ..Candidate::default()
            })
            .collect();
        let decided = decided(&pairs, Searched { between: d * (d - 1), own: d });
        let counts =
            |pair: &Decision| (if self.fdr == Fdr::Bh { pair.q } else { pair.p() }) <= self.alpha;
        let mut edges = Vec::new();
        for pair in decided.into_iter().filter(counts) {
            let Candidate { from, to, .. } = pair.candidate;
            let single = |l: usize| fitted.single[[l, from, to]];
            let strongest = (0..lags).max_by(|a, b| single(*a).total_cmp(&single(*b))).unwrap_or(0);
            let passes =
                |l: &usize| *l == strongest || p_value(single(*l), 1, fitted.freedom) <= self.alpha;
            for l in (0..lags).filter(passes).filter(|l| weights[[*l, from, to]] != 0.0) {
                let mut edge = edge(l, from, to);
                pair.describe(&mut edge);
                edges.push(edge);
            }
        }
        edges
    }
}

/// p-value of a Wald statistic of so many coefficients.
fn p_value(statistic: f64, count: usize, freedom: f64) -> f64 {
    let law = FisherSnedecor::new(count as f64, freedom);
    law.map_or(1.0, |law| law.sf((statistic / count as f64).max(0.0)))
}

#[cfg(test)]
mod tests;
