//! How strong an edge is in standard deviations, so that edges in different units can be compared.

use super::{DynamicGraph, Edge};
use crate::error::{Error, Result};

impl DynamicGraph {
    /// The standard deviation of every variable in the data, where it is known.
    pub fn scale(&self) -> Option<&[f64]> {
        self.scale.as_deref()
    }

    /// The same graph with the standard deviation of every variable.
    ///
    /// # Errors
    /// If there is not one for each variable, or one is negative or not finite.
    pub fn with_scale(mut self, scale: Vec<f64>) -> Result<Self> {
        if scale.len() != self.variables() {
            let expected = format!("{}, one per variable", self.variables());
            return Err(Error::shape("standard deviations", scale.len(), expected));
        }
        if let Some(bad) = scale.iter().find(|sd| !(**sd >= 0.0 && sd.is_finite())) {
            return Err(Error::shape("standard deviation", bad, "0 or more"));
        }
        self.scale = Some(scale);
        Ok(self)
    }

    /// [`DynamicGraph::with_scale`], or nothing new where squares of the data were too large.
    pub(crate) fn with_finite_scale(self, scale: Vec<f64>) -> Result<Self> {
        if scale.iter().all(|sd| sd.is_finite()) { self.with_scale(scale) } else { Ok(self) }
    }

    /// The strength of an edge: by how many standard deviations the effect moves, when it moves
    /// most, with one standard deviation of the cause.
    ///
    /// w · sd(from) / sd(to), with w the weight that is largest in absolute value
    /// ([`Edge::strongest`]). None where the standard deviations are not known or the effect does
    /// not move. It does not depend on units:
    ///
    /// ```
    /// # use dycausal::graph::{DynamicGraph, Edge, Trajectory};
    /// # use dycausal::{Basis, TimeIndex};
    /// # let names = vec!["rain".to_owned(), "river".to_owned()];
    /// let edge = Edge::new(0, 1, 1, Trajectory::Steps(vec![2.0, -8.0, 4.0]), 3);
    /// # let basis = Basis::constant(3)?;
    /// let graph = DynamicGraph::new(names, TimeIndex::Steps(3), 1, basis, vec![edge])?
    ///     .with_scale(vec![0.5, 10.0])?;
    /// assert_eq!(graph.standardised(&graph.edges()[0]), Some(-8.0 * 0.5 / 10.0));
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    pub fn standardised(&self, edge: &Edge) -> Option<f64> {
        self.in_deviations(edge, edge.strongest(self.basis()))
    }

    /// A weight of an edge in standard deviations.
    pub(super) fn in_deviations(&self, edge: &Edge, weight: f64) -> Option<f64> {
        Some(weight * self.unit(edge)?)
    }

    /// The weight of an edge at a step in standard deviations; 0 where it is not there.
    ///
    /// None as in [`DynamicGraph::standardised`].
    pub fn standardised_weight(&self, edge: &Edge, step: usize) -> Option<f64> {
        Some(edge.weight(self.basis(), step) * self.unit(edge)?)
    }

    /// sd(from) / sd(to).
    fn unit(&self, edge: &Edge) -> Option<f64> {
        let scale = self.scale()?;
        let unit = scale.get(edge.from)? / scale.get(edge.to)?;
        unit.is_finite().then_some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::graph::Trajectory;
    use crate::panel::TimeIndex;

    fn graph() -> DynamicGraph {
        let edges = vec![
            Edge::new(0, 1, 1, Trajectory::Steps(vec![1.0, -3.0]), 2),
            Edge::new(1, 2, 1, Trajectory::Constant(1.0), 2),
        ];
        let names = ["a", "b", "c"].map(String::from).to_vec();
        DynamicGraph::new(names, TimeIndex::Steps(2), 1, Basis::constant(2).unwrap(), edges)
            .unwrap()
    }

    #[test]
    fn strength_has_a_sign_and_no_units() {
        let graph = graph().with_scale(vec![2.0, 4.0, 0.0]).unwrap();
        let [first, second] = graph.edges() else { panic!() };
        assert_eq!(graph.standardised(first), Some(-1.5));
        assert_eq!(graph.standardised_weight(first, 0), Some(0.5));
        assert_eq!(graph.standardised(second), None, "the effect does not move");
        assert_eq!(self::graph().standardised(first), None, "nothing is known");
    }

    #[test]
    fn what_no_standard_deviation_can_be_is_refused() {
        for wrong in [vec![1.0], vec![1.0, -1.0, 1.0], vec![1.0, f64::NAN, 1.0]] {
            assert!(graph().with_scale(wrong).is_err());
        }
    }

    #[test]
    fn it_stays_with_the_graph() {
        let scaled = graph().with_scale(vec![2.0, 4.0, 1.0]).unwrap();
        assert_eq!(scaled.prune(2.0).unwrap().scale(), scaled.scale());
        let text = serde_json::to_string(&scaled).unwrap();
        assert_eq!(serde_json::from_str::<DynamicGraph>(&text).unwrap(), scaled);
        let plain = serde_json::to_string(&graph()).unwrap();
        assert!(!plain.contains("scale"), "files of before stay as they were");
        let wrong = text.replace("[2.0,4.0,1.0]", "[2.0]");
        assert!(serde_json::from_str::<DynamicGraph>(&wrong).is_err());
    }
}
