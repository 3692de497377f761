//! Graphs in other units.

use dycausal::DynamicGraph;
use dycausal::graph::{Bounds, Edge, Trajectory};

use crate::error::Result;

/// The graph of variables that are divided by `units`: weight · unit of the cause / of the effect.
pub(super) fn divided(graph: &DynamicGraph, units: &[f64]) -> Result<DynamicGraph> {
    let edges = graph.edges().iter().map(|edge| scaled(edge, units[edge.from] / units[edge.to]));
    let divided = graph.with_edges(edges.collect())?;
    match graph.scale() {
        Some(scale) => {
            Ok(divided.with_scale(scale.iter().zip(units).map(|(sd, unit)| sd / unit).collect())?)
        }
        None => Ok(divided),
    }
}

fn scaled(edge: &Edge, factor: f64) -> Edge {
    let times = |numbers: &[f64]| numbers.iter().map(|w| w * factor).collect::<Vec<f64>>();
    let trajectory = match &edge.trajectory {
        Trajectory::Constant(weight) => Trajectory::Constant(weight * factor),
        Trajectory::Coefficients(numbers) => Trajectory::Coefficients(times(numbers)),
        Trajectory::Steps(weights) => Trajectory::Steps(times(weights)),
        Trajectory::Knots { at, weights } => {
            Trajectory::Knots { at: at.clone(), weights: times(weights) }
        }
        Trajectory::Mixture(mixture) => Trajectory::Mixture(mixture.clone().times(factor)),
    };
    let mut scaled = Edge { trajectory, ..edge.clone() };
    match scaled.band.as_mut().map(|band| &mut band.bounds) {
        Some(Bounds::Steps { low, high } | Bounds::Knots { low, high, .. }) => {
            *low = times(low);
            *high = times(high);
        }
        Some(Bounds::Gaussian { centre, covariance, .. }) => {
            *centre = times(centre);
            for v in covariance {
                *v *= factor * factor;
            }
        }
        Some(Bounds::Quantiles { least, .. }) => *least *= factor.abs(),
        None => {}
    }
    scaled
}
