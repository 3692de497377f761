//! The models that are networks: Eq. 10 (`mlp`) and Eq. 11 (`ode`).
//!
//! The weights W_t are the first layer of one small network per effect i, with m units:
//!
//! x̂_{t,i} = a_{i0} + Σ_u a_{iu} σ(b_{iu} + Σ_j W_t\[j, i, u\] z_{t,j})
//!
//! where z holds the causes. For `ode` what is reconstructed is the change of x_i, and z holds
//! lagged causes only. Steps are independent given W_t, so each is a task of its own; what they
//! add to the gradient is summed in the order of steps. Where changes add up from the reconstructed
//! step before (Eq. 11), the error of a step is the sum of the gaps up to it.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::{Kernel, vectorised};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::Array3;
use rayon::prelude::*;

use super::Loss;
use crate::grid::Grid;
use crate::optimise::{Adam, Reader, State, Trained};

/// What the networks read: rows in order of steps, so that a window is one stretch of rows.
pub struct Rows<R> {
    /// Rows per step: the series.
    pub per_step: usize,
    /// The first step that has rows.
    pub first: usize,
    /// Causes\[row, cause\].
    pub causes: Vec<R>,
    /// What is to be reconstructed\[row, effect\].
    pub effects: Vec<R>,
}

/// What networks do with their first layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heads {
    /// Weight of Σ a². Without it, small W and large a stand for the same network as large W and
    /// small a, and no penalty on W finds an edge.
    pub ridge: f64,
    /// Whether there is b.
    pub bias: bool,
    /// Whether changes add up from the reconstructed step before.
    pub rolling: bool,
}

/// The networks and room for their gradients.
pub(crate) struct Perceptron<R> {
    grid: Grid,
    rows: Rows<R>,
    kind: Heads,
    /// Per effect and unit: b, then a; then the constants a_{i0}.
    heads: Trained<R>,
    tasks: Vec<Task<R>>,
}

/// One step that is reconstructed.
struct Task<R> {
    left: usize,
    right: usize,
    share: R,
    /// First row of the window.
    start: usize,
    weights: Vec<R>,
    slopes: Vec<R>,
    /// σ(…), and then its gradient, \[row, effect, unit\].
    active: Vec<R>,
    /// What is reconstructed less what is there, and then its pull, \[row, effect\].
    gaps: Vec<R>,
    heads: Vec<R>,
    /// Squared error of every effect.
    errors: Vec<f64>,
}

impl<R: Real> Perceptron<R> {
    /// Networks whose own parameters begin uniform in ±1/√m; `uniform` draws from ±1.
    pub fn new(grid: &Grid, rows: Rows<R>, kind: Heads, mut uniform: impl FnMut() -> f64) -> Self {
        let (d, units) = (grid.variables, grid.units);
        let bound = 1.0 / (units as f64).sqrt();
        let mut heads: Vec<R> = (0..2 * d * units + d).map(|_| R::of(bound * uniform())).collect();
        if !kind.bias {
            heads[..d * units].fill(R::ZERO);
        }
        let heads = Trained::new(heads);
        let height = grid.window * rows.per_step;
        let mut tasks = Vec::with_capacity(grid.reconstructed());
        for segment in &grid.segments {
            for (offset, share) in segment.shares.iter().enumerate() {
                let step = grid.window_start(segment.start + offset);
                tasks.push(Task {
                    left: segment.left,
                    right: segment.right,
                    share: R::of(*share),
                    start: (step - rows.first) * rows.per_step,
                    weights: vec![R::ZERO; grid.size()],
                    slopes: vec![R::ZERO; grid.size()],
                    active: vec![R::ZERO; height * grid.width()],
                    gaps: vec![R::ZERO; height * d],
                    heads: vec![R::ZERO; heads.values.len()],
                    errors: vec![0.0; d],
                });
            }
        }
        Self { grid: grid.clone(), rows, kind, heads, tasks }
    }

    /// ridge · Σ a²; adds `scale` times its gradient.
    fn shrink(&mut self, scale: f64) -> f64 {
        let width = self.grid.width();
        let pull = R::of(2.0 * scale * self.kind.ridge);
        let weights = &self.heads.values[width..2 * width];
        let slopes = &mut self.heads.gradient[width..2 * width];
        slopes.iter_mut().zip(weights).for_each(|(g, a)| *g += pull * *a);
        self.kind.ridge * weights.iter().map(|a| a.wide() * a.wide()).sum::<f64>()
    }
}

impl<R: Real> Task<R> {
    /// W_t between its two knots.
    fn interpolate(&mut self, grid: &Grid, knots: &[R]) {
        let size = grid.size();
        let left = &knots[self.left * size..(self.left + 1) * size];
        let right = &knots[self.right * size..(self.right + 1) * size];
        let (share, rest) = (self.share, R::ONE - self.share);
        for (w, (x, y)) in self.weights.iter_mut().zip(left.iter().zip(right)) {
            *w = rest * *x + share * *y;
        }
    }

    /// What the window's rows are reconstructed as, less what they are.
    fn guess(&mut self, grid: &Grid, rows: &Rows<R>, heads: &[R]) {
        let (q, d, width) = (grid.causes, grid.variables, grid.width());
        let height = grid.window * rows.per_step;
        let causes = &rows.causes[self.start * q..(self.start + height) * q];
        let effects = &rows.effects[self.start * d..(self.start + height) * d];
        let causes = MatRef::from_row_major_slice(causes, height, q);
        let weights = MatRef::from_row_major_slice(&self.weights, q, width);
        let out = MatMut::from_row_major_slice_mut(&mut self.active, height, width);
        matmul(out, Accum::Replace, causes, weights, R::ONE, Par::Seq);
        let room = (&mut self.active[..], &mut self.gaps[..]);
        vectorised::<Guess, _>((grid.units, d, effects, heads, room));
    }

    /// Squared error of every effect.
    fn count(&mut self) {
        let d = self.errors.len();
        self.errors.fill(0.0);
        for gaps in self.gaps.chunks_exact(d) {
            for (error, gap) in self.errors.iter_mut().zip(gaps) {
                *error += (*gap * *gap).wide();
            }
        }
    }

    /// The gradients by W_t and by the heads, `scale` times those of half the sum of gap times pull.
    fn learn(&mut self, grid: &Grid, rows: &Rows<R>, heads: &[R], scale: R) {
        let (q, d, width) = (grid.causes, grid.variables, grid.width());
        let height = grid.window * rows.per_step;
        self.heads.fill(R::ZERO);
        let room = (&mut self.active[..], &mut self.heads[..]);
        vectorised::<Learn, _>((grid.units, d, &self.gaps[..], heads, scale, room));
        let causes = &rows.causes[self.start * q..(self.start + height) * q];
        let causes = MatRef::from_row_major_slice(causes, height, q);
        let active = MatRef::from_row_major_slice(&self.active, height, width);
        let slopes = MatMut::from_row_major_slice_mut(&mut self.slopes, q, width);
        matmul(slopes, Accum::Replace, causes.transpose(), active, R::ONE, Par::Seq);
    }
}

/// The gaps of each step added to those of the steps before it.
fn roll<R: Real>(tasks: &mut [Task<R>]) {
    for at in 1..tasks.len() {
        let (before, after) = tasks.split_at_mut(at);
        if let ([.., before], [after, ..]) = (before, after) {
            after.gaps.iter_mut().zip(&before.gaps).for_each(|(gap, more)| *gap += *more);
        }
    }
}

/// A gap counts at its own step and at every later one.
fn unroll<R: Real>(tasks: &mut [Task<R>]) {
    for at in (1..tasks.len()).rev() {
        let (before, after) = tasks.split_at_mut(at);
        if let ([.., before], [after, ..]) = (before, after) {
            before.gaps.iter_mut().zip(&after.gaps).for_each(|(gap, more)| *gap += *more);
        }
    }
}

/// What is worked on, and what is written.
type Room<'a, R> = (&'a mut [R], &'a mut [R]);

/// From the first layer's outcome to the gaps; leaves the units' activity in its place.
struct Guess;

impl<R: Real> Kernel<(usize, usize, &[R], &[R], Room<'_, R>)> for Guess {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((units, d, effects, heads, (active, gaps)): (usize, usize, &[R], &[R], Room<'_, R>)) {
        let width = d * units;
        let (bias, rest) = heads.split_at(width);
        let (weight, constant) = rest.split_at(width);
        let rows = active.chunks_exact_mut(width).zip(effects.chunks_exact(d));
        for ((row, effects), gaps) in rows.zip(gaps.chunks_exact_mut(d)) {
            for (a, b) in row.iter_mut().zip(bias) {
                *a = (*a + *b).sigmoid();
            }
            for i in 0..d {
                let of_effect = i * units..(i + 1) * units;
                let mut guess = constant[i];
                for (a, w) in row[of_effect.clone()].iter().zip(&weight[of_effect]) {
                    guess += *a * *w;
                }
                gaps[i] = guess - effects[i];
            }
        }
    }
}

/// From the pulls on the gaps to the gradients of the heads; leaves that of the first layer's outcome where
/// the units' activity was.
struct Learn;

impl<R: Real> Kernel<(usize, usize, &[R], &[R], R, Room<'_, R>)> for Learn {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(
        (units, d, pulls, heads, scale, (active, slopes)): (
            usize,
            usize,
            &[R],
            &[R],
            R,
            Room<'_, R>,
        ),
    ) {
        let width = d * units;
        let weight = &heads[width..2 * width];
        let (own_bias, rest) = slopes.split_at_mut(width);
        let (own_weight, own_constant) = rest.split_at_mut(width);
        for (row, pulls) in active.chunks_exact_mut(width).zip(pulls.chunks_exact(d)) {
            for i in 0..d {
                let of_effect = i * units..(i + 1) * units;
                let pull = scale * (pulls[i] + pulls[i]);
                own_constant[i] += pull;
                let own = &mut row[of_effect.clone()];
                let weight = &weight[of_effect.clone()];
                let own_weight = &mut own_weight[of_effect.clone()];
                let own_bias = &mut own_bias[of_effect];
                for u in 0..units {
                    let a = own[u];
                    own_weight[u] += pull * a;
                    own[u] = pull * weight[u] * a * (R::ONE - a);
                    own_bias[u] += own[u];
                }
            }
        }
    }
}

impl<R: Real> Loss<R> for Perceptron<R> {
    fn evaluate(&mut self, knots: &[R], scale: f64, gradient: &mut [R]) -> f64 {
        let (grid, rows, heads) = (&self.grid, &self.rows, &self.heads.values);
        let height = grid.window * rows.per_step;
        let share = 1.0 / (height * self.tasks.len()) as f64;
        let pull = R::of(scale * share);
        if self.kind.rolling {
            self.tasks.par_iter_mut().for_each(|task| {
                task.interpolate(grid, knots);
                task.guess(grid, rows, heads);
            });
            roll(&mut self.tasks);
            self.tasks.par_iter_mut().for_each(Task::count);
            unroll(&mut self.tasks);
            self.tasks.par_iter_mut().for_each(|task| task.learn(grid, rows, heads, pull));
        } else {
            self.tasks.par_iter_mut().for_each(|task| {
                task.interpolate(grid, knots);
                task.guess(grid, rows, heads);
                task.count();
                task.learn(grid, rows, heads, pull);
            });
        }
        self.heads.gradient.fill(R::ZERO);
        let size = grid.size();
        let mut value = 0.0;
        for task in &self.tasks {
            value += task.errors.iter().sum::<f64>();
            let parts = self.heads.gradient.iter_mut().zip(&task.heads);
            parts.for_each(|(g, own)| *g += *own);
            for (knot, share) in [(task.left, R::ONE - task.share), (task.right, task.share)] {
                let into = &mut gradient[knot * size..(knot + 1) * size];
                into.iter_mut().zip(&task.slopes).for_each(|(g, own)| *g += share * *own);
            }
        }
        if !self.kind.bias {
            self.heads.gradient[..grid.width()].fill(R::ZERO);
        }
        value * share + self.shrink(scale)
    }

    fn errors(&self, _knots: &[R]) -> Vec<f64> {
        let rows = (self.grid.window * self.rows.per_step * self.tasks.len()) as f64;
        let error = |i: usize| self.tasks.iter().map(|task| task.errors[i]).sum::<f64>() / rows;
        (0..self.grid.variables).map(error).collect()
    }

    fn step(&mut self, adam: Adam) {
        self.heads.step(adam);
    }

    fn restart(&mut self) {
        self.heads.restart();
    }

    fn importance(&self, knots: &[R]) -> Option<Array3<f64>> {
        Some(super::importance::by_derivative(&self.grid, &self.rows, &self.heads.values, knots))
    }
}

impl<R: Real> State for Perceptron<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.heads.write(out);
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.heads.read(from)
    }
}

#[cfg(test)]
impl Perceptron<f64> {
    /// The gradient of the heads at the last evaluation.
    pub fn gradient(&self) -> &[f64] {
        &self.heads.gradient
    }

    /// Compares the gradient of the heads with central differences.
    pub fn check_gradients(&mut self, knots: &[f64]) {
        let mut unused = vec![0.0; knots.len()];
        self.evaluate(knots, 1.0, &mut unused);
        let gradient = self.heads.gradient.clone();
        let fixed = if self.kind.bias { 0 } else { self.grid.width() };
        assert!(gradient[..fixed].iter().all(|g| *g == 0.0));
        for (at, g) in gradient.iter().enumerate().skip(fixed) {
            let mut moved = |by: f64| {
                self.heads.values[at] += by;
                let value = self.evaluate(knots, 1.0, &mut unused);
                self.heads.values[at] -= by;
                value
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((g - difference).abs() < 1e-6, "{at}: {g} {difference}");
        }
    }
}
