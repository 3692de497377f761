//! From trajectories to a graph.

use std::collections::BTreeMap;

use ndarray::{ArrayView3, s};
use rayon::prelude::*;

use super::followed::Relaxation;
use super::integral::{Integral, Products};
use super::selection::{Candidates, Selected, select, statistics};
use super::{Relax, horizon, significance};
use crate::basis::Basis;
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge, Trajectory};
use crate::knowledge::Knowledge;
use crate::listing::{self, Candidate, Decision, Searched, counts, decided};
use crate::panel::Panel;
use crate::run::Run;
use crate::run::facts::Counts;

/// Decays per step that are tried.
const DECAYS: [f64; 10] = [0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2];
/// Steps that the form needs.
const FEWEST: usize = 3;

/// What was found for one variable.
#[derive(Debug, Clone)]
struct Found {
    /// Its decay, by number.
    decay: usize,
    selected: Selected,
    /// What speaks for every cause.
    statistics: Vec<f64>,
}

/// Runs all stages.
pub(super) fn learn(
    method: &Relax,
    panel: &Panel,
    run: &mut Run,
) -> Result<(DynamicGraph, Relaxation)> {
    if panel.steps() < FEWEST {
        return Err(Error::TooShort { steps: panel.steps(), lag: 1, needed: FEWEST });
    }
    let (all, rest, scale) = horizon::from_rest(panel.values().view());
    let used = method.horizon.value().unwrap_or_else(|| horizon::steps(all.view()));
    let values = all.slice(s![.., ..used.min(panel.steps()).max(FEWEST), ..]);
    run.facts_mut().horizon = Some(values.dim().1);
    let d = panel.variables();
    let candidates: Vec<Candidates> = (0..d).map(|to| causes(run.knowledge(), d, to)).collect();
    let found = search(method, values, &candidates, run)?;
    run.stage("tests", None);
    let (listed, counts) = list(method, values, &found, &candidates, run)?;
    run.facts_mut().edges = Some(counts);
    let decays = panel.names().iter().zip(&found).map(|(name, f)| (name.clone(), DECAYS[f.decay]));
    run.facts_mut().decay = Some(decays.collect());
    let mut edges = edges(values, &found, &listed, &scale, panel.steps(), run)?;
    // A decay is an effect of a variable on itself; it is an edge where one was required.
    for (v, found) in found.iter().enumerate().filter(|(v, _)| run.knowledge().requires(*v, *v, 1))
    {
        let decay = Trajectory::Constant(-DECAYS[found.decay]);
        edges.push(Edge::new(v, v, 1, decay, panel.steps()));
    }
    let (names, times) = (panel.names().to_vec(), panel.times().clone());
    let graph = DynamicGraph::new(names, times, 1, Basis::constant(panel.steps())?, edges)?;
    let statistics = found.iter().map(|found| found.statistics.clone()).enumerate();
    let all: Vec<usize> = (0..d).collect();
    let graph = graph.with_ranking(listing::ranking(statistics, &all, (1, 1))?)?;
    let mut causes = vec![Vec::new(); d];
    for Decision { candidate, .. } in &listed {
        causes[candidate.to].push(candidate.from);
    }
    let decays = found.iter().map(|found| DECAYS[found.decay]).collect();
    let values = values.to_owned();
    Ok((graph, Relaxation { values, rest, scale, decays, causes }))
}

/// What may cause a variable.
fn causes(knowledge: &Knowledge, variables: usize, to: usize) -> Candidates {
    let allowed =
        (0..variables).filter(|from| *from != to && knowledge.allows(*from, to, 1)).collect();
    // A decay is always there; it needs no cause.
    let required =
        (0..variables).filter(|from| *from != to && knowledge.requires(*from, to, 1)).collect();
    Candidates { allowed, required }
}

/// For every variable the decay that leaves least.
fn search(
    method: &Relax,
    values: ArrayView3<'_, f64>,
    candidates: &[Candidates],
    run: &mut Run,
) -> Result<Vec<Found>> {
    run.stage("decays", Some(DECAYS.len() as u64));
    let shared = &*run;
    let mut best: Vec<Option<Found>> = vec![None; candidates.len()];
    for (number, decay) in DECAYS.iter().enumerate() {
        shared.proceed()?;
        let products = Integral::at(*decay, values).products(values.dim().0);
        shared.parallel(|| {
            best.par_iter_mut().enumerate().for_each(|(to, best)| {
                better(best, method, number, &products, to, &candidates[to]);
            });
        });
        shared.advance(1);
    }
    let none = || Error::numerical("decays", "no decay was tried");
    best.into_iter().map(|found| found.ok_or_else(none)).collect()
}

fn better(
    best: &mut Option<Found>,
    method: &Relax,
    decay: usize,
    products: &Products,
    to: usize,
    candidates: &Candidates,
) {
    let selected = select(products, to, candidates, method.causes);
    if best.as_ref().is_none_or(|best| selected.residual < best.selected.residual) {
        let statistics = statistics(products, to, candidates, &selected);
        *best = Some(Found { decay, selected, statistics });
    }
}

/// Tests every selected cause; those that stand up to it.
fn list(
    method: &Relax,
    values: ArrayView3<'_, f64>,
    found: &[Found],
    candidates: &[Candidates],
    run: &Run,
) -> Result<(Vec<Decision>, Counts)> {
    let mut tested: Vec<Candidate> = Vec::new();
    for (number, decay) in DECAYS.iter().enumerate() {
        run.proceed()?;
        let here: Vec<usize> = (0..found.len()).filter(|to| found[*to].decay == number).collect();
        if here.is_empty() {
            continue;
        }
        let integral = Integral::at(*decay, values);
        let one = |to: &usize| {
            let causes = &found[*to].selected.causes;
            let tests = significance::tests(values, &integral, *decay, *to, causes);
            let cause = |(from, (_, p)): (&usize, (f64, f64))| Candidate {
                from: *from,
                to: *to,
                lag: 1,
                p: Some(p),
                statistic: Some(found[*to].statistics[*from]),
                required: candidates[*to].required.contains(from),
                direction: None,
            };
            causes.iter().zip(tests).map(cause).collect::<Vec<_>>()
        };
        tested.extend(run.parallel(|| here.par_iter().flat_map_iter(one).collect::<Vec<_>>()));
    }
    // A decay is no edge, and none was looked for.
    let between = candidates.iter().map(|candidates| candidates.allowed.len()).sum();
    let mut listed = decided(&tested, Searched { between, own: 0 });
    listed.retain(|decision| decision.is_listed(method.alpha));
    let found = Counts { listed: listed.len(), ..counts(&tested) };
    Ok((listed, found))
}

/// Edges with the weights of a regression on all that are listed of their effect.
fn edges(
    values: ArrayView3<'_, f64>,
    found: &[Found],
    listed: &[Decision],
    scale: &[f64],
    steps: usize,
    run: &Run,
) -> Result<Vec<Edge>> {
    let mut edges = Vec::new();
    for (number, decay) in DECAYS.iter().enumerate() {
        run.proceed()?;
        let here = |decision: &&Decision| found[decision.candidate.to].decay == number;
        let mut of_effect: BTreeMap<usize, Vec<&Decision>> = BTreeMap::new();
        for decision in listed.iter().filter(here) {
            of_effect.entry(decision.candidate.to).or_default().push(decision);
        }
        if of_effect.is_empty() {
            continue;
        }
        let integral = Integral::at(*decay, values);
        for (to, causes) in of_effect {
            let from: Vec<usize> = causes.iter().map(|decision| decision.candidate.from).collect();
            let weights = significance::weights(&integral, to, &from);
            for (decision, weight) in causes.into_iter().zip(weights) {
                let Candidate { from, lag, .. } = decision.candidate;
                let weight = Trajectory::Constant(weight * scale[to] / scale[from]);
                let mut edge = Edge::new(from, to, lag, weight, steps);
                decision.describe(&mut edge);
                edges.push(edge);
            }
        }
    }
    Ok(edges)
}
