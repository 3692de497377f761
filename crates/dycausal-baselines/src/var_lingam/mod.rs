//! VAR-LiNGAM (Hyvärinen et al. 2008, 2010).

mod direct;
mod entropy;

use dycausal::graph::{Edge, Ranking, Trajectory};
use dycausal::internals::linear_algebra::{dot, symmetric_inverse};
use dycausal::internals::memory::bytes;
use dycausal::internals::regression::NormalEquations;
use dycausal::{
    Basis, Described, Discover, DynamicGraph, Error, Panel, PanelShape, Parameter, Result, Run,
    Scope,
};
use faer::{Mat, Side};
use ndarray::{Array2, Array3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lagged_rows::{LaggedRows, gram};
use crate::lasso::Regression;

/// How the number of lags is chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// Schwarz.
    #[default]
    Bic,
    /// Akaike.
    Aic,
    /// Hannan and Quinn.
    Hqic,
    /// Not at all: `lag` it is.
    None,
}

/// A vector autoregression whose residuals tell the order within a step by not being Gaussian.
///
/// 1. x_t = Σ_l M_l x_{t−l} + n_t by least squares, values counted from their means, all series
///    together; the number of lags up to `lag` by `criterion`.
/// 2. DirectLiNGAM on the residuals n_t gives an order within the step.
/// 3. Every variable is regressed on its predecessors and all lags; with `prune`, on those that
///    an adaptive lasso, its penalty by BIC, leaves.
///
/// Where noise is Gaussian the order is arbitrary, and nothing tells.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | at least 1 |
/// | `criterion` | bic | how the number of lags is chosen | bic, aic, hqic, none: all |
/// | `prune` | true | whether the adaptive lasso leaves weights out | true or false |
/// | `threshold` | 0 | absolute weight up to which there is no edge | 0 or more |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VarLingam {
    /// Longest lag.
    pub lag: usize,
    /// How the number of lags is chosen.
    pub criterion: Criterion,
    /// Whether the adaptive lasso leaves weights out.
    pub prune: bool,
    /// Absolute weight up to which there is no edge.
    pub threshold: f64,
}

impl Default for VarLingam {
    fn default() -> Self {
        Self { lag: 1, criterion: Criterion::Bic, prune: true, threshold: 0.0 }
    }
}

impl Described for VarLingam {
    const SUMMARY: &'static str = "autoregression, then the order within a step from noise that is not Gaussian; weights that stay";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "at least 1" },
        Parameter {
            name: "criterion",
            purpose: "how the number of lags is chosen; none: all of them",
            range: "bic, aic, hqic or none",
        },
        Parameter {
            name: "prune",
            purpose: "whether an adaptive lasso leaves weights out",
            range: "true or false",
        },
        Parameter {
            name: "threshold",
            purpose: "absolute weight up to which there is no edge",
            range: "0 or more",
        },
    ];
}

impl Discover for VarLingam {
    fn name(&self) -> &'static str {
        "var-lingam"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: false,
            inference: false,
            missing: true,
            knowledge: false,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        // Rows with their lags, residuals, and a few squares of all regressors.
        let square = shape.columns(self.lag).powi(2);
        bytes(shape.values() * (self.lag as f64 + 4.0) * 2.0 + 8.0 * 9.0 * square)
    }

    fn check(&self) -> Result<()> {
        if self.lag == 0 {
            return Err(Error::parameter("lag", self.lag, "at least 1"));
        }
        if !(self.threshold >= 0.0 && self.threshold.is_finite()) {
            return Err(Error::parameter("threshold", self.threshold, "a number, 0 or more"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let found = self.fit(panel, run)?;
        let order = found.order.iter().map(|v| panel.names()[*v].clone());
        run.facts_mut().order = Some(order.collect());
        let steps = panel.steps();
        let strong = found.weights.indexed_iter().filter(|(_, w)| w.abs() > self.threshold);
        let edge = |((lag, from, to), w): ((usize, usize, usize), &f64)| {
            Edge::new(from, to, lag, Trajectory::Constant(*w), steps)
        };
        let edges = strong.map(edge).collect();
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let basis = Basis::constant(steps)?;
        let graph = DynamicGraph::new(names, times, self.lag, basis, edges)?;
        let scale: Vec<f64> = panel.summaries().iter().map(|summary| summary.sd).collect();
        // Nothing is known of lags that the criterion left out.
        let (lags, d, _) = found.weights.dim();
        let mut weights = Array3::from_elem((self.lag + 1, d, d), f64::NAN);
        weights.slice_mut(ndarray::s![..lags, .., ..]).assign(&found.weights);
        graph.with_ranking(Ranking::of_weights(weights, &scale)?)
    }
}

/// What VAR-LiNGAM finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The order within a step, causes first.
    pub order: Vec<usize>,
    /// Weights\[lag, from, to\].
    pub weights: Array3<f64>,
}

impl VarLingam {
    /// The order and all weights.
    ///
    /// # Errors
    /// If rows are too few, variables are copies of each other, or the run is cancelled.
    pub fn fit(&self, panel: &Panel, run: &mut Run) -> Result<Found> {
        run.stage("autoregression", None);
        run.proceed()?;
        let panel = centred(panel)?;
        let (rows, lag) = run.parallel(|| self.rows(&panel))?;
        let d = panel.variables();
        let residuals = residuals(&rows, lag)?;
        run.stage("order", Some(d as u64));
        let order = run.parallel(|| direct::order(residuals, run))?;
        run.stage("weights", Some(d as u64));
        let rows = rows.centred();
        let moments = run.parallel(|| rows.gram())?;
        let shared = &*run;
        let each = |place: usize| {
            shared.proceed()?;
            shared.advance(1);
            self.weights_of(&moments, rows.len(), &order, place)
        };
        let all: Vec<Vec<(usize, f64)>> =
            shared.parallel(|| (0..d).into_par_iter().map(each).collect::<Result<_>>())?;
        let mut weights = Array3::zeros((lag + 1, d, d));
        for (to, found) in order.iter().zip(all) {
            for (column, weight) in found {
                weights[[column / d, column % d, *to]] = weight;
            }
        }
        Ok(Found { order, weights })
    }

    /// The rows of the lag that the criterion likes best.
    fn rows(&self, panel: &Panel) -> Result<(LaggedRows, usize)> {
        if self.criterion == Criterion::None {
            return Ok((LaggedRows::of(panel, self.lag)?, self.lag));
        }
        let mut best: Option<(f64, LaggedRows, usize)> = None;
        for lag in 1..=self.lag {
            let rows = LaggedRows::of(panel, lag)?;
            let value = self.information(&rows, lag)?;
            if best.as_ref().is_none_or(|(least, ..)| value < *least) {
                best = Some((value, rows, lag));
            }
        }
        let none = || Error::parameter("lag", self.lag, "at least 1");
        best.map(|(_, rows, lag)| (rows, lag)).ok_or_else(none)
    }

    /// log det Σ + penalty · coefficients / rows, with Σ the covariance of the residuals.
    fn information(&self, rows: &LaggedRows, lag: usize) -> Result<f64> {
        let columns = residuals(rows, lag)?;
        let (d, n) = (columns.len(), rows.len() as f64);
        let covariance = Mat::from_fn(d, d, |a, b| dot(&columns[a], &columns[b]) / n);
        let factor = covariance.llt(Side::Lower).map_err(|_| copies())?;
        let log_det: f64 = (0..d).map(|k| 2.0 * factor.L()[(k, k)].ln()).sum();
        let coefficients = (lag * d * d) as f64;
        let penalty = match self.criterion {
            Criterion::Aic => 2.0,
            Criterion::Hqic => 2.0 * n.ln().ln(),
            Criterion::Bic | Criterion::None => n.ln(),
        };
        Ok(log_det + penalty * coefficients / n)
    }

    /// Weights of the predecessors and lags of the variable at a place of the order.
    fn weights_of(
        &self,
        moments: &Array2<f64>,
        rows: usize,
        order: &[usize],
        place: usize,
    ) -> Result<Vec<(usize, f64)>> {
        let (d, to) = (order.len(), order[place]);
        let mut columns = order[..place].to_vec();
        columns.extend(d..moments.ncols());
        let size = columns.len();
        let entry = |e: usize| moments[[columns[e / size], columns[e % size]]];
        let gram = (0..size * size).map(entry).collect();
        let cross = columns.iter().map(|k| moments[[*k, to]]).collect();
        let normal = NormalEquations::new(gram, cross, moments[[to, to]], rows as f64);
        let problem = Regression(normal);
        let found = if self.prune { problem.adaptive_lasso() } else { problem.least_squares() };
        let few = || {
            let what = format!(
                "{size} coefficients for {rows} rows, or variables that are copies of each other; lower `lag` or leave some out"
            );
            Error::numerical("weights", what)
        };
        Ok(columns.into_iter().zip(found.ok_or_else(few)?).collect())
    }
}

/// The panel with every variable counted from its mean over all series and steps.
fn centred(panel: &Panel) -> Result<Panel> {
    let means: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
    let mut values = panel.values().to_owned();
    for mut row in values.rows_mut() {
        row.iter_mut().zip(&means).for_each(|(x, mean)| *x -= mean);
    }
    Panel::new(values, panel.names().to_vec())
}

fn copies() -> Error {
    let what = "variables are copies of each other, or rows too few; leave some out or lower `lag`";
    Error::numerical("autoregression", what)
}

/// What an autoregression without intercept leaves of every variable.
fn residuals(rows: &LaggedRows, lag: usize) -> Result<Vec<Vec<f64>>> {
    let d = rows.variables;
    let q = d * lag;
    if rows.len() <= q + 1 {
        return Err(copies());
    }
    let moments = gram(&rows.values)?;
    let entry = |e: usize| moments[[d + e / q, d + e % q]];
    let inverse = symmetric_inverse((0..q * q).map(entry).collect(), q).ok_or_else(copies)?;
    let weight = |k: usize, to: usize| -> f64 {
        (0..q).map(|m| inverse[k * q + m] * moments[[d + m, to]]).sum()
    };
    let weights = Array2::from_shape_fn((q, d), |(k, to)| weight(k, to));
    let fitted = rows.values.slice(ndarray::s![.., d..]).dot(&weights);
    let column =
        |to: usize| (0..rows.len()).map(|row| rows.values[[row, to]] - fitted[[row, to]]).collect();
    Ok((0..d).map(column).collect())
}

#[cfg(test)]
mod tests;
