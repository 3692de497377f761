//! Flows and trajectories: what `ode` and `relax` recover, with floors.

// Helpers of tests may fail loudly too; clippy knows only functions marked as tests.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use dycausal::graph::Sources;
use dycausal::{Discover, Ode, Relax, Run};
use dycausal_lab::metrics::{Options, rank, score};
use dycausal_lab::real;
use dycausal_lab::simulate::{Model, Seen, Simulation};

/// F1 of `ode` on a flow, the mean over some seeds.
fn f1(model: &str, variables: usize, noise: (f64, f64), seeds: std::ops::Range<u64>) -> f64 {
    let model: Model = model.parse().unwrap();
    let (process_noise, observation_noise) = noise;
    let seen = Seen { process_noise, observation_noise, ..model.seen().unwrap() };
    let simulation = Simulation { variables, ..Simulation::of(model.with_seen(seen)) };
    let count = seeds.end - seeds.start;
    let one = |seed: u64| {
        let made = simulation.draw(seed).unwrap();
        let found = Ode::default().discover(&made.panel, &mut Run::new(seed)).unwrap();
        let options = Options { threshold: 0.0, diagonal: true };
        score(&made.truth, &found, options).unwrap().all.window.f1.unwrap()
    };
    seeds.map(one).sum::<f64>() / count as f64
}

#[test]
fn lorenz_is_recovered_with_noise_in_the_state_and_in_what_is_seen() {
    for noise in [(0.05, 0.0), (0.0, 0.05)] {
        let found = f1("lorenz", 10, noise, 20..24);
        assert!(found > 0.985, "{noise:?}: {found}");
    }
}

#[test]
fn rings_and_circuits_are_recovered() {
    let ring = f1("kuramoto", 10, (0.05, 0.0), 20..24);
    let genes = f1("hill", 10, (0.05, 0.0), 20..24);
    assert!(ring > 0.97 && genes > 0.9, "{ring} {genes}");
}

#[test]
fn networks_of_genes_are_ranked_as_well_as_is_said() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = real::cases(&data).ok().filter(|cases| cases.iter().any(|c| c.group == "dream3"));
    let Some(cases) = found else {
        eprintln!("skipped: there are no DREAM networks in {}", data.display());
        return;
    };
    for (group, name, floor) in [
        ("dream3", "size100_Ecoli1", 0.80),
        ("dream3", "size100_Ecoli2", 0.92),
        ("dream3", "size100_Yeast1", 0.73),
        ("dream4", "size100_1", 0.81),
        ("dream4", "size100_2", 0.75),
        ("dream4", "size100_3", 0.73),
    ] {
        let Some(case) = cases.iter().find(|c| c.group == group && c.name == name) else {
            eprintln!("skipped: there is no {group} {name}");
            continue;
        };
        let graph = Relax::default().discover(&case.panel, &mut Run::new(0)).unwrap();
        let ranking = graph.ranking().unwrap().with_sources(Sources::Differ);
        let places = ranking.places().filter(|((_, from, to), _)| from != to);
        let scored: Vec<(f64, bool)> =
            places.map(|((_, from, to), s)| (s, case.truth[[from, to]])).collect();
        let auroc = rank(&scored).auroc.unwrap();
        assert!(auroc >= floor, "{group} {name}: {auroc}");
    }
}
