//! The published method finds simulated graphs.

use dycausal::{Discover, Run};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::Simulation;
use dycausal_published::DyCausal;
use dycausal_published::parameters::{Acyclic, Encoder, Penalty};

#[test]
fn free_knots_with_a_group_lasso_recover_a_small_dynamic_graph() {
    let simulation = Simulation { variables: 8, series: 100, ..Simulation::default() };
    let data = simulation.draw(0).unwrap();
    let method = DyCausal {
        encoder: Encoder::Free,
        acyclic: Acyclic::Union,
        penalty: Penalty::Group,
        sparsity: 0.1,
        iterations: 400,
        ..DyCausal::default()
    };
    let graph = method.discover(&data.panel, &mut Run::new(0)).unwrap();
    let found = score(&data.truth, &graph, Options::default()).unwrap();
    let mean = found.all.average.f1.unwrap();
    assert!(mean > 0.9, "mean F1 over all steps: {mean}");
    assert!(graph.certify().is_acyclic());
}
