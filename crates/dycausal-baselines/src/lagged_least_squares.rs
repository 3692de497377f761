//! Per-step pooled least squares with a ridge: lagged edges only.

use dycausal::graph::{Edge, Presence, Ranking, Trajectory};
use dycausal::internals::memory::bytes;
use dycausal::{
    Basis, Described, Discover, DynamicGraph, Error, Knowledge, Missing, Moments, Panel,
    PanelShape, Parameter, Result, Run, Scope,
};
use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};
use ndarray::{Array2, Array3, ArrayView2, Axis, s};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Regresses every variable on all variables at lags 1..lag, at each step on its own.
///
/// At step t the rows of the steps within `window` of t are pooled over series, and
///
/// B_t = (Z'Z + ρ D)⁻¹ Z'X, with D the diagonal of Z'Z and an intercept that is not shrunk.
///
/// A weight counts as an edge where, in units of standard deviations, it is larger than
/// `threshold`: |B_t\[j, i\]| · sd_j / sd_i. It looks for no instantaneous causes, so what it calls
/// lagged may be due to them: a first look and a baseline, not an answer.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | at least 1 |
/// | `window` | 2 | steps on either side that are pooled | 0 or more |
/// | `ridge` | 0.01 | shrinkage, relative to the variance of each regressor | 0 or more |
/// | `missing` | `fill` | what is done about missing cells | `fill`, `complete_rows` |
/// | `threshold` | 0.1 | standardised weight above which there is an edge | 0 or more |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaggedLeastSquares {
    /// Longest lag.
    pub lag: usize,
    /// Steps on either side that are pooled.
    pub window: usize,
    /// Shrinkage, relative to the variance of each regressor.
    pub ridge: f64,
    /// What is done about missing cells.
    #[serde(default)]
    pub missing: Missing,
    /// Standardised weight above which there is an edge.
    pub threshold: f64,
}

impl Default for LaggedLeastSquares {
    fn default() -> Self {
        Self { lag: 1, window: 2, ridge: 0.01, missing: Missing::Fill, threshold: 0.1 }
    }
}

impl Described for LaggedLeastSquares {
    const SUMMARY: &'static str = "per-step pooled least squares with a ridge; lagged edges only";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "at least 1" },
        Parameter {
            name: "window",
            purpose: "steps on either side that are pooled",
            range: "0 or more",
        },
        Parameter {
            name: "ridge",
            purpose: "shrinkage, relative to the variance of each regressor",
            range: "0 or more",
        },
        Parameter { name: "missing", purpose: Missing::PURPOSE, range: Missing::RANGE },
        Parameter {
            name: "threshold",
            purpose: "standardised weight above which there is an edge",
            range: "0 or more",
        },
    ];
}

impl Discover for LaggedLeastSquares {
    fn name(&self) -> &'static str {
        "lagged-least-squares"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: false,
            lagged: true,
            time_varying: true,
            inference: false,
            missing: true,
            knowledge: true,
            periods: true,
        }
    }

    fn missing(&self) -> Missing {
        self.missing
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        // Σ z zᵀ and the weights of every step.
        let (steps, columns) = (shape.steps as f64, shape.columns(self.lag) + 1.0);
        let weights = columns * shape.variables as f64;
        bytes(2.0 * shape.values() + 8.0 * steps * (columns * columns + 1.2 * weights))
    }

    fn check(&self) -> Result<()> {
        if self.lag == 0 {
            return Err(Error::parameter(
                "lag",
                self.lag,
                "at least 1: only lagged edges are sought",
            ));
        }
        for (name, value) in [("ridge", self.ridge), ("threshold", self.threshold)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::parameter(name, value, "a number, 0 or more"));
            }
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let (steps, d) = (panel.steps(), panel.variables());
        let usable = self.missing.usable(panel, run)?;
        run.stage("moments", None);
        let moments = run.parallel(|| Moments::unless(&usable, self.lag, run.cancel()))?;
        run.stage("regressions", Some(steps as u64));
        let shared = &*run;
        let fitted: Vec<Array2<f64>> = shared.parallel(|| {
            (0..steps)
                .into_par_iter()
                .map(|step| {
                    shared.proceed()?;
                    shared.advance(1);
                    self.regress(&moments, step, shared.knowledge())
                })
                .collect::<Result<_>>()
        })?;
        let mut weights = Array3::zeros((steps, self.lag * d, d));
        for (step, fit) in fitted.iter().enumerate() {
            weights.slice_mut(s![step, .., ..]).assign(fit);
        }
        let scale: Vec<f64> = panel.summaries().iter().map(|summary| summary.sd).collect();
        let edges = self.edges(&weights, &scale, run.knowledge());
        let names = panel.names().to_vec();
        let basis = Basis::constant(steps)?;
        let graph = DynamicGraph::new(names, panel.times().clone(), self.lag, basis, edges)?;
        let graph = graph.with_ranking(ranking(&weights, &scale)?)?;
        Ok(graph.with_missing(panel, self.missing))
    }
}

/// Every weight, listed or not: its mean size over the steps.
fn ranking(weights: &Array3<f64>, scale: &[f64]) -> Result<Ranking> {
    let (steps, causes, d) = weights.dim();
    let mut sizes = Array3::from_elem((causes / d + 1, d, d), f64::NAN);
    for cause in 0..causes {
        for to in 0..d {
            let path = weights.slice(s![.., cause, to]);
            let sum: f64 = path.iter().map(|w| w.abs()).sum();
            sizes[[cause / d + 1, cause % d, to]] = sum / steps as f64;
        }
    }
    Ranking::of_weights(sizes, scale)
}

impl LaggedLeastSquares {
    /// Weights\[lagged cause, effect\] at a step, from the moments around it.
    fn regress(
        &self,
        moments: &Moments,
        step: usize,
        knowledge: &Knowledge,
    ) -> Result<Array2<f64>> {
        let centre = step.max(self.lag);
        let last = moments.steps() - 1;
        let near = centre.saturating_sub(self.window).max(self.lag)
            ..=centre.saturating_add(self.window).min(last);
        let size = moments.at(step).nrows();
        let mut gram = Array2::<f64>::zeros((size, size));
        near.for_each(|t| gram += &moments.at(t));
        let d = moments.variables();
        let gram = partial_out_last(&gram);
        let solved = if knowledge.is_empty() {
            solve(gram.view(), d, self.ridge)
        } else {
            solve_allowed(gram.view(), d, self.ridge, knowledge, step)
        };
        solved.ok_or_else(|| Error::numerical("regressions", too_few(step, self)))
    }

    fn edges(&self, weights: &Array3<f64>, scale: &[f64], known: &Knowledge) -> Vec<Edge> {
        let (steps, causes, d) = weights.dim();
        let mut edges = Vec::new();
        for (cause, to) in (0..causes).flat_map(|cause| (0..d).map(move |to| (cause, to))) {
            let (from, lag) = (cause % d, cause / d + 1);
            let path = weights.slice(s![.., cause, to]);
            let unit = scale[from] / scale[to];
            let presence = Presence::when(steps, |t| {
                path[t].abs() * unit > self.threshold || known.requires_at(from, to, lag, t)
            });
            if !presence.is_empty() {
                let trajectory = Trajectory::Steps(path.to_vec());
                edges.push(Edge { presence, ..Edge::new(from, to, lag, trajectory, steps) });
            }
        }
        edges
    }
}

fn too_few(step: usize, method: &LaggedLeastSquares) -> String {
    format!(
        "the rows near step {} do not determine the weights; raise `window` ({}) or `ridge` ({})",
        step + 1,
        method.window,
        method.ridge
    )
}

/// Takes the intercept, the last coordinate, out of a Gram matrix.
fn partial_out_last(gram: &Array2<f64>) -> Array2<f64> {
    let last = gram.nrows() - 1;
    let count = gram[[last, last]].max(1.0);
    Array2::from_shape_fn((last, last), |(j, k)| {
        gram[[j, k]] - gram[[j, last]] * gram[[last, k]] / count
    })
}

/// (Z'Z + ρ diag)⁻¹ Z'X, where the first `d` coordinates are X and the others Z.
fn solve(gram: ArrayView2<'_, f64>, d: usize, ridge: f64) -> Option<Array2<f64>> {
    let q = gram.nrows() - d;
    let lagged = Mat::from_fn(q, q, |j, k| {
        let grown = if j == k { 1.0 + ridge } else { 1.0 };
        gram[[d + j, d + k]] * grown
    });
    let cross = Mat::from_fn(q, d, |j, i| gram[[d + j, i]]);
    let weights = Llt::new(lagged.as_ref(), Side::Lower).ok()?.solve(&cross);
    let weights = Array2::from_shape_fn((q, d), |(j, i)| weights[(j, i)]);
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

/// The same, each effect on the causes it may have; the others' weights are 0.
fn solve_allowed(
    gram: ArrayView2<'_, f64>,
    d: usize,
    ridge: f64,
    knowledge: &Knowledge,
    step: usize,
) -> Option<Array2<f64>> {
    let mut weights = Array2::zeros((gram.nrows() - d, d));
    for to in 0..d {
        let may = |column: &usize| knowledge.allows_at(column % d, to, column / d, step);
        let causes: Vec<usize> = (d..gram.nrows()).filter(may).collect();
        let which = [&[to], causes.as_slice()].concat();
        let part = gram.select(Axis(0), &which).select(Axis(1), &which);
        let own = solve(part.view(), 1, ridge)?;
        causes.iter().zip(own.column(0)).for_each(|(cause, w)| weights[[cause - d, to]] = *w);
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use dycausal::Statements;
    use ndarray::Array3;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cause_that_cannot_be_is_left_out_and_the_others_stay() {
        let value = |(n, t, v)| ((n * 7919 + t * 104_729 + v * 15_485_863) % 1009) as f64;
        let mut values = Array3::from_shape_fn((20, 12, 3), value);
        for (n, t) in (0..20).flat_map(|n| (1..12).map(move |t| (n, t))) {
            values[[n, t, 1]] += 2.0 * values[[n, t - 1, 0]];
        }
        let panel = Panel::unnamed(values).unwrap();
        let method = LaggedLeastSquares::default();
        let learned = |knowledge: Knowledge| {
            method.discover(&panel, &mut Run::new(0).with_knowledge(knowledge)).unwrap()
        };
        let free = learned(Knowledge::default());
        let said =
            json!({ "forbid": [{ "from": panel.names()[0], "to": panel.names()[1], "lag": 1 }] });
        let said = Statements::from_json("test", said).unwrap();
        let held = learned(said.resolve(panel.names(), panel.times(), &|_| None).unwrap());
        assert!(free.edge(1, 0, 1).is_some() && held.edge(1, 0, 1).is_none());
        for t in 0..12 {
            let gap = free.weight(t, 1, 1, 2) - held.weight(t, 1, 1, 2);
            assert!(gap.abs() < 1e-9, "{gap}"); // effects that are not concerned
        }
    }
}
