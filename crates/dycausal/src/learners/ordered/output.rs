//! What was learned, as a graph in the data's units.

use std::collections::HashMap;

use rayon::prelude::*;

use super::directions::{Direction, directions};
use super::edges::{Units, edge};
use super::on_basis::wider;
use super::pipeline::{Fitted, Given, Labels};
use super::ranking::ranking;
use super::refit::{Estimated, Manner, Weight, equation, weights};
use super::second_look::second_look;
use super::self_lags::Mend;
use super::settings::Movement;
use super::{Ordered, stability};
use crate::basis::Family;
use crate::design::{Preparation, own_orders};
use crate::error::Result;
use crate::graph::{DynamicGraph, Edge, Mark};
use crate::inference;
use crate::inference::listing::{Counts, Data, Equation, functions, list, settle};
use crate::movement::{Masses, Moving};
use crate::run::Run;
use crate::scores::LocalScore;
use crate::search::Scorer;

/// Edges above which little is kept of how each moves: files and memory would grow with what nobody reads.
const MANY_EDGES: usize = 2_000;
/// q below which a lagged parent directs edges by structure.
const SURE: f64 = 0.001;

/// The listed edges with their weights, bands and tests.
pub(super) fn graph(
    method: &Ordered,
    labels: Labels<'_>,
    mut fitted: Fitted,
    mut preparation: Preparation,
    given: &Given,
    run: &mut Run,
) -> Result<DynamicGraph> {
    run.stage("tests", None);
    let mut equations = run.parallel(|| equations(&fitted, given));
    let (functions, counts) = run.parallel(|| tested(method, &fitted, &mut equations))?;
    run.tell("edges", counts);
    warn_of_untested(counts, run);
    for (fit, equation) in fitted.learned.fits.iter_mut().zip(&equations) {
        fit.selected = directing(equation, fitted.score.variables());
    }
    run.stage("directions", None);
    let told = run.parallel(|| {
        let Fitted { score, learned, .. } = &fitted;
        let mut scorer = Scorer::new(score, &learned.candidates, given);
        directions(&mut scorer, &learned.state, &learned.fits)
    })?;
    warn_of_open(&told, run);
    fitted.score.forget();
    run.stage("weights", None);
    let (basis, inner) = wider(method, &fitted, functions, labels.steps())?;
    let mend = Mend { preparation: &preparation, before: &fitted.before, seed: run.seed() };
    let data = Data { basis: &inner, functions: inner.size(), ..fitted.data() };
    let mut moving: Vec<Option<Moving>> = equations.iter().map(|_| None).collect();
    let (mut added, mut masses) = (HashMap::new(), Masses::default());
    if method.movement == Movement::Average && method.alpha < 1.0 {
        let found =
            run.parallel(|| second_look(&data, &mut equations, &basis, &given.knowledge))?;
        if found.skipped {
            run.warn("too many possible edges for a second look at those whose weights move fast around 0");
        }
        run.tell("second_look", found.facts(labels.names, &fitted.before));
        (moving, added, masses) = (found.moving, found.added, found.masses);
    }
    let manner = Manner {
        movement: method.movement,
        basis: Some(&basis),
        functions,
        level: method.bands.then_some(method.level),
        mend: (method.bands && preparation.biases()).then_some(&mend),
        masses,
        brief: equations.iter().map(|e| e.selected.len()).sum::<usize>() > MANY_EDGES,
    };
    let estimated = run.parallel(|| estimated(&data, &equations, moving, manner))?;
    let mut support = HashMap::new();
    if method.resamples > 0 {
        run.stage("resamples", Some(method.resamples as u64));
        let order = &fitted.learned.state.order;
        support = stability::support(&fitted.score, method.resamples, order, given, run)?;
    }
    let ranking = ranking(&fitted, &equations, &given.knowledge, run)?;
    // Where there are very many edges, they need the room that the values take.
    let Fitted { score, before, .. } = fitted;
    let (d, lag) = (score.variables(), score.columns.lag());
    let units = Units { before, scale: score.columns.scale().to_vec(), inner };
    drop(score);
    let seed = run.seed();
    let of_one = |(equation, weights): (&Equation, Vec<Weight>)| -> Vec<Edge> {
        let one = |weight: Weight| {
            let column = weight.column;
            let mut edge = edge(method, &units, equation, weight, &basis, seed);
            let (from, to) = (column % d, equation.to);
            if let Some(direction) = told.get(&(from, to)).filter(|_| column < d) {
                edge.mark = if direction.told { Mark::Directed } else { Mark::Undirected };
                edge.confidence = Some(direction.confidence);
            } else if added.get(&(column, to)) == Some(&false) {
                // The search that found the order did not see it.
                edge.mark = Mark::Undirected;
            }
            if method.resamples > 0 {
                edge.support = Some(support.get(&(column, to)).copied().unwrap_or(0.0));
            }
            edge
        };
        // An edge that its weight says is nowhere is none.
        weights.into_iter().map(one).filter(|edge| !edge.presence.is_empty()).collect()
    };
    let (weights, own_lags): (Vec<Vec<Weight>>, Vec<Vec<f64>>) =
        estimated.into_iter().map(|e| (e.weights, e.own_lags)).unzip();
    let mut edges: Vec<Edge> =
        run.parallel(|| equations.par_iter().zip(weights).flat_map_iter(of_one).collect());
    run.proceed()?;
    adjust_unchanging(&mut edges);
    let names = labels.names.to_vec();
    if own_lags.iter().any(|own| !own.is_empty()) {
        preparation.own_lags = vec![Vec::new(); d];
        for (equation, own) in equations.iter().zip(own_lags) {
            preparation.own_lags[units.before[equation.to]] = own;
        }
    }
    let graph = DynamicGraph::new(names, labels.times.clone(), lag, basis, edges)?;
    let graph = graph.with_preparation(preparation);
    match ranking {
        Some(ranking) => graph.with_ranking(ranking),
        None => Ok(graph),
    }
}

/// Tests the equations and leaves out what fails; how many functions weights have, and how many edges there
/// were.
fn tested(
    method: &Ordered,
    fitted: &Fitted,
    equations: &mut [Equation],
) -> Result<(usize, Counts)> {
    let mut data = fitted.data();
    let orders = own_orders(data.columns);
    data.know_partial_rows(equations, Some(&orders));
    settle(&data, equations, &orders)?;
    let remembers = equations.iter().any(|equation| equation.own > data.columns.lag());
    let free = method.movement.family() == Family::Legendre && method.basis_size.value().is_none();
    if free && remembers {
        let fewer = functions(&data, equations);
        if fewer < data.functions {
            data.functions = fewer;
            settle(&data, equations, &orders)?;
        }
    }
    let counts = list(&data, equations, method.alpha)?;
    Ok((data.functions, counts))
}

/// The weights of all equations, with working models where they are known.
fn estimated(
    data: &Data<'_>,
    equations: &[Equation],
    moving: Vec<Option<Moving>>,
    manner: Manner<'_>,
) -> Result<Vec<Estimated>> {
    let one = |(at, moving): (usize, Option<Moving>)| {
        data.cancel.proceed()?;
        Ok((at, weights(data, &equations[at], moving, manner)))
    };
    // Those with most causes take longest by far: with them last, one thread would work alone.
    let mut turns: Vec<(usize, Option<Moving>)> = moving.into_iter().enumerate().collect();
    turns.sort_by_key(|(at, _)| std::cmp::Reverse(equations[*at].selected.len()));
    let done: Result<Vec<(usize, Estimated)>> =
        turns.into_par_iter().with_max_len(1).map(one).collect();
    let mut done = done?;
    done.sort_unstable_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, estimated)| estimated).collect())
}

/// What the search selected, as equations to be tested.
fn equations(fitted: &Fitted, given: &Given) -> Vec<Equation> {
    let fits = fitted.learned.fits.par_iter().enumerate();
    fits.map(|(to, fit)| equation(&fitted.score, to, fit, &given.knowledge)).collect()
}

/// What structure may direct edges by: a lagged parent makes a collider of every edge that meets it,
/// so that one which is there by chance would direct them all. Only those far beyond chance count.
fn directing(equation: &Equation, variables: usize) -> Vec<usize> {
    let sure = |(column, test): &(&usize, &(f64, f64))| **column < variables || test.1 < SURE;
    equation.selected.iter().zip(&equation.tests).filter(sure).map(|(c, _)| *c).collect()
}

fn warn_of_untested(counts: Counts, run: &mut Run) {
    if counts.tested < counts.selected {
        run.warn(format!(
            "{} of {} edges that the score selected could not be tested, because rows are too few for their regressions, or causes are nearly copies of each other: they are not listed, most would be false",
            counts.selected - counts.tested,
            counts.selected
        ));
    }
}

fn warn_of_open(told: &HashMap<(usize, usize), Direction>, run: &mut Run) {
    let open = told.values().filter(|direction| !direction.told).count();
    if open > 0 {
        run.warn(format!(
            "{open} instantaneous edge(s) could as well point the other way: the data do not tell (mark `undirected`)"
        ));
    }
}

/// q of "the weight does not move", over the listed edges.
fn adjust_unchanging(edges: &mut [Edge]) {
    let still = |edge: &Edge| edge.tests.as_ref().and_then(|tests| tests.unchanging);
    let p: Vec<f64> = edges.iter().filter_map(still).collect();
    let mut adjusted = inference::adjusted(&p).into_iter();
    for edge in edges {
        if let Some(tests) = edge.tests.as_mut().filter(|tests| tests.unchanging.is_some()) {
            tests.unchanging_adjusted = adjusted.next();
        }
    }
}
