//! Columns in units of their own standard deviation, and graphs in other units.

use dycausal::graph::{Bounds, Edge, Trajectory};
use dycausal::{DynamicGraph, Panel};
use ndarray::{Array3, Axis};

use crate::error::Result;

/// Brings every column to mean 0 and standard deviation 1 over all series and steps.
///
/// Returns what each column was divided by.
pub(super) fn standardise(values: Array3<f64>) -> Result<(Array3<f64>, Vec<f64>)> {
    let panel = Panel::unnamed(values)?;
    let mut values = panel.values().to_owned();
    let mut units = Vec::with_capacity(panel.variables());
    for (summary, mut column) in panel.summaries().iter().zip(values.axis_iter_mut(Axis(2))) {
        let (mean, sd) = (summary.mean, summary.sd);
        let unit = if sd > 0.0 { sd } else { 1.0 };
        column.mapv_inplace(|x| (x - mean) / unit);
        units.push(unit);
    }
    Ok((values, units))
}

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
