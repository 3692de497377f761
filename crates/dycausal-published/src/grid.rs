//! Which steps and knots there are, and where a weight stands.

use dycausal::basis::{Basis, Shape};
use dycausal::internals::real::Real;
use dycausal::{Error, Knowledge, Result};

use crate::parameters::{DyCausal, Ends, Model};

/// Steps between two knots, and how far along each of them is.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The knot before.
    pub left: usize,
    /// The knot after; the same as `left` where there is none.
    pub right: usize,
    /// The first step.
    pub start: usize,
    /// Weight of the knot after, per step from `start` on (Eq. 5); above 1 beyond that knot.
    pub shares: Vec<f64>,
}

/// Sizes of a problem; weights are ordered \[knot, cause, effect, unit\], a cause being a lag and
/// a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
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
    ///
    /// # Errors
    /// If the series are shorter than a window and what is before it.
    pub fn new(
        method: &DyCausal,
        steps: usize,
        variables: usize,
        knowledge: &Knowledge,
    ) -> Result<Self> {
        let first_lag = usize::from(method.model == Model::Ode);
        let first = method.lag;
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
        let last = match method.ends {
            _ if whole => first,
            Ends::Shifted => steps - 1,
            // Eq. 9 counts steps from 1 and ends with T − K.
            Ends::Dropped => (steps - window).saturating_sub(1).max(first),
        };
        let knots = match method.ends {
            _ if whole => vec![first],
            Ends::Shifted => Basis::even_knots(steps, first, method.spacing),
            Ends::Dropped => (first..=last).step_by(method.spacing).collect(),
        };
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
            segments: segments(&knots, last, method.interpolate),
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

    /// How weights move between knots; with `interpolate`, what [`Grid::continued`] gives moves so.
    ///
    /// # Errors
    /// If there are no such knots.
    pub fn basis(&self, interpolate: bool) -> Result<Basis> {
        let first = self.knots[0];
        if interpolate || self.knots.len() == 1 {
            let mut knots = self.knots.clone();
            if let [outer, _, ..] = knots.as_mut_slice() {
                *outer = 0;
            }
            if let [_, .., outer] = knots.as_mut_slice() {
                *outer = self.steps - 1;
            }
            let first = knots[0];
            return Basis::new(Shape::Hat { knots }, self.steps, first);
        }
        let breaks = self.knots.windows(2).map(|k| k[0] + (k[1] - k[0]).div_ceil(2));
        let breaks = breaks.collect();
        Basis::new(Shape::Step { breaks }, self.steps, first)
    }
}

impl Grid {
    /// Weights with the outermost knots moved to the ends of the series, along the lines they stand on
    /// (Eq. 5): no step is left before the first knot or after the last.
    pub fn continued<R: Real>(&self, weights: &[R]) -> Vec<R> {
        let mut moved = weights.to_vec();
        let [first, second, ..] = self.knots[..] else { return moved };
        let [.., before, last] = self.knots[..] else { return moved };
        let (size, count) = (self.size(), self.knots.len());
        let mut along = |outer: usize, inner: usize, beyond: f64| {
            let share = R::of(beyond);
            for at in 0..size {
                let (end, near) = (weights[outer * size + at], weights[inner * size + at]);
                moved[outer * size + at] = share.times_plus(end - near, end);
            }
        };
        along(0, 1, first as f64 / (second - first) as f64);
        let beyond = (self.steps - 1 - last) as f64 / (last - before) as f64;
        along(count - 1, count - 2, beyond);
        moved
    }
}

/// The steps between knots, and those after the last knot up to `end`, on its line.
fn segments(knots: &[usize], end: usize, interpolate: bool) -> Vec<Segment> {
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
    let mut all: Vec<Segment> = between.collect();
    let beyond = end.saturating_sub(knots[last]);
    if interpolate && last > 0 && beyond > 0 {
        let length = (knots[last] - knots[last - 1]) as f64;
        all[last] = Segment {
            left: last - 1,
            right: last,
            start: knots[last],
            shares: (0..=beyond).map(|s| 1.0 + s as f64 / length).collect(),
        };
    }
    all
}

#[cfg(test)]
mod tests {
    use dycausal::{Statements, TimeIndex};
    use serde_json::json;

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
                let step = segment.start + offset;
                let path = grid.continued(&line(&grid));
                let along: Vec<f64> = path.iter().step_by(grid.size()).copied().collect();
                assert!((basis.evaluate(&along, step) - step as f64).abs() < 1e-12);
                let ends = [segment.left, segment.right].map(|knot| grid.knots[knot] as f64);
                let between = (1.0 - share) * ends[0] + share * ends[1];
                assert!((between - step as f64).abs() < 1e-12);
            }
        }
        assert_eq!(basis.evaluate(&[0.0; 13], 0), 0.0);
    }

    /// Weights that are the step itself.
    fn line(grid: &Grid) -> Vec<f64> {
        grid.knots.iter().flat_map(|knot| vec![*knot as f64; grid.size()]).collect()
    }

    #[test]
    fn a_sum_that_ends_before_the_last_window_has_as_many_knots_as_the_paper_counts() {
        let method = DyCausal { ends: Ends::Dropped, ..Default::default() };
        let grid = Grid::new(&method, 50, 3, &Knowledge::default()).unwrap();
        assert_eq!(grid.knots.len(), (50 - 2) / 4);
        let steps = grid.segments.iter().flat_map(|s| s.start..s.start + s.shares.len());
        assert_eq!(steps.collect::<Vec<_>>(), (1..48).collect::<Vec<_>>());
        let path = grid.continued(&line(&grid));
        let along: Vec<f64> = path.iter().step_by(grid.size()).copied().collect();
        let basis = grid.basis(true).unwrap();
        assert!((0..50).all(|step| (basis.evaluate(&along, step) - step as f64).abs() < 1e-12));
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
        let said = json!({
            "forbid": [{"from": "c", "to": "a", "lag": 1}],
            "order": [["c"], ["a"]],
        });
        let said = Statements::from_json("here", said).unwrap();
        let names = ["a", "b", "c"].map(String::from);
        let known = said.resolve(&names, &TimeIndex::Steps(50), &|_| None).unwrap();
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
