//! Whether edges fit the graph they are put into.

use super::{Bounds, Edge, Trajectory};
use crate::basis::Basis;
use crate::error::{Error, Result};

/// What an edge is called in an error.
pub(super) fn label(edge: &Edge) -> String {
    format!("{} → {} at lag {}", edge.from, edge.to, edge.lag)
}

/// How many knots there are; `None` if there is none, or they do not increase within the steps.
fn knots(at: &[usize], steps: usize) -> Option<usize> {
    let inside = at.last().is_some_and(|last| *last < steps);
    (inside && at.is_sorted_by(|a, b| a < b)).then_some(at.len())
}

/// Whether an edge fits a graph of so many variables and lags.
///
/// # Errors
/// If it does not: what of it, what was found, what was expected.
pub(super) fn edge(edge: &Edge, variables: usize, lag: usize, basis: &Basis) -> Result<()> {
    let refused = |what: &str, found: String, expected: String| {
        Err(Error::shape(format!("{what} of edge {}", label(edge)), found, expected))
    };
    if edge.from >= variables || edge.to >= variables || edge.lag > lag {
        let found = format!("{variables} variables and lag {lag}");
        return refused("graph", found, "room for the edge".into());
    }
    if edge.lag == 0 && edge.from == edge.to {
        return refused("effect", "its own cause".into(), "another variable".into());
    }
    let steps = basis.steps();
    let numbers = edge.trajectory.numbers();
    let needed = match edge.trajectory {
        Trajectory::Constant(_) => 1,
        Trajectory::Coefficients(_) => basis.size(),
        Trajectory::Steps(_) => steps,
        Trajectory::Knots { ref at, .. } => knots(at, steps).unwrap_or(usize::MAX),
        Trajectory::Mixture(ref mixture) => {
            mixture.check(steps)?;
            0
        }
    };
    if numbers.len() != needed {
        return refused("numbers", numbers.len().to_string(), needed.to_string());
    }
    if let Some(bad) = numbers.iter().find(|w| !w.is_finite()) {
        return refused("weight", bad.to_string(), "a finite number".into());
    }
    if edge.effect.as_ref().is_some_and(|effect| !effect.is_sound(steps)) {
        let expected = "finite numbers, as many in each curve as there are values of the cause";
        return refused("effect", "curves that do not fit".into(), expected.into());
    }
    if let Some(band) = &edge.band {
        let size = basis.size();
        let whole = match &band.bounds {
            Bounds::Steps { low, high } => low.len() == steps && high.len() == steps,
            Bounds::Knots { at, low, high } => {
                knots(at, steps) == Some(low.len()) && high.len() == low.len()
            }
            Bounds::Gaussian { centre, covariance, .. } => {
                centre.len() == size && covariance.len() == size * size
            }
            Bounds::Quantiles { .. } => matches!(edge.trajectory, Trajectory::Mixture(_)),
        };
        if !whole {
            let expected = format!("bounds on {steps} steps or {size} functions");
            return refused("band", "another number of bounds".into(), expected);
        }
    }
    let changes = edge.motion.iter().flat_map(|motion| &motion.changes);
    for step in changes.flat_map(|change| [change.low, change.at, change.high]) {
        if step >= steps {
            return refused("change", format!("step {step}"), format!("within {steps} steps"));
        }
    }
    if let Some(certain) = edge.tests.as_ref().and_then(|tests| tests.certain.as_ref()) {
        certain.check(steps)?;
    }
    if let Some(bad) = edge.confidence.filter(|share| !(0.0..=1.0).contains(share)) {
        return refused("confidence", bad.to_string(), "0 to 1".into());
    }
    edge.presence.check(steps)
}
