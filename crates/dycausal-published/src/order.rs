//! The acyclicity of the knots, one by one, in pairs or all together; or of every step.

use std::sync::Arc;

use dycausal::internals::real::Real;
use dycausal::internals::vectors::{Kernel, vectorised};
use ndarray::Array2;
use rayon::prelude::*;

use crate::acyclicity::{Acyclicity, Outside, Workspace};
use crate::grid::Grid;
use crate::parameters::Acyclic;

/// Variables from which on several matrices are worth several threads.
const PARALLEL: usize = 40;

/// h of every matrix that has to be acyclic, as a mean.
pub(crate) struct Order<R> {
    constraint: Arc<dyn Acyclicity>,
    /// Where weights are looked at: at knots, or at every step.
    points: Vec<Point>,
    /// Consecutive points whose squares are summed: 1, 2 or all.
    span: usize,
    /// Numbers of a knot that belong to instantaneous weights; they come first.
    instantaneous: usize,
    matrices: Vec<Matrix>,
    /// Squares at each point.
    squares: Vec<Array2<f64>>,
    /// Instantaneous weights at a point between knots.
    between: Vec<R>,
}

/// A step, and how far it is on the way from one knot to another.
#[derive(Debug, Clone, Copy)]
struct Point {
    left: usize,
    right: usize,
    share: f64,
}

impl Point {
    /// The instantaneous weights there.
    fn weights<'a, R: Real>(self, knots: &'a [R], size: usize, room: &'a mut [R]) -> &'a [R] {
        let at = |knot: usize| &knots[knot * size..knot * size + room.len()];
        let (left, right) = (at(self.left), at(self.right));
        if self.share == 0.0 {
            return left;
        }
        let (rest, share) = (R::of(1.0 - self.share), R::of(self.share));
        for (w, (x, y)) in room.iter_mut().zip(left.iter().zip(right)) {
            *w = rest * *x + share * *y;
        }
        room
    }
}

struct Matrix {
    squares: Array2<f64>,
    gradient: Array2<f64>,
    workspace: Workspace,
    value: Result<f64, Outside>,
}

impl<R: Real> Order<R> {
    /// The constraint on the instantaneous weights; `None` where there are none.
    pub fn new(grid: &Grid, acyclic: Acyclic, constraint: Arc<dyn Acyclicity>) -> Option<Self> {
        if grid.first_lag > 0 {
            return None;
        }
        let (d, knots) = (grid.variables, grid.knots.len());
        let span = match acyclic {
            Acyclic::Knot | Acyclic::Step => 1,
            Acyclic::Pair => knots.min(2),
            Acyclic::Union => knots,
        };
        let points: Vec<Point> = if acyclic == Acyclic::Step {
            let steps = grid.segments.iter().flat_map(|segment| {
                let (left, right) = (segment.left, segment.right);
                segment.shares.iter().map(move |share| Point { left, right, share: *share })
            });
            steps.collect()
        } else {
            (0..knots).map(|knot| Point { left: knot, right: knot, share: 0.0 }).collect()
        };
        let matrix = || Matrix {
            squares: Array2::zeros((d, d)),
            gradient: Array2::zeros((d, d)),
            workspace: Workspace::new(d),
            value: Ok(0.0),
        };
        Some(Self {
            constraint,
            matrices: (0..=points.len() - span).map(|_| matrix()).collect(),
            squares: vec![Array2::zeros((d, d)); points.len()],
            points,
            span,
            instantaneous: d * grid.width(),
            between: vec![R::ZERO; d * grid.width()],
        })
    }

    /// Whether h is not defined everywhere.
    pub fn has_domain(&self) -> bool {
        self.constraint.has_domain()
    }

    /// Mean of h; adds its gradient.
    ///
    /// # Errors
    /// If h is not defined for one of the matrices.
    pub fn evaluate(
        &mut self,
        grid: &Grid,
        knots: &[R],
        gradient: &mut [R],
    ) -> Result<f64, Outside> {
        let (size, units) = (grid.size(), grid.units);
        for (point, squares) in self.points.iter().zip(&mut self.squares) {
            let weights = point.weights(knots, size, &mut self.between);
            vectorised::<Squares, _>((squares, weights, units));
        }
        self.measure(grid.variables)?;
        let mean = 1.0 / self.matrices.len() as f64;
        for (m, matrix) in self.matrices.iter().enumerate() {
            for point in &self.points[m..m + self.span] {
                let weights = point.weights(knots, size, &mut self.between);
                for (knot, share) in [(point.left, 1.0 - point.share), (point.right, point.share)] {
                    if share == 0.0 {
                        continue;
                    }
                    let slopes = &mut gradient[knot * size..knot * size + self.instantaneous];
                    let factor = 2.0 * mean * share;
                    vectorised::<Slopes, _>((slopes, weights, &matrix.gradient, factor, units));
                }
            }
        }
        let values = self.matrices.iter().map(|m| m.value);
        Ok(mean * values.sum::<Result<f64, Outside>>()?)
    }

    fn measure(&mut self, variables: usize) -> Result<(), Outside> {
        let (constraint, squares, span) = (&self.constraint, &self.squares, self.span);
        let evaluate = |(m, matrix): (usize, &mut Matrix)| {
            matrix.squares.assign(&squares[m]);
            squares[m + 1..m + span].iter().for_each(|other| matrix.squares += other);
            let slope = matrix.gradient.view_mut();
            matrix.value = constraint.evaluate(matrix.squares.view(), slope, &mut matrix.workspace);
        };
        if variables >= PARALLEL {
            self.matrices.par_iter_mut().enumerate().for_each(evaluate);
        } else {
            self.matrices.iter_mut().enumerate().for_each(evaluate);
        }
        self.matrices.iter().try_for_each(|m| m.value.map(|_| ()))
    }
}

/// Squares of weights\[…, unit\], summed over units.
struct Squares;

impl<R: Real> Kernel<(&mut Array2<f64>, &[R], usize)> for Squares {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((squares, weights, units): (&mut Array2<f64>, &[R], usize)) {
        let Some(squares) = squares.as_slice_mut() else { return };
        if units == 1 {
            let pairs = squares.iter_mut().zip(weights);
            return pairs.for_each(|(square, w)| *square = w.wide() * w.wide());
        }
        for (square, weights) in squares.iter_mut().zip(weights.chunks_exact(units)) {
            *square = weights.iter().map(|w| w.wide() * w.wide()).sum();
        }
    }
}

/// Adds factor · slope · weight.
struct Slopes;

impl<R: Real> Kernel<(&mut [R], &[R], &Array2<f64>, f64, usize)> for Slopes {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((gradient, weights, slopes, factor, units): (&mut [R], &[R], &Array2<f64>, f64, usize)) {
        let Some(slopes) = slopes.as_slice() else { return };
        if units == 1 {
            for ((g, w), slope) in gradient.iter_mut().zip(weights).zip(slopes) {
                *g += R::of(factor * slope) * *w;
            }
            return;
        }
        let parts = gradient.chunks_exact_mut(units).zip(weights.chunks_exact(units));
        for ((g, w), slope) in parts.zip(slopes) {
            let pull = R::of(factor * slope);
            g.iter_mut().zip(w).for_each(|(g, w)| *g += pull * *w);
        }
    }
}
