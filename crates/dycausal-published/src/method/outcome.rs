//! From weights at knots to a graph: prune, break what cycles are left, and say so.

use dycausal::graph::{Presence, Ranking, Trajectory, spaced};
use dycausal::internals::real::Real;
use dycausal::{DynamicGraph, Edge, Panel, Result, Run};
use ndarray::{Array2, Array3, Axis};

use crate::grid::Grid;
use crate::objective::Objective;
use crate::parameters::{DyCausal, Importance, Model};

/// Steps over which the strength of an edge that need not be listed is averaged.
const RANKED_STEPS: usize = 64;

impl DyCausal {
    /// The graph of the weights at the end of the path.
    pub(crate) fn graph<R: Real>(
        &self,
        objective: &mut Objective<R>,
        panel: &Panel,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        if self.importance == Importance::Likelihood && self.model == Model::Linear {
            let errors = objective.errors();
            let shape = (objective.grid.causes, objective.grid.variables);
            let weight = |(cause, to): (usize, usize)| objective.knots[cause * shape.1 + to].wide();
            let weights = Array2::from_shape_fn(shape, weight);
            return self.by_squared_errors(&weights, &errors, panel, run);
        }
        objective.encode();
        let grid = &objective.grid;
        let basis = grid.basis(self.interpolate)?;
        let by_derivative = match self.importance {
            Importance::Norm => None,
            Importance::Derivative => objective.model.importance(&objective.knots),
            Importance::Likelihood => {
                let importance = objective.model.importance(&objective.knots);
                let importance = importance.and_then(|steps| steps.mean_axis(Axis(0)));
                return self.by_likelihood(grid, importance, panel, run);
            }
        };
        let knots = if self.interpolate {
            grid.continued(&objective.knots)
        } else {
            objective.knots.clone()
        };
        let mut edges = Vec::new();
        let looked_at = spaced(grid.steps, RANKED_STEPS);
        let mut strengths =
            Array3::from_elem((self.lag + 1, grid.variables, grid.variables), f64::NAN);
        for edge in 0..grid.causes * grid.variables {
            let (cause, to) = (edge / grid.variables, edge % grid.variables);
            let trajectory = match &by_derivative {
                Some(importance) => along_steps(importance, cause, to),
                None if grid.units == 1 => along_knots(grid, &knots, edge),
                None => norms(grid, &basis, &knots, edge),
            };
            let (from, lag) = (cause % grid.variables, cause / grid.variables + grid.first_lag);
            let sizes = looked_at.iter().map(|step| trajectory.value(&basis, *step).abs());
            strengths[[lag, from, to]] = sizes.sum::<f64>() / looked_at.len() as f64;
            let required = run.knowledge().requires(from, to, lag);
            let presence = Presence::when(grid.steps, |step| {
                required || trajectory.value(&basis, step).abs() > self.threshold
            });
            if !presence.is_empty() {
                let whole = Edge::new(from, to, lag, trajectory, grid.steps);
                edges.push(Edge { presence, ..whole });
            }
        }
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let graph = DynamicGraph::new(names, times, self.lag, basis, edges)?;
        let (graph, repair) = graph.break_cycles_given(run.knowledge())?;
        if repair.edges > 0 {
            run.warn(format!(
                "cycles were left after pruning: {} instantaneous edge(s) were taken away at {} step(s) in all, the weakest of each cycle",
                repair.edges, repair.steps
            ));
        }
        let scale: Vec<f64> = panel.summaries().iter().map(|summary| summary.sd).collect();
        graph.with_ranking(Ranking::of_weights(strengths, &scale)?)
    }
}

fn along_steps(importance: &Array3<f64>, cause: usize, to: usize) -> Trajectory {
    let steps = 0..importance.dim().0;
    Trajectory::Steps(steps.map(|t| importance[[t, cause, to]]).collect())
}

/// The weights themselves, as coefficients of the basis.
fn along_knots<R: Real>(grid: &Grid, knots: &[R], edge: usize) -> Trajectory {
    let at = |k: usize| knots[k * grid.size() + edge].wide();
    Trajectory::Coefficients((0..grid.knots.len()).map(at).collect())
}

/// Norm over the hidden units of the interpolated weights, at every step.
fn norms<R: Real>(grid: &Grid, basis: &dycausal::Basis, knots: &[R], edge: usize) -> Trajectory {
    let weight = |t: usize, unit: usize| -> f64 {
        let at = |k: usize| knots[k * grid.size() + edge * grid.units + unit].wide();
        let parts = basis.at(t).into_iter().enumerate();
        parts.filter(|(_, phi)| **phi != 0.0).map(|(k, phi)| phi * at(k)).sum()
    };
    let norm = |t: usize| (0..grid.units).map(|u| weight(t, u).powi(2)).sum::<f64>().sqrt();
    Trajectory::Steps((0..grid.steps).map(norm).collect())
}
