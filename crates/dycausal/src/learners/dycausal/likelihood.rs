//! Edges by likelihood, in the order that the published model finds.
//!
//! The order of a network comes out right more often than its edges do: the norm of the first layer does not
//! tell weak causes from none. So its order and the decision about edges can be told apart.

use ndarray::Array2;

use super::DyCausal;
use super::grid::Grid;
use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::learners::nonlinear::GaussianProcess;
use crate::method::{Auto, Run};
use crate::panel::Panel;

impl DyCausal {
    /// The edges that Gaussian processes find in the order of importance\[cause, effect\].
    pub(super) fn by_likelihood(
        &self,
        grid: &Grid,
        importance: Option<Array2<f64>>,
        panel: &Panel,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let d = grid.variables;
        let importance = importance.unwrap_or_else(|| Array2::zeros((grid.causes, d)));
        let order = run.knowledge().arranged(&order(&importance, d));
        run.tell("order", order.iter().map(|v| &panel.names()[*v]).collect::<Vec<_>>());
        let decide = GaussianProcess {
            lag: Auto::Value(self.lag),
            season: Auto::Value(0),
            breaks: false,
            missing: self.missing,
            ..GaussianProcess::default()
        };
        decide.learned(panel, Some(&order), run)
    }
}

/// Variables, causes first: edges within the step are taken over by falling importance, but for those that
/// would close a cycle; then by how many ancestors each has.
fn order(importance: &Array2<f64>, d: usize) -> Vec<usize> {
    let mut edges: Vec<(f64, usize, usize)> = (0..d)
        .flat_map(|from| (0..d).map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (importance[[from, to]], from, to))
        .filter(|(size, _, _)| *size > 0.0)
        .collect();
    edges.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut reaches = Array2::from_shape_fn((d, d), |(a, b)| a == b);
    for (_, from, to) in edges {
        if reaches[[to, from]] {
            continue;
        }
        for a in (0..d).filter(|a| reaches[[*a, from]]).collect::<Vec<_>>() {
            for b in 0..d {
                reaches[[a, b]] |= reaches[[to, b]];
            }
        }
    }
    let ancestors = |v: usize| (0..d).filter(|a| reaches[[*a, v]]).count();
    let mut order: Vec<usize> = (0..d).collect();
    order.sort_by_key(|v| ancestors(*v));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_edges_do_not_turn_strong_ones_around() {
        // 2 → 0 → 1 with a weak 1 → 2 that would close a cycle.
        let mut importance = Array2::zeros((6, 3));
        (importance[[2, 0]], importance[[0, 1]], importance[[1, 2]]) = (0.9, 0.5, 0.1);
        assert_eq!(order(&importance, 3), vec![2, 0, 1]);
    }
}
