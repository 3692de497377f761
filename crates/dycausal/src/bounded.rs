//! A limited-memory quasi-Newton method for parameters that are not negative.

use std::collections::VecDeque;

use crate::error::Result;
use crate::linear_algebra::{add_scaled, dot};

/// Share of the decrease that the slope promises which a step has to keep (Armijo).
const ARMIJO: f64 = 1e-4;
/// Halvings of a step after which there is no way down.
const HALVINGS: usize = 50;

/// Minimises f(x) over x ≥ 0 by projected L-BFGS (two-metric projection, Bertsekas 1982).
///
/// Parameters that stand at 0 and would go below stay there; the others move along −H g, H the
/// inverse Hessian that the last `memory` steps tell of, and are put back to 0 where they would go
/// below. A step is halved until f falls enough. A weight with a penalty on its absolute value is
/// the difference of two such parameters.
///
/// ```
/// use dycausal::internals::bounded::Bounded;
///
/// // (x − 1)² + (y + 1)² over x, y ≥ 0.
/// let found = Bounded::default().minimise(vec![5.0, 5.0], |x, g| {
///     (g[0], g[1]) = (2.0 * (x[0] - 1.0), 2.0 * (x[1] + 1.0));
///     Ok((x[0] - 1.0).powi(2) + (x[1] + 1.0).powi(2))
/// })?;
/// assert!((found.point[0] - 1.0).abs() < 1e-6 && found.point[1] == 0.0);
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounded {
    /// How many steps the Hessian is told from.
    pub memory: usize,
    /// Most steps.
    pub iterations: usize,
    /// Largest projected gradient at which it ends.
    pub gradient: f64,
    /// Relative decrease of f below which it ends.
    pub decrease: f64,
}

impl Default for Bounded {
    fn default() -> Self {
        Self { memory: 10, iterations: 15_000, gradient: 1e-6, decrease: 1e-11 }
    }
}

/// Where a search ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// The parameters.
    pub point: Vec<f64>,
    /// f there.
    pub value: f64,
    /// Steps taken.
    pub iterations: usize,
}

impl Bounded {
    /// Searches from a point; `function` gives f and writes its gradient. Where f is infinite or
    /// not a number a shorter step is taken.
    ///
    /// # Errors
    /// As the function.
    pub fn minimise(
        &self,
        start: Vec<f64>,
        function: impl FnMut(&[f64], &mut [f64]) -> Result<f64>,
    ) -> Result<Minimum> {
        let upper = vec![f64::INFINITY; start.len()];
        self.minimise_below(start, &upper, function)
    }

    /// The same for parameters that have an upper bound each as well.
    ///
    /// # Errors
    /// As the function.
    pub fn minimise_below(
        &self,
        start: Vec<f64>,
        upper: &[f64],
        mut function: impl FnMut(&[f64], &mut [f64]) -> Result<f64>,
    ) -> Result<Minimum> {
        let held = |x: f64, upper: f64| x.max(0.0).min(upper);
        let mut point: Vec<f64> = start.into_iter().zip(upper).map(|(x, u)| held(x, *u)).collect();
        let mut gradient = vec![0.0; point.len()];
        let mut value = function(&point, &mut gradient)?;
        let mut history = History { pairs: VecDeque::new(), memory: self.memory };
        let (mut next, mut slope) = (point.clone(), gradient.clone());
        for iteration in 0..self.iterations {
            let free: Vec<bool> = point
                .iter()
                .zip(upper)
                .zip(&gradient)
                .map(|((x, u), g)| (*x > 0.0 || *g < 0.0) && (*x < *u || *g > 0.0))
                .collect();
            let largest = gradient
                .iter()
                .zip(point.iter().zip(upper))
                .zip(&free)
                .filter(|(_, free)| **free)
                .map(|((g, (x, u)), _)| (x - held(x - g, *u)).abs())
                .fold(0.0, f64::max);
            if largest <= self.gradient {
                return Ok(Minimum { point, value, iterations: iteration });
            }
            let direction = history.direction(&gradient, &free);
            let mut length = if history.pairs.is_empty() {
                (1.0 / dot(&direction, &direction).sqrt()).min(1.0)
            } else {
                1.0
            };
            let mut found = None;
            for _ in 0..HALVINGS {
                let moved = point.iter().zip(&direction).map(|(x, d)| x + length * d);
                next.iter_mut().zip(moved.zip(upper)).for_each(|(x, (m, u))| *x = held(m, *u));
                let trial = function(&next, &mut slope)?;
                let promised: f64 =
                    gradient.iter().zip(&next).zip(&point).map(|((g, n), x)| g * (n - x)).sum();
                if trial.is_finite() && trial <= value + ARMIJO * promised {
                    found = Some(trial);
                    break;
                }
                length /= 2.0;
            }
            let Some(trial) = found else {
                // What is remembered may mislead: once more along the gradient, then it is over.
                if history.pairs.is_empty() {
                    return Ok(Minimum { point, value, iterations: iteration });
                }
                history.pairs.clear();
                continue;
            };
            history.add(&point, &next, &gradient, &slope);
            let gain = (value - trial) / value.abs().max(trial.abs()).max(1.0);
            std::mem::swap(&mut point, &mut next);
            std::mem::swap(&mut gradient, &mut slope);
            value = trial;
            if gain <= self.decrease {
                return Ok(Minimum { point, value, iterations: iteration + 1 });
            }
        }
        Ok(Minimum { point, value, iterations: self.iterations })
    }
}

/// The last steps and changes of the gradient.
struct History {
    pairs: VecDeque<(Vec<f64>, Vec<f64>)>,
    memory: usize,
}

impl History {
    /// −H g over the free parameters, by the two loops of L-BFGS; 0 for the others.
    fn direction(&self, gradient: &[f64], free: &[bool]) -> Vec<f64> {
        let only_free = |v: &[f64]| -> Vec<f64> {
            v.iter().zip(free).map(|(x, free)| if *free { *x } else { 0.0 }).collect()
        };
        let mut way: Vec<f64> = only_free(gradient).iter().map(|g| -g).collect();
        // Curvature among the free parameters alone may not be positive: then it tells nothing.
        let mut used = Vec::with_capacity(self.pairs.len());
        for (step, change) in &self.pairs {
            let (step, change) = (only_free(step), only_free(change));
            let curvature = dot(&step, &change);
            if curvature > 1e-12 * dot(&change, &change) {
                used.push((step, change, curvature));
            }
        }
        let mut shares = Vec::with_capacity(used.len());
        for (step, change, curvature) in used.iter().rev() {
            let share = dot(step, &way) / curvature;
            add_scaled(&mut way, -share, change);
            shares.push(share);
        }
        if let Some((_, change, curvature)) = used.last() {
            let scale = curvature / dot(change, change);
            for x in &mut way {
                *x *= scale;
            }
        }
        for ((step, change, curvature), share) in used.iter().zip(shares.iter().rev()) {
            let back = dot(change, &way) / curvature;
            add_scaled(&mut way, share - back, step);
        }
        way
    }

    fn add(&mut self, from: &[f64], to: &[f64], before: &[f64], after: &[f64]) {
        let differ =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| b - a).collect() };
        if self.pairs.len() == self.memory {
            self.pairs.pop_front();
        }
        self.pairs.push_back((differ(from, to), differ(before, after)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rosenbrock's valley, whose minimum over x ≥ 0 is at (1, 1).
    #[test]
    fn a_bent_valley_is_followed() {
        let found = Bounded::default()
            .minimise(vec![0.0, 3.0], |x, g| {
                let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
                g[0] = -2.0 * a - 400.0 * x[0] * b;
                g[1] = 200.0 * b;
                Ok(a * a + 100.0 * b * b)
            })
            .unwrap();
        assert!(found.point.iter().all(|x| (x - 1.0).abs() < 1e-4), "{found:?}");
    }

    proptest! {
        /// A convex quadratic x'Ax/2 − b'x: at its minimum the gradient is 0 where x is above 0, and
        /// not negative elsewhere.
        #[test]
        fn quadratics_end_where_they_should(
            roots in prop::collection::vec(-1.0..1.0f64, 25),
            b in prop::collection::vec(-2.0..2.0f64, 5),
        ) {
            let a = |j: usize, k: usize| {
                let sum: f64 = (0..5).map(|e| roots[e * 5 + j] * roots[e * 5 + k]).sum();
                sum + if j == k { 0.2 } else { 0.0 }
            };
            let slope = |x: &[f64], j: usize| (0..5).map(|k| a(j, k) * x[k]).sum::<f64>() - b[j];
            let exact = Bounded { gradient: 1e-9, decrease: 0.0, ..Bounded::default() };
            let found = exact.minimise(vec![1.0; 5], |x, g| {
                (0..5).for_each(|j| g[j] = slope(x, j));
                Ok((0..5).map(|j| 0.5 * x[j] * (g[j] - b[j])).sum())
            }).unwrap();
            for j in 0..5 {
                let g = slope(&found.point, j);
                prop_assert!(g > -1e-5 && (found.point[j] == 0.0 || g.abs() < 1e-5), "{:?}", found);
            }
        }
    }
}
