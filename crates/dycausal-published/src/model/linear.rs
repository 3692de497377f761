//! The linear model of Eq. 9, from moments.
//!
//! With W_t = Σ_k φ_k(t) W_k and G_t the moments of the window of t, the loss
//!
//! mean_t tr((I − W_t)ᵀ G_t (I − W_t)) = c + Σ_k ⟨W_k, Σ_l H_kl W_l − 2 B_k⟩
//!
//! is quadratic, with H_kl = mean_t φ_k φ_l G_t and B_k = mean_t φ_k G_t\[·, effects\]. A step has two knots,
//! so H_kl is 0 but for neighbours: one product per knot gives loss and gradient, and neither the
//! number of series nor that of steps is seen again.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::{Kernel, vectorised};
use dycausal::{Error, Moments, Result};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, s};
use rayon::prelude::*;

use super::Loss;
use crate::balance::factors;
use crate::grid::Grid;
use crate::kernels::VECTOR;
use crate::optimise::{Adam, Reader, State};

/// The quadratic, knot by knot.
pub(crate) struct Linear<R> {
    size: usize,
    /// Mean square of every effect.
    squares: Vec<f64>,
    knots: Vec<Knot<R>>,
}

/// What concerns one knot.
struct Knot<R> {
    causes: usize,
    /// First of the knots that share a step with this one.
    first: usize,
    /// H\[cause, (neighbour, cause)\].
    curvature: Vec<R>,
    /// B\[cause, effect\].
    pull: Vec<R>,
    /// Σ_l H_kl W_l.
    product: Vec<R>,
    value: f64,
}

impl<R: Real> Linear<R> {
    /// Pools the moments of every window; with `balance`, no step counts more than the median one.
    ///
    /// # Errors
    /// If a window has no complete row.
    pub fn new(grid: &Grid, moments: &Moments, balance: bool) -> Result<Self> {
        let (q, d, count) = (grid.causes, grid.variables, grid.knots.len());
        let mut curvature = vec![[(); 2].map(|()| Array2::<f64>::zeros((q, q))); count];
        let mut pull = vec![Array2::<f64>::zeros((q, d)); count];
        let mut squares = vec![0.0; d];
        let shares = shares_of_steps(grid, moments, balance);
        let mut shares = shares.into_iter();
        for segment in &grid.segments {
            let (left, right) = (segment.left, segment.right);
            for (offset, share) in segment.shares.iter().enumerate() {
                let share_of_step = shares.next().unwrap_or(0.0);
                let gram = pooled(grid, moments, segment.start + offset)? * share_of_step;
                squares.iter_mut().zip(gram.diag()).for_each(|(s, g)| *s += g);
                let effects = gram.slice(s![.., ..d]);
                let rest = 1.0 - share;
                curvature[left][0].scaled_add(rest * rest, &gram);
                pull[left].scaled_add(rest, &effects);
                if *share > 0.0 {
                    curvature[left][1].scaled_add(rest * share, &gram);
                    curvature[right][0].scaled_add(share * share, &gram);
                    pull[right].scaled_add(*share, &effects);
                }
            }
        }
        let knots = (0..count).map(|k| Knot::new(k, &curvature, &pull[k]));
        Ok(Self { size: grid.size(), squares, knots: knots.collect() })
    }
}

/// What each reconstructed step counts for, segment by segment.
fn shares_of_steps(grid: &Grid, moments: &Moments, balance: bool) -> Vec<f64> {
    let count = grid.reconstructed();
    if !balance {
        return vec![1.0 / count as f64; count];
    }
    let square = |step: usize| {
        let start = grid.window_start(step);
        let steps = start..start + grid.window;
        let rows: f64 = steps.clone().map(|t| moments.rows(t)).sum();
        let sum: f64 =
            steps.map(|t| moments.at(t).diag().iter().take(grid.variables).sum::<f64>()).sum();
        sum / rows.max(1.0)
    };
    let steps = grid.segments.iter().flat_map(|s| s.start..s.start + s.shares.len());
    let squares: Vec<f64> = steps.map(square).collect();
    factors(&squares).iter().map(|factor| factor / count as f64).collect()
}

/// Mean over the rows of a window of z zᵀ, without the constant.
fn pooled(grid: &Grid, moments: &Moments, step: usize) -> Result<Array2<f64>> {
    let start = grid.window_start(step);
    let q = grid.causes;
    let mut gram = Array2::<f64>::zeros((q, q));
    let mut rows = 0.0;
    for t in start..start + grid.window {
        gram += &moments.at(t).slice(s![..q, ..q]);
        rows += moments.rows(t);
    }
    if rows == 0.0 {
        let what = format!(
            "no row of steps {} to {} is complete; raise `window` ({})",
            start + 1,
            start + grid.window,
            grid.window
        );
        return Err(Error::numerical("moments", what));
    }
    Ok(gram / rows)
}

impl<R: Real> Knot<R> {
    fn new(k: usize, curvature: &[[Array2<f64>; 2]], pull: &Array2<f64>) -> Self {
        let q = pull.nrows();
        let first = k.saturating_sub(1);
        let last = (k + 1).min(curvature.len() - 1);
        let block = |l: usize| match l.cmp(&k) {
            std::cmp::Ordering::Less => &curvature[l][1],
            std::cmp::Ordering::Equal => &curvature[k][0],
            std::cmp::Ordering::Greater => &curvature[k][1],
        };
        let mut rows = Vec::with_capacity(q * q * (last - first + 1));
        for cause in 0..q {
            for l in first..=last {
                rows.extend(block(l).row(cause).iter().map(|h| R::of(*h)));
            }
        }
        Self {
            causes: q,
            first,
            curvature: rows,
            pull: pull.iter().map(|b| R::of(*b)).collect(),
            product: vec![R::ZERO; pull.len()],
            value: 0.0,
        }
    }

    /// Loss and gradient of this knot's part.
    fn evaluate(&mut self, own: &[R], near: &[R], scale: R, gradient: &mut [R]) {
        let rows = self.causes;
        let (inner, width) = (self.curvature.len() / rows, own.len() / rows);
        let out = MatMut::from_row_major_slice_mut(&mut self.product, rows, width);
        let curvature = MatRef::from_row_major_slice(&self.curvature, rows, inner);
        let near = MatRef::from_row_major_slice(near, inner, width);
        matmul(out, Accum::Replace, curvature, near, R::ONE, Par::Seq);
        self.value =
            vectorised::<Slopes, _>((gradient, own, &self.product[..], &self.pull[..], scale));
    }
}

/// ⟨W, P − 2B⟩, adding twice `scale` times P − B to the gradient.
struct Slopes;

impl<R: Real> Kernel<(&mut [R], &[R], &[R], &[R], R)> for Slopes {
    type Output = f64;

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((gradient, own, product, pull, scale): (&mut [R], &[R], &[R], &[R], R)) -> f64 {
        let twice = scale + scale;
        let mut lanes = [R::ZERO; VECTOR];
        let count = own.len();
        let mut start = 0;
        while start < count {
            let end = (start + VECTOR).min(count);
            let parts = product[start..end].iter().zip(&pull[start..end]);
            let parts = parts.zip(&own[start..end]).zip(&mut gradient[start..end]);
            for (lane, (((p, b), w), g)) in lanes.iter_mut().zip(parts) {
                let gap = *p - *b;
                *lane += *w * (gap - *b);
                *g += twice * gap;
            }
            start = end;
        }
        lanes.iter().map(|x| x.wide()).sum()
    }
}

impl<R: Real> Loss<R> for Linear<R> {
    fn evaluate(&mut self, knots: &[R], scale: f64, gradient: &mut [R]) -> f64 {
        let size = self.size;
        let scale = R::of(scale);
        let each = self.knots.par_iter_mut().zip(gradient.par_chunks_exact_mut(size));
        each.enumerate().for_each(|(k, (knot, gradient))| {
            let own = &knots[k * size..(k + 1) * size];
            let near = knot.first * size..(k + 2).min(knots.len() / size) * size;
            knot.evaluate(own, &knots[near], scale, gradient);
        });
        self.squares.iter().sum::<f64>() + self.knots.iter().map(|knot| knot.value).sum::<f64>()
    }

    fn errors(&self, knots: &[R]) -> Vec<f64> {
        let mut errors = self.squares.clone();
        let d = errors.len();
        for (knot, own) in self.knots.iter().zip(knots.chunks_exact(self.size)) {
            let parts = knot.product.iter().zip(&knot.pull);
            for (at, (w, (p, b))) in own.iter().zip(parts).enumerate() {
                errors[at % d] += w.wide() * (p.wide() - 2.0 * b.wide());
            }
        }
        errors
    }

    fn step(&mut self, _adam: Adam) {}

    fn restart(&mut self) {}
}

impl<R> State for Linear<R> {
    fn write(&self, _out: &mut Vec<u8>) {}

    fn read(&mut self, _from: &mut Reader<'_>) -> Option<()> {
        Some(())
    }
}
