//! What the true parents would give: a ceiling for methods that have to find them.

use dycausal::graph::Trajectory;
use dycausal::internals::regression::NormalEquations;
use dycausal::internals::thresholds::SERIES_FOR_STEP_MEANS;
use dycausal::{Basis, DynamicGraph, Edge, Moments, Panel};

use crate::error::Result;

/// Raised whenever other weights come out on the same data.
pub(crate) const VERSION: u32 = 1;

/// The graph with the edges of the truth and the weights that least squares gives them on a basis.
///
/// Each variable is regressed on its true parents, with an intercept that is free at each step where
/// there are enough series.
/// Whoever has to find the parents from the same data and puts weights on the same basis can be
/// better only by luck or by pulling weights towards something.
///
/// # Errors
/// If the moments cannot be had, or the true parents of a variable are collinear.
pub fn oracle(truth: &DynamicGraph, panel: &Panel, basis: &Basis) -> Result<DynamicGraph> {
    let moments = Moments::of(panel, truth.lag())?;
    let mut edges = Vec::new();
    for to in 0..panel.variables() {
        let parents: Vec<&Edge> = truth.edges().iter().filter(|edge| edge.to == to).collect();
        let weights = least_squares(&moments, basis, &parents, to)?;
        for (edge, own) in parents.iter().zip(weights.chunks_exact(basis.size())) {
            let path = Trajectory::Coefficients(own.to_vec());
            edges.push(Edge::new(edge.from, to, edge.lag, path, panel.steps()));
        }
    }
    let (names, times) = (panel.names().to_vec(), panel.times().clone());
    Ok(DynamicGraph::new(names, times, truth.lag(), basis.clone(), edges)?)
}

/// Coefficients\[parent\]\[function\] of one variable.
fn least_squares(
    moments: &Moments,
    basis: &Basis,
    parents: &[&Edge],
    to: usize,
) -> Result<Vec<f64>> {
    let (size, last) = (parents.len() * basis.size(), moments.variables() * (moments.lag() + 1));
    if size == 0 {
        return Ok(Vec::new());
    }
    let column = |k: usize| {
        let edge = parents[k / basis.size()];
        edge.lag * moments.variables() + edge.from
    };
    let mut gram = vec![0.0; size * size];
    let mut cross = vec![0.0; size];
    for t in moments.lag()..moments.steps() {
        let at = moments.at(t);
        // With few series the mean of a step is too uncertain to be taken out.
        let share = if moments.rows(t) < SERIES_FOR_STEP_MEANS as f64 {
            0.0
        } else {
            1.0 / moments.rows(t)
        };
        let around = |j: usize, k: usize| at[[j, k]] - share * at[[j, last]] * at[[last, k]];
        let phi = |k: usize| basis.values()[[t, k % basis.size()]];
        for j in 0..size {
            cross[j] += phi(j) * around(column(j), to);
            for k in 0..=j {
                gram[j * size + k] += phi(j) * phi(k) * around(column(j), column(k));
            }
        }
    }
    let all: Vec<usize> = (0..size).collect();
    NormalEquations::new(gram, cross, 0.0, 0.0).coefficients(&all, 0.0).ok_or_else(|| {
        dycausal::Error::numerical("oracle", format!("the true parents of {to} are collinear"))
            .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Options, score};
    use crate::simulate::Simulation;

    #[test]
    fn true_parents_give_nearly_the_true_weights() {
        let simulation = Simulation { variables: 6, ..Simulation::default() };
        let drawn = simulation.draw(3).unwrap();
        let basis = Basis::new(dycausal::basis::Shape::Legendre { size: 5 }, 50, 0).unwrap();
        let found = oracle(&drawn.truth, &drawn.panel, &basis).unwrap();
        let options = Options { threshold: 0.3, ..Options::default() };
        let scores = score(&drawn.truth, &found, options).unwrap();
        assert!(scores.all.average.f1.unwrap() > 0.97);
        for edge in found.edges() {
            let (own, true_weight) = (
                found.weight(25, edge.lag, edge.from, edge.to),
                drawn.truth.weight(25, edge.lag, edge.from, edge.to),
            );
            assert!((own - true_weight).abs() < 0.15, "{own} for {true_weight}");
        }
    }
}
