//! Weights by step of edges that come and go with the order.

use std::collections::HashMap;
use std::ops::Range;

use crate::graph::{Band, Bounds, Edge, Presence, Trajectory};
use crate::movement::Mixture;
use crate::order::sort_or_cycle;
use crate::scores::linear::LinearScore;

/// The weight of every edge at every step, where it has one.
pub(super) struct Courses {
    steps: usize,
    variables: usize,
    level: f64,
    known: HashMap<(usize, usize), Vec<Option<Estimate>>>,
}

/// A weight between its bounds; these are NaN where there is no band.
type Estimate = (f64, f64, f64);

impl Courses {
    /// Nothing yet.
    pub fn new(steps: usize, variables: usize, level: f64) -> Self {
        let known = HashMap::new();
        Self { steps, variables, level, known }
    }

    /// Notes the weights of a variable in some steps.
    pub fn add(
        &mut self,
        score: &LinearScore,
        to: usize,
        weights: &[(usize, Mixture)],
        steps: Range<usize>,
        lag: usize,
    ) {
        let scale = score.columns.scale();
        for (column, mixture) in weights {
            let unit = scale[to] / scale[column % self.variables];
            let weight = |t: usize| {
                let (low, weight, high) = mixture.interval(t + lag, self.level);
                (unit * low, unit * weight, unit * high)
            };
            let course = self.known.entry((*column, to)).or_insert_with(|| vec![None; self.steps]);
            for t in steps.clone() {
                course[t + lag] = Some(weight(t));
            }
            if steps.start == 0 {
                course[..lag].fill(Some(weight(0)));
            }
        }
    }

    /// Whether one order would do for all steps: then weights change, but not the order.
    pub fn one_order(&self) -> bool {
        let d = self.variables;
        let within = self.known.keys().copied().filter(|(column, _)| *column < d);
        sort_or_cycle(d, &within.collect::<Vec<_>>()).is_ok()
    }

    /// All of them; `before` is the number of each variable in the panel.
    pub fn edges(self, before: &[usize]) -> Vec<Edge> {
        let d = self.variables;
        self.known
            .into_iter()
            .map(|((column, to), course)| {
                let presence = Presence::when(self.steps, |t| course[t].is_some());
                let weights = course.iter().map(|known| known.map_or(0.0, |(_, w, _)| w)).collect();
                let bound = |which: fn(Estimate) -> f64| -> Vec<f64> {
                    course.iter().map(|known| known.map_or(f64::NAN, which)).collect()
                };
                let (low, high) = (bound(|known| known.0), bound(|known| known.2));
                let banded = low.iter().any(|bound| bound.is_finite());
                let band = Band { level: self.level, bounds: Bounds::Steps { low, high } };
                Edge {
                    presence,
                    band: banded.then_some(band),
                    ..Edge::new(
                        before[column % d],
                        before[to],
                        column / d,
                        Trajectory::Steps(weights),
                        self.steps,
                    )
                }
            })
            .collect()
    }
}
