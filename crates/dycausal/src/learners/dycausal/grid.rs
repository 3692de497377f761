//! Which steps and knots there are, and where a weight stands.

use super::{Difference, DyCausal, Model};
use crate::basis::{Basis, Shape};
use crate::error::{Error, Result};
use crate::knowledge::Knowledge;

/// Steps between two knots, and how far along each of them is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Segment {
    /// The knot before.
    pub left: usize,
    /// The knot after; the same as `left` at the last step.
    pub right: usize,
    /// The first step.
    pub start: usize,
    /// Weight of the knot after, per step from `start` on (Eq. 5).
    pub shares: Vec<f64>,
}

/// Sizes of a problem; weights are ordered \[knot, cause, effect, unit\], a cause being a lag and
/// a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    /// Steps of the series.
    pub steps: usize,
    /// Variables, d.
    pub variables: usize,
    /// First lag that has weights: 0, or 1 without instantaneous causes.
    pub first_lag: usize,
    /// Causes: d per lag.
    pub causes: usize,
    /// Hidden units per effect, m; 1 in the linear model.
    pub units: usize,
    /// Steps that share one matrix.
    pub window: usize,
    /// The knots' steps.
    pub knots: Vec<usize>,
    /// What stands between knots.
    pub segments: Vec<Segment>,
    /// First number, within a knot, of each weight that has to be 0.
    masked: Vec<usize>,
}

impl Grid {
    /// The grid of a fit of series of `steps` steps, with the weights that may be.
    pub fn new(
        method: &DyCausal,
        steps: usize,
        variables: usize,
        knowledge: &Knowledge,
    ) -> Result<Self> {
        let first_lag = usize::from(method.model == Model::Ode);
        let first = method.first_step();
        let whole = method.window == 0;
        let window = if whole { steps.saturating_sub(first).max(1) } else { method.window };
        let needed = first.saturating_add(window);
        if steps < needed {
            let expected =
                format!("at most {}, for series of {steps} steps", steps.saturating_sub(first));
            let short = Error::TooShort { steps, lag: method.lag, needed };
            let narrow = Error::parameter("window", method.window, expected);
            return Err(if steps <= first { short } else { narrow });
        }
        let even = || Basis::even_knots(steps, first, method.spacing);
        let knots = if whole { vec![first] } else { even() };
        let causes = variables * (method.lag + 1 - first_lag);
        let units = if method.model == Model::Linear { 1 } else { method.units };
        // No variable causes itself within the step, and nothing causes what it is known not to.
        let itself = |cause: usize, to: usize| first_lag == 0 && cause == to;
        let may = |cause: usize, to: usize| {
            knowledge.allows(cause % variables, to, cause / variables + first_lag)
        };
        let masked = (0..causes * variables)
            .filter(|k| {
                let (cause, to) = (k / variables, k % variables);
                itself(cause, to) || !may(cause, to)
            })
            .map(|k| k * units)
            .collect();
        Ok(Self {
            steps,
            variables,
            first_lag,
            causes,
            units,
            masked,
            window,
            segments: segments(&knots, method.interpolate),
            knots,
        })
    }

    /// Numbers per cause: effects times units.
    pub fn width(&self) -> usize {
        self.variables * self.units
    }

    /// Numbers per knot.
    pub fn size(&self) -> usize {
        self.causes * self.width()
    }

    /// Steps that are reconstructed.
    pub fn reconstructed(&self) -> usize {
        self.segments.iter().map(|s| s.shares.len()).sum()
    }

    /// First step of the window of a step: moved back at the end of the series.
    pub fn window_start(&self, step: usize) -> usize {
        step.min(self.steps - self.window)
    }

    /// Sets to 0 whatever stands for a variable's instantaneous effect on itself, and for edges
    /// that are known not to be.
    pub fn mask<R: Copy>(&self, weights: &mut [R], zero: R) {
        for knot in weights.chunks_exact_mut(self.size()) {
            for start in &self.masked {
                knot[*start..start + self.units].fill(zero);
            }
        }
    }

    /// How weights move between knots.
    pub fn basis(&self, interpolate: bool) -> Result<Basis> {
        let first = self.knots[0];
        if interpolate || self.knots.len() == 1 {
            let knots = self.knots.clone();
            return Basis::new(Shape::Hat { knots }, self.steps, first);
        }
        let breaks = self.knots.windows(2).map(|k| k[0] + (k[1] - k[0]).div_ceil(2));
        let breaks = breaks.collect();
        Basis::new(Shape::Step { breaks }, self.steps, first)
    }
}

impl DyCausal {
    /// The first step that has all of its causes.
    pub(super) fn first_step(&self) -> usize {
        let central = self.model == Model::Ode && self.difference == Difference::Central;
        if central { self.lag.max(2) } else { self.lag }
    }
}

fn segments(knots: &[usize], interpolate: bool) -> Vec<Segment> {
    let last = knots.len() - 1;
    let between = (0..knots.len()).map(|left| {
        let right = (left + 1).min(last);
        let length = (knots[right] - knots[left]).max(1);
        let kept = if interpolate { length } else { 1 };
        Segment {
            left,
            right: if interpolate { right } else { left },
            start: knots[left],
            shares: (0..kept).map(|s| s as f64 / length as f64).collect(),
        }
    });
    between.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_the_hat_functions() {
        let method = DyCausal::default();
        let grid = Grid::new(&method, 50, 3, &Knowledge::default()).unwrap();
        assert_eq!(grid.knots.len(), 13);
        assert_eq!(grid.reconstructed(), 49);
        let basis = grid.basis(true).unwrap();
        for segment in &grid.segments {
            for (offset, share) in segment.shares.iter().enumerate() {
                let phi = basis.at(segment.start + offset);
                assert!((phi[segment.left] - (1.0 - share)).abs() < 1e-12);
                assert!(
                    segment.left == segment.right || (phi[segment.right] - share).abs() < 1e-12
                );
            }
        }
    }

    #[test]
    fn without_interpolation_only_knots_take_part() {
        let method = DyCausal { interpolate: false, ..Default::default() };
        let grid = Grid::new(&method, 50, 3, &Knowledge::default()).unwrap();
        assert_eq!(grid.reconstructed(), 13);
        let basis = grid.basis(false).unwrap();
        for (k, step) in grid.knots.iter().enumerate() {
            assert_eq!(basis.at(*step)[k], 1.0);
        }
    }

    #[test]
    fn the_mask_holds_the_diagonal_and_what_cannot_be() {
        let masked = |method: &DyCausal, knowledge: &Knowledge| {
            let grid = Grid::new(method, 50, 3, knowledge).unwrap();
            let mut weights = vec![1; grid.knots.len() * grid.size()];
            grid.mask(&mut weights, 0);
            let last = &weights[weights.len() - grid.size()..];
            (0..last.len()).filter(|k| last[*k] == 0).collect::<Vec<_>>()
        };
        let method = DyCausal::default();
        assert_eq!(masked(&method, &Knowledge::default()), [0, 4, 8]);
        let known = Knowledge::forbidding(3, &[(2, 0, 1)], &[(0, 2)]);
        assert_eq!(masked(&method, &known), [0, 2, 4, 8, 9 + 6]);
        let method = DyCausal { model: Model::Ode, units: 2, ..method };
        assert_eq!(masked(&method, &Knowledge::default()), [0; 0]);
        assert_eq!(masked(&method, &known), [12, 13]);
    }

    #[test]
    fn a_window_of_all_steps_has_one_knot() {
        let method = DyCausal { window: 0, lag: 2, ..Default::default() };
        let grid = Grid::new(&method, 50, 3, &Knowledge::default()).unwrap();
        assert_eq!((grid.window, grid.knots.as_slice(), grid.reconstructed()), (48, &[2][..], 1));
        let basis = grid.basis(true).unwrap();
        assert!((2..50).all(|step| basis.at(step).iter().eq([&1.0])));
        assert!(matches!(
            Grid::new(&method, 2, 3, &Knowledge::default()),
            Err(Error::TooShort { .. })
        ));
    }

    #[test]
    fn short_series_are_refused() {
        let method = DyCausal { window: 10, ..Default::default() };
        assert!(matches!(
            Grid::new(&method, 10, 2, &Knowledge::default()),
            Err(Error::Parameter { .. })
        ));
        assert!(matches!(
            Grid::new(&method, 1, 2, &Knowledge::default()),
            Err(Error::TooShort { .. })
        ));
        assert_eq!(Grid::new(&method, 11, 2, &Knowledge::default()).unwrap().window_start(10), 1);
    }
}
