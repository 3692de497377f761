//! Edges by likelihood, in the order that the published model finds, or near it.
//!
//! The order of a network comes out right more often than its edges do: the norm of the first layer does not
//! tell weak causes from none. So its order and the decision about edges can be told apart. A linear model whose
//! weights stay can be asked for more: where its path ends with a few edges turned around, the truth has smaller
//! squared errors, and a search from there that lowers these finds it.

use dycausal::basis::Basis;
use dycausal::graph::{Ranking, Trajectory};
use dycausal::search::{self, Given, Start};
use dycausal::{Auto, DynamicGraph, Edge, GaussianProcess, Moments, Panel, Result, Run};
use ndarray::{Array2, Array3, s};

use crate::equal_noise::EqualNoise;
use crate::grid::Grid;
use crate::parameters::DyCausal;

impl DyCausal {
    /// The edges that Gaussian processes find in the order of importance\[cause, effect\].
    pub(crate) fn by_likelihood(
        &self,
        grid: &Grid,
        importance: Option<Array2<f64>>,
        panel: &Panel,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let d = grid.variables;
        let importance = importance.unwrap_or_else(|| Array2::zeros((grid.causes, d)));
        let order = run.knowledge().arranged(&order(&importance, d));
        let names = panel.names();
        run.facts_mut().order = Some(order.iter().map(|v| names[*v].clone()).collect());
        let decide = GaussianProcess {
            lag: Auto::Value(self.lag),
            season: Auto::Value(0),
            breaks: false,
            missing: self.missing,
            ..GaussianProcess::default()
        };
        decide.learn_in_order(&order, panel, run)
    }

    /// Edges that lower the squared errors by more than they cost, with edges turned around as long as that
    /// lowers them too, and weights without a penalty; from the order of weights\[cause, effect\] and the mean
    /// squares that they leave of the variables.
    pub(crate) fn by_squared_errors(
        &self,
        weights: &Array2<f64>,
        errors: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let d = panel.variables();
        let moments = Moments::unless(panel, self.lag, run.cancel())?;
        let moments = if self.centre { moments } else { moments.recentred(&self.centres(panel)) };
        let mut gram = Array2::<f64>::zeros((d * (self.lag + 1), d * (self.lag + 1)));
        for step in self.lag..moments.steps() {
            gram += &moments.at(step).slice(s![..gram.nrows(), ..gram.nrows()]);
        }
        let rows = moments.total_rows().max(1.0);
        gram /= rows;
        let noise = errors.iter().sum::<f64>() / d as f64;
        let score = EqualNoise::new(gram.view(), d, rows, noise).until(run.cancel().clone());
        let given = Given::new(run.knowledge().clone());
        run.stage("order", None);
        let start = order(&weights.mapv(f64::abs), d);
        let learned = search::learn(&score, Start::Near(&start), &given, run)?;
        let order = learned.order().iter().map(|v| panel.names()[*v].clone());
        run.facts_mut().order = Some(order.collect());
        let mut edges = Vec::new();
        let mut strengths = Array3::zeros((self.lag + 1, d, d));
        for (to, fit) in learned.fits.iter().enumerate() {
            for (column, weight) in fit.selected.iter().zip(&fit.weights) {
                let (from, lag) = (column % d, column / d);
                strengths[[lag, from, to]] = weight.abs();
                if weight.abs() <= self.threshold && !run.knowledge().requires(from, to, lag) {
                    continue;
                }
                let trajectory = Trajectory::Coefficients(vec![*weight]);
                edges.push(Edge::new(from, to, lag, trajectory, panel.steps()));
            }
        }
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let basis = Basis::constant(panel.steps())?;
        let graph = DynamicGraph::new(names, times, self.lag, basis, edges)?;
        let scale: Vec<f64> = panel.summaries().iter().map(|summary| summary.sd).collect();
        graph.with_ranking(Ranking::of_weights(strengths, &scale)?)
    }
}

/// Variables, causes first: edges within the step are taken over by falling importance, but for those that
/// would close a cycle; then by how many ancestors each has.
fn order(importance: &Array2<f64>, d: usize) -> Vec<usize> {
    let mut edges: Vec<(f64, usize, usize)> = (0..d)
        .flat_map(|from| (0..d).map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (importance[[from, to]], from, to))
        .filter(|(size, _, _)| *size > 0.0)
        .collect();
    edges.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut reaches = Array2::from_shape_fn((d, d), |(a, b)| a == b);
    for (_, from, to) in edges {
        if reaches[[to, from]] {
            continue;
        }
        for a in (0..d).filter(|a| reaches[[*a, from]]).collect::<Vec<_>>() {
            for b in 0..d {
                reaches[[a, b]] |= reaches[[to, b]];
            }
        }
    }
    let ancestors = |v: usize| (0..d).filter(|a| reaches[[*a, v]]).count();
    let mut order: Vec<usize> = (0..d).collect();
    order.sort_by_key(|v| ancestors(*v));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_edges_do_not_turn_strong_ones_around() {
        // 2 → 0 → 1 with a weak 1 → 2 that would close a cycle.
        let mut importance = Array2::zeros((6, 3));
        (importance[[2, 0]], importance[[0, 1]], importance[[1, 2]]) = (0.9, 0.5, 0.1);
        assert_eq!(order(&importance, 3), vec![2, 0, 1]);
    }
}
