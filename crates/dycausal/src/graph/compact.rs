//! A graph without a number per step, as it is kept in files.
//!
//! What was learned on a basis, as a mixture or at knots is small already. Where a method has nothing
//! but a weight per step, a long series keeps [`Trajectory::Knots`]: both ends of every level where
//! weights stay for a while, which loses nothing, else evenly spaced steps.

use super::{Band, Bounds, DynamicGraph, Edge, Presence, Trajectory, spaced};
use crate::error::Result;

/// Levels are kept exactly where they take at most one number for so many steps.
const STEPS_PER_LEVEL: usize = 4;

impl DynamicGraph {
    /// The same graph with at most about `most` numbers per edge.
    ///
    /// Edges with more than `most` numbers of their own, one for each step, keep those of `most` evenly
    /// spaced steps and of the steps at which they come and go; weights that stay for several steps are
    /// kept exactly. A lagged edge that comes and goes more often than that counts as there from one of
    /// these steps to the next if it is there at the first. Everything else is as it was.
    ///
    /// # Errors
    /// Never in practice: as [`DynamicGraph::new`].
    ///
    /// ```
    /// use dycausal::graph::{DynamicGraph, Edge, Trajectory};
    /// use dycausal::{Basis, TimeIndex};
    ///
    /// let line = Trajectory::Steps((0..9001).map(|t| f64::from(t) / 9000.0).collect());
    /// let edge = Edge::new(0, 1, 1, line, 9001);
    /// let names = vec!["rain".to_owned(), "river".to_owned()];
    /// let graph = DynamicGraph::new(names, TimeIndex::Steps(9001), 1, Basis::constant(9001)?, vec![edge])?;
    /// let small = graph.compact(500)?;
    /// assert!((small.weight(4321, 1, 0, 1) - graph.weight(4321, 1, 0, 1)).abs() < 1e-12);
    /// assert!(matches!(&small.edges()[0].trajectory, Trajectory::Knots { at, .. } if at.len() == 500));
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    pub fn compact(&self, most: usize) -> Result<Self> {
        if self.is_compact(most) {
            return Ok(self.clone());
        }
        let long = |edge: &Edge| per_step(edge) && self.steps() > most;
        let small = |edge: &Edge| if long(edge) { compacted(edge, most) } else { edge.clone() };
        self.with_edges(self.edges().iter().map(small).collect())
    }

    /// Whether [`DynamicGraph::compact`] would leave everything as it is.
    pub fn is_compact(&self, most: usize) -> bool {
        self.steps() <= most || !self.edges().iter().any(per_step)
    }
}

/// Whether an edge has a number of its own for each step.
fn per_step(edge: &Edge) -> bool {
    let band = edge.band.as_ref().map(|band| &band.bounds);
    matches!(edge.trajectory, Trajectory::Steps(_)) || matches!(band, Some(Bounds::Steps { .. }))
}

fn compacted(edge: &Edge, most: usize) -> Edge {
    let curves = curves(edge);
    let steps = curves.first().map_or(0, |curve| curve.len());
    let (at, exact) = match levels(&curves, most.max(steps / STEPS_PER_LEVEL)) {
        Some(at) => (at, true),
        None => (with_ends(spaced(steps, most), &edge.presence, most), false),
    };
    let taken = |curve: &[f64]| at.iter().map(|step| curve[*step]).collect::<Vec<f64>>();
    let mut small = edge.clone();
    if let Trajectory::Steps(weights) = &edge.trajectory {
        small.trajectory = Trajectory::Knots { at: at.clone(), weights: taken(weights) };
    }
    if let Some(Band { level, bounds: Bounds::Steps { low, high } }) = &edge.band {
        let bounds = Bounds::Knots { at: at.clone(), low: taken(low), high: taken(high) };
        small.band = Some(Band { level: *level, bounds });
    }
    // Within a step an edge too many could close a cycle.
    if !exact && edge.lag > 0 && edge.presence.ranges().len() > most {
        let last = |step: usize| at[at.partition_point(|knot| *knot <= step).max(1) - 1];
        small.presence = Presence::when(steps, |step| edge.presence.contains(last(step)));
    }
    small
}

/// The numbers of an edge that it has one of for each step.
fn curves(edge: &Edge) -> Vec<&[f64]> {
    let mut curves: Vec<&[f64]> = Vec::new();
    if let Trajectory::Steps(weights) = &edge.trajectory {
        curves.push(weights);
    }
    if let Some(Band { bounds: Bounds::Steps { low, high }, .. }) = &edge.band {
        curves.extend([low.as_slice(), high.as_slice()]);
    }
    curves
}

/// Both ends of every level; `None` where there are more than `most`.
fn levels(curves: &[&[f64]], most: usize) -> Option<Vec<usize>> {
    let steps = curves.first().map_or(0, |curve| curve.len());
    let mut ends = vec![0];
    for step in 1..steps {
        if curves.iter().any(|curve| curve[step].to_bits() != curve[step - 1].to_bits()) {
            if ends.last() != Some(&(step - 1)) {
                ends.push(step - 1);
            }
            ends.push(step);
        }
        if ends.len() > most {
            return None;
        }
    }
    if ends.last() != Some(&(steps - 1)) {
        ends.push(steps - 1);
    }
    Some(ends)
}

/// Steps, with both ends of the first `most` stretches at which something is there.
pub(super) fn with_ends(mut steps: Vec<usize>, presence: &Presence, most: usize) -> Vec<usize> {
    let stretches = presence.ranges().iter().take(most);
    steps.extend(stretches.flat_map(|(start, end)| [*start, end - 1]));
    steps.sort_unstable();
    steps.dedup();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::panel::TimeIndex;

    const STEPS: usize = 3000;

    fn graph(weight: impl Fn(usize) -> f64, lag: usize) -> DynamicGraph {
        let path: Vec<f64> = (0..STEPS).map(weight).collect();
        let low = path.iter().map(|w| if *w > 2.0 { f64::NAN } else { w - 1.0 }).collect();
        let high = path.iter().map(|w| w + 1.0).collect();
        let presence = Presence::when(STEPS, |t| path[t] != 0.0);
        let band = Some(Band { level: 0.95, bounds: Bounds::Steps { low, high } });
        let edge = Edge { presence, band, ..Edge::new(0, 1, lag, Trajectory::Steps(path), STEPS) };
        let names = ["a", "b"].map(String::from).to_vec();
        let basis = Basis::constant(STEPS).unwrap();
        DynamicGraph::new(names, TimeIndex::Steps(STEPS), 1, basis, vec![edge]).unwrap()
    }

    fn bytes(graph: &DynamicGraph) -> usize {
        serde_json::to_string(graph).unwrap().len()
    }

    #[test]
    fn levels_come_back_with_the_same_bits() {
        let graph = graph(|t| [0.3, 0.0, -1.0, 2.5][t / 40 % 4], 1);
        let small = graph.compact(500).unwrap();
        assert!(bytes(&small) * 10 < bytes(&graph), "{}", bytes(&small));
        let text = serde_json::to_string(&small).unwrap();
        let back: DynamicGraph = serde_json::from_str(&text).unwrap();
        assert_eq!(back.edges()[0].presence, graph.edges()[0].presence);
        for step in 0..STEPS {
            let bits = |graph: &DynamicGraph| {
                let edge = &graph.edges()[0];
                let (low, high) = edge.bounds(graph.basis(), step).unwrap();
                [edge.weight(graph.basis(), step), low, high].map(f64::to_bits)
            };
            assert_eq!(bits(&back), bits(&graph), "step {step}");
        }
    }

    #[test]
    fn what_is_smooth_is_close_and_what_is_short_stays() {
        let graph = graph(|t| (t as f64 / 400.0).cos(), 0);
        assert_eq!(graph.compact(STEPS).unwrap(), graph);
        let small = graph.compact(300).unwrap();
        assert_eq!(small.edges()[0].presence, graph.edges()[0].presence);
        for step in 0..STEPS {
            let gap = small.weight(step, 0, 0, 1) - graph.weight(step, 0, 0, 1);
            assert!(gap.abs() < 1e-3, "{gap} at {step}");
        }
    }

    #[test]
    fn a_lagged_edge_that_flickers_is_bounded_too() {
        let noise = |t: usize| ((t * 7919) % 101) as f64 - 50.0;
        let flickers = |t: usize| if noise(t) > 0.0 { noise(t) } else { 0.0 };
        let small = graph(flickers, 1).compact(100).unwrap();
        assert!(small.edges()[0].presence.ranges().len() <= 300);
        let within = graph(flickers, 0).compact(100).unwrap();
        assert_eq!(within.edges()[0].presence, graph(flickers, 0).edges()[0].presence);
    }
}
