//! From trajectories to equations, and from these to a graph.

use rayon::prelude::*;

use super::Ode;
use super::choice::{Data, choose};
use super::equation::written;
use super::followed::{Equations, mean_change};
use super::rows::Rows;
use super::selection::{Allowed, used};
use super::system::{OneEquation, Setup, equations, restricted};
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge, Trajectory};
use crate::knowledge::Knowledge;
use crate::linear_algebra::dot;
use crate::listing::{self, Candidate, Decision, Searched, has_room, settled};
use crate::panel::Panel;
use crate::regression::Projection;
use crate::run::Run;
use crate::run::facts::{FunctionsOfEffects, WrittenEquation};
use crate::thresholds::SHARE_OF_SQUARE_LEFT;

/// Steps that a row needs.
const STEPS: usize = 4;
/// Rows that equations need.
const FEWEST: usize = 16;

/// Runs all stages.
pub(super) fn learn(
    method: &Ode,
    panel: &Panel,
    run: &mut Run,
) -> Result<(DynamicGraph, Equations)> {
    if panel.steps() < STEPS {
        return Err(Error::TooShort { steps: panel.steps(), lag: 1, needed: STEPS });
    }
    let d = panel.variables();
    let allowed: Vec<Allowed> = (0..d).map(|to| allowed(run.knowledge(), d, to)).collect();
    let data = Data::of(method, panel);
    let windows = data.rows(method.library).windows.len();
    if windows < FEWEST {
        let what = format!(
            "{windows} stretches of {STEPS} steps without a missing cell; equations need at least {FEWEST}"
        );
        return Err(Error::numerical("rows", what));
    }
    let (setup, rows, tried) = choose(method, &data, &allowed, run)?;
    let facts = run.facts_mut();
    facts.library = Some(setup.library.word().to_owned());
    facts.scheme = Some(setup.scheme.word().to_owned());
    facts.functions = Some(FunctionsOfEffects::OfTime(setup.basis.size()));
    facts.evidence = Some(tried);
    run.stage("equations", None);
    let effects: Vec<usize> = (0..d).collect();
    let mut found = equations(&rows, &setup, &effects, &allowed, run)?;
    run.stage("tests", None);
    let causes = list(method, &rows, &mut found, run)?;
    let names = panel.names();
    let written = found.iter().map(|one| equation(names, &rows, &setup, one)).collect();
    run.facts_mut().equations = Some(written);
    let edges = edges(&rows, &setup, &found, &causes, panel.steps());
    let (names, times) = (names.to_vec(), panel.times().clone());
    let graph = DynamicGraph::new(names, times, 1, setup.basis.clone(), edges)?;
    let graph = ranked(graph, &found, run)?;
    Ok((graph, Equations { rows, setup, found }))
}

fn allowed(knowledge: &Knowledge, variables: usize, to: usize) -> Allowed {
    let which = |may: &dyn Fn(usize) -> bool| (0..variables).filter(|v| may(*v)).collect();
    Allowed {
        effect: to,
        causes: (0..variables).map(|from| knowledge.allows(from, to, 1)).collect(),
        required: which(&|from| knowledge.requires(from, to, 1)),
    }
}

/// Tests every variable of every equation and leaves out what does not stand up to it.
fn list(
    method: &Ode,
    rows: &Rows,
    found: &mut [OneEquation],
    run: &mut Run,
) -> Result<Vec<Decision>> {
    let d = found.len();
    // Every term that could have been selected was looked at, not only every pair.
    let terms: usize = found.iter().map(|one| one.design.moving().count()).sum();
    let searched = Searched { between: terms.max(d * (d - 1)), own: d };
    let shared = &*run;
    let test = |one: &OneEquation| {
        shared.proceed()?;
        Ok(tested(one))
    };
    let leave = |one: &mut OneEquation, kept: &[Decision]| {
        let kept: Vec<usize> = kept.iter().map(|decision| decision.candidate.from).collect();
        *one = restricted(rows, one, &kept);
    };
    let (decisions, mut counts) =
        shared.parallel(|| settled(found, (searched, method.alpha), test, leave))?;
    let mut listed: Vec<Decision> = decisions.into_iter().flatten().collect();
    // What was required is there, though nothing may be left for it to say.
    for one in found.iter() {
        let (to, known) = (one.allowed.effect, listed.len());
        let is = |decision: &Decision, from: usize| {
            (decision.candidate.from, decision.candidate.to) == (from, to)
        };
        for from in &one.allowed.required {
            if !listed[..known].iter().any(|decision| is(decision, *from)) {
                let candidate = Candidate { p: Some(1.0), ..candidate(one, *from) };
                listed.push(Decision { candidate, q: 1.0 });
            }
        }
    }
    counts.listed = listed.len();
    run.facts_mut().edges = Some(counts);
    Ok(listed)
}

/// The variables of an equation with their p-values.
fn tested(one: &OneEquation) -> Vec<Candidate> {
    let OneEquation { design, allowed, fitted, .. } = one;
    let there = |v: &usize| fitted.terms.iter().any(|k| design.terms[*k].term.has(*v));
    let variables = used(design, &fitted.terms, allowed).into_iter().filter(there);
    let of = |from| Candidate { p: Some(fitted.p_value(design, from)), ..candidate(one, from) };
    variables.map(of).collect()
}

/// A cause of an equation, not tested yet.
fn candidate(one: &OneEquation, from: usize) -> Candidate {
    let Allowed { effect, required, .. } = &one.allowed;
    Candidate {
        from,
        to: *effect,
        lag: 1,
        required: required.contains(&from),
        ..Candidate::default()
    }
}

fn equation(names: &[String], rows: &Rows, setup: &Setup, one: &OneEquation) -> WrittenEquation {
    let effect = one.allowed.effect;
    let mean = mean_change(rows, effect);
    written(names, effect, (rows, &one.design, &setup.basis), &one.fitted, mean)
}

/// Edges whose weight is the mean of ∂f/∂x along the data.
fn edges(
    rows: &Rows,
    setup: &Setup,
    found: &[OneEquation],
    listed: &[Decision],
    steps: usize,
) -> Vec<Edge> {
    let states = rows.beginnings();
    let edge = |decision: &Decision| {
        let cause = decision.candidate;
        let mut along = vec![0.0; setup.basis.size()];
        let OneEquation { design, fitted, .. } = &found[cause.to];
        for (column, coefficient) in fitted.terms.iter().zip(&fitted.coefficients) {
            let moving = design.terms[*column];
            if !moving.term.has(cause.from) {
                continue;
            }
            let slope = |state: ndarray::ArrayView1<'_, f64>| {
                state.as_slice().map_or(0.0, |state| moving.term.slope(state, cause.from))
            };
            let mean = states.outer_iter().map(slope).sum::<f64>() / states.nrows() as f64;
            let unit = rows.scale[cause.to] / rows.scale[cause.from];
            along[moving.function] += coefficient / design.lengths[*column] * mean * unit;
        }
        let trajectory = match along[..] {
            [weight] => Trajectory::Constant(weight),
            _ => Trajectory::Coefficients(along),
        };
        let mut edge = Edge::new(cause.from, cause.to, cause.lag, trajectory, steps);
        decision.describe(&mut edge);
        edge
    };
    listed.iter().map(edge).collect()
}

/// n log RSS without a variable that is in an equation, less that with it; and of one that is not, by
/// how much its own terms would lower it.
fn ranked(graph: DynamicGraph, found: &[OneEquation], run: &mut Run) -> Result<DynamicGraph> {
    let d = found.len();
    if !has_room(2 * d * d, run) {
        return Ok(graph);
    }
    run.proceed()?;
    let one = |one: &OneEquation| -> Vec<f64> {
        (0..d)
            .map(|from| if one.allowed.causes[from] { statistic(one, from) } else { 0.0 })
            .collect()
    };
    let all: Vec<Vec<f64>> = run.parallel(|| found.par_iter().map(one).collect());
    let itself: Vec<usize> = (0..d).collect();
    graph.with_ranking(listing::ranking(all.into_iter().enumerate(), &itself, (1, 1))?)
}

fn statistic(one: &OneEquation, from: usize) -> f64 {
    let OneEquation { design, change, allowed, fitted, .. } = one;
    let its = |k: &usize| design.terms[*k].term.has(from);
    let inside = fitted.terms.iter().any(its);
    // Its own terms: of it alone, and with the effect.
    let simple = |k: &usize| {
        let of = design.terms[*k].term.variables();
        its(k) && of.iter().all(|v| *v == from || *v == allowed.effect)
    };
    let added: Vec<usize> = if inside {
        fitted.terms.iter().copied().filter(its).collect()
    } else {
        design.moving().filter(simple).collect()
    };
    let base: Vec<usize> = fitted.terms.iter().copied().filter(|k| !its(k)).collect();
    let which: Vec<usize> = base.iter().chain(&added).copied().collect();
    let column = |k: usize| &design.columns[which[k]][..];
    let cross = (0..which.len()).map(|k| dot(column(k), change)).collect();
    let mut left =
        Projection::new(vec![1.0; which.len()], cross, dot(change, change), SHARE_OF_SQUARE_LEFT);
    let give = |left: &mut Projection, k: usize| {
        if left.gain(k) > 0.0 {
            left.give(k, |other| dot(column(k), column(other)));
        }
    };
    (0..base.len()).for_each(|k| give(&mut left, k));
    let before = left.residual;
    (base.len()..which.len()).for_each(|k| give(&mut left, k));
    let rows = change.len() as f64;
    if left.residual <= 0.0 { 0.0 } else { (rows * (before / left.residual).ln()).max(0.0) }
}
