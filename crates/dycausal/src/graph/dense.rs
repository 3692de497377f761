//! A graph as an array\[time, lag, from, to\], and back.

use ndarray::{Array4, ArrayView4, s};

use super::{DynamicGraph, Edge, Presence, Trajectory};
use crate::basis::Basis;
use crate::error::{Error, Result};
use crate::panel::TimeIndex;

impl DynamicGraph {
    /// How many bytes [`DynamicGraph::dense`] takes.
    pub fn dense_bytes(&self) -> u128 {
        let d = self.variables() as u128;
        self.steps() as u128 * (self.lag() as u128 + 1) * d * d * 8
    }

    /// Weights\[time, lag, from, to\], unless that takes more than `limit` bytes.
    ///
    /// # Errors
    /// If the array is larger than the limit.
    pub fn dense(&self, limit: u128) -> Result<Array4<f64>> {
        let bytes = self.dense_bytes();
        if bytes > limit {
            return Err(Error::TooLarge {
                what: "the dense array of weights".into(),
                bytes,
                limit,
            });
        }
        let d = self.variables();
        let mut weights = Array4::zeros((self.steps(), self.lag() + 1, d, d));
        for edge in self.edges() {
            for step in edge.presence.steps() {
                weights[[step, edge.lag, edge.from, edge.to]] =
                    edge.trajectory.value(self.basis(), step);
            }
        }
        Ok(weights)
    }

    /// The graph of weights\[time, lag, from, to\]; an edge is there where its weight is not 0.
    ///
    /// # Errors
    /// If the shape does not fit the names and times, a weight is not finite, or a variable has an
    /// instantaneous effect on itself.
    pub fn from_dense(
        names: Vec<String>,
        times: TimeIndex,
        weights: ArrayView4<'_, f64>,
    ) -> Result<Self> {
        let (steps, lags, d, e) = weights.dim();
        if d != names.len() || e != names.len() || steps != times.len() || lags == 0 {
            let expected = format!("[{}, lag + 1, {1}, {1}]", times.len(), names.len());
            return Err(Error::shape("weights", format!("{:?}", weights.shape()), expected));
        }
        let mut edges = Vec::new();
        for ((lag, from), to) in (0..lags)
            .flat_map(|l| (0..d).map(move |f| (l, f)))
            .flat_map(|pair| (0..d).map(move |to| (pair, to)))
        {
            let path = weights.slice(s![.., lag, from, to]);
            let presence = Presence::when(steps, |t| path[t] != 0.0);
            if presence.is_empty() {
                continue;
            }
            let steady = path.iter().all(|w| *w == path[0]);
            let trajectory = if steady {
                Trajectory::Constant(path[0])
            } else {
                Trajectory::Steps(path.to_vec())
            };
            edges.push(Edge { presence, ..Edge::new(from, to, lag, trajectory, steps) });
        }
        Self::new(names, times, lags - 1, Basis::constant(steps)?, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_back_is_the_same() {
        let mut weights = Array4::zeros((4, 2, 2, 2));
        weights.slice_mut(s![1..3, 0, 0, 1]).fill(0.5);
        weights.slice_mut(s![.., 1, 1, 1]).fill(-2.0);
        let names = vec!["a".to_owned(), "b".to_owned()];
        let graph = DynamicGraph::from_dense(names, TimeIndex::Steps(4), weights.view()).unwrap();
        assert_eq!(graph.edges().len(), 2);
        assert_eq!(graph.at(0).len(), 1);
        assert_eq!(graph.dense(u128::MAX).unwrap(), weights);
        assert_eq!(graph.dense_bytes(), 4 * 2 * 4 * 8);
        assert!(matches!(graph.dense(100), Err(Error::TooLarge { bytes: 256, .. })));
    }

    #[test]
    fn a_wrong_shape_is_refused() {
        let weights = Array4::zeros((4, 1, 2, 2));
        let names = vec!["a".to_owned()];
        assert!(DynamicGraph::from_dense(names, TimeIndex::Steps(4), weights.view()).is_err());
    }
}
