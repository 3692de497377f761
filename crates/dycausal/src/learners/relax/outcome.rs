//! From trajectories to a graph.

use std::collections::BTreeMap;

use ndarray::{Array3, ArrayView3, s};
use rayon::prelude::*;

use super::followed::Relaxation;
use super::integral::{Integral, Products};
use super::selection::{Candidates, Selected, select, statistics};
use super::{Relax, horizon, significance};
use crate::basis::Basis;
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge, Ranking, Tests, Trajectory};
use crate::inference::adjusted_among;
use crate::inference::listing::Counts;
use crate::knowledge::Knowledge;
use crate::panel::Panel;
use crate::run::Run;

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

/// A cause with its test.
#[derive(Debug, Clone, Copy)]
struct Cause {
    from: usize,
    to: usize,
    p: f64,
    q: f64,
    required: bool,
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
    run.tell("horizon", values.dim().1);
    let d = panel.variables();
    let candidates: Vec<Candidates> = (0..d).map(|to| causes(run.knowledge(), d, to)).collect();
    let found = search(method, values, &candidates, run)?;
    run.stage("tests", None);
    let (listed, counts) = list(method, values, &found, &candidates, run)?;
    run.tell("edges", counts);
    let decays = panel.names().iter().zip(&found).map(|(name, f)| (name, DECAYS[f.decay]));
    run.tell("decay", decays.collect::<BTreeMap<_, _>>());
    let mut edges = edges(values, &found, &listed, &scale, panel.steps(), run)?;
    // A decay is an effect of a variable on itself; it is an edge where one was required.
    for (v, found) in found.iter().enumerate().filter(|(v, _)| run.knowledge().requires(*v, *v, 1))
    {
        let decay = Trajectory::Constant(-DECAYS[found.decay]);
        edges.push(Edge::new(v, v, 1, decay, panel.steps()));
    }
    let (names, times) = (panel.names().to_vec(), panel.times().clone());
    let graph = DynamicGraph::new(names, times, 1, Basis::constant(panel.steps())?, edges)?;
    let graph = graph.with_ranking(ranking(&found)?)?;
    let mut causes = vec![Vec::new(); d];
    for cause in &listed {
        causes[cause.to].push(cause.from);
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
) -> Result<(Vec<Cause>, Counts)> {
    let mut tested: Vec<Cause> = Vec::new();
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
            let cause = |(from, (_, p)): (&usize, (f64, f64))| Cause {
                from: *from,
                to: *to,
                p,
                q: 1.0,
                required: candidates[*to].required.contains(from),
            };
            causes.iter().zip(tests).map(cause).collect::<Vec<_>>()
        };
        tested.extend(run.parallel(|| here.par_iter().flat_map_iter(one).collect::<Vec<_>>()));
    }
    let p: Vec<f64> = tested.iter().map(|cause| cause.p).collect();
    let possible = candidates.iter().map(|candidates| candidates.allowed.len()).sum();
    for (cause, q) in tested.iter_mut().zip(adjusted_among(&p, possible)) {
        cause.q = q;
    }
    let selected = tested.len();
    tested.retain(|cause| cause.required || cause.q <= method.alpha || method.alpha >= 1.0);
    let counts = Counts { selected, tested: selected, listed: tested.len() };
    Ok((tested, counts))
}

/// Edges with the weights of a regression on all that are listed of their effect.
fn edges(
    values: ArrayView3<'_, f64>,
    found: &[Found],
    listed: &[Cause],
    scale: &[f64],
    steps: usize,
    run: &Run,
) -> Result<Vec<Edge>> {
    let mut edges = Vec::new();
    for (number, decay) in DECAYS.iter().enumerate() {
        run.proceed()?;
        let here = |cause: &&Cause| found[cause.to].decay == number;
        let mut of_effect: BTreeMap<usize, Vec<&Cause>> = BTreeMap::new();
        for cause in listed.iter().filter(here) {
            of_effect.entry(cause.to).or_default().push(cause);
        }
        if of_effect.is_empty() {
            continue;
        }
        let integral = Integral::at(*decay, values);
        for (to, causes) in of_effect {
            let from: Vec<usize> = causes.iter().map(|cause| cause.from).collect();
            let weights = significance::weights(&integral, to, &from);
            for (cause, weight) in causes.iter().zip(weights) {
                let weight = weight * scale[to] / scale[cause.from];
                let tests = Tests {
                    statistic: Some(found[to].statistics[cause.from]),
                    absent: Some(cause.p),
                    absent_adjusted: Some(cause.q),
                    ..Tests::default()
                };
                let plain = Edge::new(cause.from, to, 1, Trajectory::Constant(weight), steps);
                edges.push(Edge { tests: Some(tests), ..plain });
            }
        }
    }
    Ok(edges)
}

fn ranking(found: &[Found]) -> Result<Ranking> {
    let d = found.len();
    let mut values = Array3::from_elem((2, d, d), f64::NAN);
    for (to, found) in found.iter().enumerate() {
        found.statistics.iter().enumerate().for_each(|(from, s)| values[[1, from, to]] = *s);
    }
    Ranking::new("log likelihood ratio", values)
}
