//! A curve over time that is known at some steps and straight between them.

use super::{Edge, Trajectory};
use crate::basis::Basis;

/// Steps up to which curves are looked at step by step …
const SHORT: usize = 2000;
/// … and how many evenly spaced ones of a longer series.
const LOOKED_AT: usize = 500;

/// Values at some steps, in increasing order; straight between them, level before and after.
///
/// ```
/// use dycausal::graph::Knots;
///
/// let curve = Knots { at: vec![2, 6], values: vec![1.0, 3.0] };
/// assert_eq!([0, 2, 3, 6, 9].map(|step| curve.value(step)), [1.0, 1.0, 1.5, 3.0, 3.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Knots {
    /// The steps.
    pub at: Vec<usize>,
    /// The values there.
    pub values: Vec<f64>,
}

impl Knots {
    /// The value at a step; NaN without knots.
    pub fn value(&self, step: usize) -> f64 {
        between(&self.at, &self.values, step)
    }

    /// The values at `steps` steps from `first` on, one after the other.
    pub fn along(&self, first: usize, steps: usize) -> impl Iterator<Item = f64> + '_ {
        let mut after = self.at.partition_point(|at| *at <= first);
        (first..first + steps).map(move |step| {
            while self.at.get(after).is_some_and(|at| *at <= step) {
                after += 1;
            }
            straight(&self.at, &self.values, after, step)
        })
    }
}

/// The value of a curve at a step.
pub(super) fn between(at: &[usize], values: &[f64], step: usize) -> f64 {
    straight(at, values, at.partition_point(|at| *at <= step), step)
}

/// The same, where `after` is the first knot after the step.
fn straight(at: &[usize], values: &[f64], after: usize, step: usize) -> f64 {
    let Some(before) = after.checked_sub(1) else {
        return values.first().copied().unwrap_or(f64::NAN);
    };
    let Some(next) = at.get(after) else { return values[before] };
    if at[before] == step {
        return values[before];
    }
    let share = (step - at[before]) as f64 / (next - at[before]) as f64;
    values[before] + (values[after] - values[before]) * share
}

/// At most `most` of `steps` steps, evenly spaced, with the first and the last.
///
/// ```
/// assert_eq!(dycausal::graph::spaced(11, 3), [0, 5, 10]);
/// assert_eq!(dycausal::graph::spaced(3, 500), [0, 1, 2]);
/// ```
pub fn spaced(steps: usize, most: usize) -> Vec<usize> {
    let most = most.max(2);
    if steps <= most {
        return (0..steps).collect();
    }
    let place = |k: usize| (k as u128 * (steps as u128 - 1) / (most as u128 - 1)) as usize;
    (0..most).map(place).collect()
}

impl Edge {
    /// The weight over time, also where the edge is not there: exactly up to 2,000 steps, and where it
    /// has levels and jumps alone; of longer series at 500 evenly spaced steps and on both sides of every
    /// jump, and straight between them.
    pub fn curve(&self, basis: &Basis) -> Knots {
        let value = |step: &usize| self.trajectory.value(basis, *step);
        match &self.trajectory {
            Trajectory::Constant(weight) => Knots { at: vec![0], values: vec![*weight] },
            Trajectory::Mixture(mixture) if mixture.stays() => {
                Knots { at: vec![0], values: vec![mixture.median(0)] }
            }
            Trajectory::Knots { at, weights } => Knots { at: at.clone(), values: weights.clone() },
            Trajectory::Steps(weights) => {
                Knots { at: (0..weights.len()).collect(), values: weights.clone() }
            }
            Trajectory::Coefficients(_) | Trajectory::Mixture(_) => {
                let at = self.looked_at(basis.steps());
                let values = match &self.trajectory {
                    Trajectory::Mixture(mixture) if at.len() == mixture.span().steps => {
                        mixture.medians().to_vec()
                    }
                    _ => at.iter().map(value).collect(),
                };
                Knots { at, values }
            }
        }
    }

    /// The steps that say how the weight moves.
    fn looked_at(&self, steps: usize) -> Vec<usize> {
        if let Trajectory::Mixture(mixture) = &self.trajectory {
            let jumps = mixture.beside_jumps();
            if mixture.has_levels_alone() {
                return merged([vec![0], jumps].concat());
            }
            if steps > SHORT {
                return merged([spaced(steps, LOOKED_AT), jumps].concat());
            }
        }
        if steps > SHORT {
            let stretches = self.presence.ranges().iter().take(LOOKED_AT);
            let ends = stretches.flat_map(|(start, end)| [*start, end - 1]).collect();
            return merged([spaced(steps, LOOKED_AT), ends].concat());
        }
        (0..steps).collect()
    }
}

fn merged(mut steps: Vec<usize>) -> Vec<usize> {
    steps.sort_unstable();
    steps.dedup();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::{Component, Course, Mixture, Span};

    #[test]
    fn walking_along_is_asking_step_by_step() {
        let curve = Knots { at: vec![1, 4, 5, 9], values: vec![0.5, -1.0, 2.0, 2.0] };
        for first in 0..12 {
            let walked: Vec<f64> = curve.along(first, 12 - first).collect();
            let asked: Vec<f64> = (first..12).map(|step| curve.value(step)).collect();
            assert_eq!(walked, asked);
        }
    }

    #[test]
    fn of_many_steps_few_are_taken_with_both_ends() {
        for (steps, most) in [(1, 5), (501, 500), (1_000_000, 500), (7, 1)] {
            let taken = spaced(steps, most);
            assert!(taken.len() <= most.max(2) && taken.is_sorted_by(|a, b| a < b));
            assert_eq!((taken[0], taken[taken.len() - 1]), (0, steps - 1));
        }
    }

    #[test]
    fn a_long_curve_is_close_and_exact_where_it_jumps() {
        let steps = 50_000;
        let part = Component {
            share: 1.0,
            course: Course::SmoothJump(6, 12_345),
            later: Vec::new(),
            mean: vec![0.3, 0.5, -0.2, 0.1, 0.1, -0.3, 0.7],
            factor: Vec::new(),
        };
        let mixture = Mixture::new(Span { first: 1, steps }, vec![part]).unwrap();
        let edge = Edge::new(0, 1, 1, Trajectory::Mixture(mixture), steps);
        let basis = Basis::constant(steps).unwrap();
        let curve = edge.curve(&basis);
        assert!(curve.at.len() < 600);
        for step in (0..steps).step_by(97).chain([12_344, 12_345]) {
            let gap = curve.value(step) - edge.weight(&basis, step);
            assert!(gap.abs() < 1e-4, "{gap} at {step}");
        }
    }
}
