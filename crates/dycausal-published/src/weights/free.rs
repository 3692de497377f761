//! Weights that are parameters themselves.

use dycausal::internals::real::Real;

use super::Weights;
use crate::grid::Grid;
use crate::optimise::{Adam, Reader, State, Trained};

/// Knots as free parameters; the cost of a fit does not depend on the number of series.
pub(crate) struct Free<R> {
    knots: Trained<R>,
    group: Option<Group>,
}

/// The group lasso: an edge's weights, at all knots and units, shrink together.
struct Group {
    /// Causes times effects.
    edges: usize,
    units: usize,
    knots: usize,
    /// β / √knots: the same pull on a weight that does not move as the lasso has.
    pull: f64,
    /// Weight of the loss at the last evaluation.
    mu: f64,
}

impl<R: Real> Free<R> {
    /// All weights 0 in a linear model; in a network, where 0 is a saddle, what `start` draws.
    pub fn new(grid: &Grid, start: impl FnMut() -> f64) -> Self {
        let count = grid.knots.len() * grid.size();
        let mut start = start;
        let mut values: Vec<R> = match grid.units {
            1 => vec![R::ZERO; count],
            _ => (0..count).map(|_| R::of(start())).collect(),
        };
        grid.mask(&mut values, R::ZERO);
        Self { knots: Trained::new(values), group: None }
    }

    /// The same, with a group lasso of weight `sparsity`.
    pub fn with_group_lasso(mut self, grid: &Grid, sparsity: f64) -> Self {
        self.group = Some(Group {
            edges: grid.causes * grid.variables,
            units: grid.units,
            knots: grid.knots.len(),
            pull: sparsity / (grid.knots.len() as f64).sqrt(),
            mu: 1.0,
        });
        self
    }
}

impl Group {
    /// Where the weights of an edge stand.
    fn places(&self, edge: usize) -> impl Iterator<Item = usize> + use<> {
        let (edges, units) = (self.edges, self.units);
        (0..self.knots).flat_map(move |k| (0..units).map(move |u| (k * edges + edge) * units + u))
    }

    fn norm<R: Real>(&self, knots: &[R], edge: usize) -> f64 {
        let square = |at: usize| knots[at].wide().powi(2);
        self.places(edge).map(square).sum::<f64>().sqrt()
    }

    /// w ← w · max(0, 1 − pull · pace / |w|), with Adam's shortest pace among the group's weights.
    fn shrink<R: Real>(&self, knots: &mut Trained<R>, edge: usize, adam: Adam) {
        let pace = |at| knots.pace(at, adam);
        let shortest = self.places(edge).map(pace).fold(f64::INFINITY, f64::min);
        let norm = self.norm(&knots.values, edge);
        let kept = R::of((1.0 - self.mu * self.pull * shortest / norm.max(1e-300)).max(0.0));
        for at in self.places(edge) {
            knots.values[at] *= kept;
        }
    }
}

impl<R: Real> Weights<R> for Free<R> {
    fn write_weights(&mut self, knots: &mut [R]) {
        knots.copy_from_slice(&self.knots.values);
    }

    fn step(&mut self, gradient: &[R], adam: Adam) {
        self.knots.gradient.copy_from_slice(gradient);
        self.knots.step(adam);
        if let Some(group) = &self.group {
            for edge in 0..group.edges {
                group.shrink(&mut self.knots, edge, adam);
            }
        }
    }

    /// Σ of the groups' norms times their weight.
    fn group_penalty(&mut self, mu: f64) -> f64 {
        let Some(group) = &mut self.group else {
            return 0.0;
        };
        group.mu = mu;
        let norms = (0..group.edges).map(|edge| group.norm(&self.knots.values, edge));
        group.pull * norms.sum::<f64>()
    }

    fn restart(&mut self) {
        self.knots.restart();
    }

    fn halve(&mut self) {
        let half = R::of(0.5);
        self.knots.values.iter_mut().for_each(|w| *w *= half);
    }
}

impl<R: Real> State for Free<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.knots.write(out);
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.knots.read(from)
    }
}
