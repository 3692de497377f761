//! The squared error of all equations at once, from second moments.

use dycausal::graph::{Edge, Ranking, Trajectory};
use dycausal::{Basis, DynamicGraph, Error, Knowledge, Panel, Result, Run};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::Array3;

use crate::lagged_rows::LaggedRows;

/// Every variable as a linear function of the others and of all lags:
///
/// loss(W) = ½ tr((E − W)' C (E − W)), with C = Z'Z / n the second moments of all variables at all
/// lags around their means, E the unit matrix of the variables now, and W\[lag · variables + from, to\].
pub(crate) struct Equations {
    moments: Vec<f64>,
    /// C E: moments of everything with the variables now.
    cross: Vec<f64>,
    /// ½ tr C of the variables now.
    own: f64,
    /// ½ tr C of the lags.
    lags: f64,
    columns: usize,
    variables: usize,
}

impl Equations {
    /// The equations of a panel at lags 0 to `lag`, on its complete rows.
    ///
    /// # Errors
    /// If no row is complete, or numbers are too large.
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        let rows = LaggedRows::of(panel, lag)?.centred();
        let count = rows.len() as f64;
        let gram = rows.gram()?;
        let (columns, variables) = (gram.ncols(), panel.variables());
        let half = |from: usize, to: usize| -> f64 {
            (from..to).map(|k| gram[[k, k]] / count / 2.0).sum()
        };
        let (own, lags) = (half(0, variables), half(variables, columns));
        // Squares are multiplied again in what follows.
        if !(own + lags < 1e150 && own > 1e-150) {
            let what = "values are too large or too small to be squared; rescale the columns";
            return Err(Error::numerical("moments", what));
        }
        Ok(Self {
            moments: gram.iter().map(|x| x / count).collect(),
            cross: (0..columns * variables)
                .map(|e| gram[[e / variables, e % variables]] / count)
                .collect(),
            own,
            lags,
            columns,
            variables,
        })
    }

    /// How many variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many weights.
    pub fn weights(&self) -> usize {
        self.columns * self.variables
    }

    /// Whether a weight, by its place, is that of a variable on itself now.
    pub fn is_own(&self, place: usize) -> bool {
        place < self.variables * self.variables && place.is_multiple_of(self.variables + 1)
    }

    /// What a loss over the lags as well would have besides: ½ tr C of the lags.
    pub fn of_lags(&self) -> f64 {
        self.lags
    }

    /// The loss, and its gradient C W − C E written over `gradient`.
    pub fn evaluate(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let (p, d) = (self.columns, self.variables);
        let out = MatMut::from_row_major_slice_mut(&mut *gradient, p, d);
        let moments = MatRef::from_row_major_slice(&self.moments, p, p);
        let w = MatRef::from_row_major_slice(weights, p, d);
        matmul(out, Accum::Replace, moments, w, 1.0, Par::Seq);
        let mut loss = self.own;
        for ((g, c), w) in gradient.iter_mut().zip(&self.cross).zip(weights) {
            *g -= c;
            loss += 0.5 * w * (*g - c);
        }
        loss
    }

    /// Which weights there may be, by their place: not those of variables on themselves now, and none that
    /// is known not to be.
    pub fn free(&self, known: &Knowledge) -> Vec<bool> {
        let d = self.variables;
        let allowed = |place: usize| known.allows(place / d % d, place % d, place / (d * d));
        (0..self.weights()).map(|place| !self.is_own(place) && allowed(place)).collect()
    }

    /// Whether a weight, by its place, is known to be there.
    pub fn is_required(&self, known: &Knowledge, place: usize) -> bool {
        let d = self.variables;
        known.requires(place / d % d, place % d, place / (d * d))
    }

    /// The graph of all weights that are above a threshold or required, without cycles.
    ///
    /// # Errors
    /// If a weight is not a number.
    pub fn graph(
        &self,
        panel: &Panel,
        weights: &[f64],
        threshold: f64,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let (d, steps) = (self.variables, panel.steps());
        if weights.iter().any(|w| !w.is_finite()) {
            let what = "weights are no longer numbers; rescale the columns";
            return Err(Error::numerical("optimise", what));
        }
        let known = run.knowledge();
        let listed = |place: usize, w: f64| w.abs() > threshold || self.is_required(known, place);
        let strong = weights.iter().enumerate().filter(|(place, w)| listed(*place, **w));
        let edge = |(place, w): (usize, &f64)| {
            let (column, to) = (place / d, place % d);
            Edge::new(column % d, to, column / d, Trajectory::Constant(*w), steps)
        };
        let edges = strong.map(edge).collect();
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let lag = self.columns / d - 1;
        let graph = DynamicGraph::new(names, times, lag, Basis::constant(steps)?, edges)?;
        let (graph, repair) = graph.break_cycles_given(run.knowledge())?;
        if repair.edges > 0 {
            run.warn(format!(
                "{} edge(s) that closed a cycle within a step were left out; a higher `threshold` leaves fewer",
                repair.edges
            ));
        }
        graph.with_ranking(self.ranking(panel, weights)?)
    }

    /// All weights, those below the threshold included.
    fn ranking(&self, panel: &Panel, weights: &[f64]) -> Result<Ranking> {
        let d = self.variables;
        let weight = |(lag, from, to)| weights[(lag * d + from) * d + to];
        let weights = Array3::from_shape_fn((self.columns / d, d, d), weight);
        let scale: Vec<f64> = panel.summaries().iter().map(|summary| summary.sd).collect();
        Ranking::of_weights(weights, &scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{noise, whole};

    #[test]
    fn the_gradient_agrees_with_differences() {
        let panel = Panel::unnamed(whole(1)).unwrap();
        let equations = Equations::of(&panel, 1).unwrap();
        let mut weights: Vec<f64> = (0..equations.weights()).map(noise).collect();
        let mut gradient = vec![0.0; weights.len()];
        equations.evaluate(&weights, &mut gradient);
        let mut scratch = gradient.clone();
        for k in 0..weights.len() {
            let step = 1e-5;
            weights[k] += step;
            let above = equations.evaluate(&weights, &mut scratch);
            weights[k] -= 2.0 * step;
            let below = equations.evaluate(&weights, &mut scratch);
            weights[k] += step;
            let slope = (above - below) / (2.0 * step);
            assert!((slope - gradient[k]).abs() < 1e-8, "{k}: {slope} {}", gradient[k]);
        }
    }

    #[test]
    fn the_loss_is_that_of_the_rows() {
        let panel = Panel::unnamed(whole(0)).unwrap();
        let equations = Equations::of(&panel, 1).unwrap();
        let weights: Vec<f64> = (0..equations.weights()).map(noise).collect();
        let rows = LaggedRows::of(&panel, 1).unwrap().centred();
        let d = panel.variables();
        let mut sum = 0.0;
        for row in rows.values.rows() {
            for to in 0..d {
                let fitted: f64 =
                    row.iter().enumerate().map(|(k, x)| x * weights[k * d + to]).sum();
                sum += 0.5 * (row[to] - fitted).powi(2) / rows.len() as f64;
            }
        }
        let found = equations.evaluate(&weights, &mut vec![0.0; weights.len()]);
        assert!((found - sum).abs() < 1e-12 * sum, "{found} {sum}");
    }
}
