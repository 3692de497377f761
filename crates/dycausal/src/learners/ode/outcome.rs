//! From trajectories to equations, and from these to a graph.

use ndarray::Array3;
use rayon::prelude::*;

use super::Ode;
use super::choice::{Data, choose};
use super::equation::Equation;
use super::followed::{Equations, mean_change};
use super::rows::Rows;
use super::selection::{Allowed, used};
use super::system::{OneEquation, Setup, equations, restricted};
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge, Ranking, Tests, Trajectory};
use crate::inference::adjusted_among;
use crate::inference::listing::Counts;
use crate::knowledge::Knowledge;
use crate::linear_algebra::dot;
use crate::panel::Panel;
use crate::regression::Projection;
use crate::run::Run;
use crate::thresholds::SHARE_OF_SQUARE_LEFT;

/// Steps that a row needs.
const STEPS: usize = 4;
/// Rows that equations need.
const FEWEST: usize = 16;
/// Rounds of testing and leaving out, at most.
const ROUNDS: usize = 5;

/// A cause with its test.
#[derive(Debug, Clone, Copy)]
struct Cause {
    from: usize,
    to: usize,
    p: f64,
    q: f64,
}

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
    run.tell("library", setup.library);
    run.tell("scheme", setup.scheme);
    run.tell("functions", setup.basis.size());
    run.tell("evidence", tried);
    run.stage("equations", None);
    let effects: Vec<usize> = (0..d).collect();
    let mut found = equations(&rows, &setup, &effects, &allowed, run)?;
    run.stage("tests", None);
    let causes = list(method, &rows, &mut found, run)?;
    let names = panel.names();
    let told: Vec<Equation> = found.iter().map(|one| equation(names, &rows, &setup, one)).collect();
    run.tell("equations", told);
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
fn list(method: &Ode, rows: &Rows, found: &mut [OneEquation], run: &mut Run) -> Result<Vec<Cause>> {
    let d = found.len();
    // Every term that could have been selected was looked at, not only every pair.
    let searched: usize = found.iter().map(|one| one.design.moving().count()).sum();
    let searched = searched.max(d * (d - 1));
    let (mut counts, mut causes) = (Counts::default(), Vec::new());
    for round in 0..ROUNDS {
        run.proceed()?;
        causes = run.parallel(|| found.par_iter().flat_map_iter(tested).collect::<Vec<Cause>>());
        // Effects of variables on themselves are a family of their own.
        for own in [false, true] {
            let its: Vec<usize> =
                (0..causes.len()).filter(|k| (causes[*k].from == causes[*k].to) == own).collect();
            let p: Vec<f64> = its.iter().map(|k| causes[*k].p).collect();
            let possible = if own { d } else { searched };
            for (k, q) in its.iter().zip(adjusted_among(&p, possible)) {
                causes[*k].q = q;
            }
        }
        if round == 0 {
            (counts.selected, counts.tested) = (causes.len(), causes.len());
        }
        let required = |cause: &Cause| found[cause.to].allowed.required.contains(&cause.from);
        let stays =
            |cause: &Cause| method.alpha >= 1.0 || cause.q <= method.alpha || required(cause);
        let changed: Vec<usize> =
            causes.iter().filter(|cause| !stays(cause)).map(|cause| cause.to).collect();
        causes.retain(&stays);
        if changed.is_empty() {
            break;
        }
        for to in (0..d).filter(|to| changed.contains(to)) {
            let kept: Vec<usize> = causes.iter().filter(|c| c.to == to).map(|c| c.from).collect();
            found[to] = restricted(rows, &found[to], &kept);
        }
    }
    // What was required is there, though nothing may be left for it to say.
    for one in found.iter() {
        let (to, known) = (one.allowed.effect, causes.len());
        for from in &one.allowed.required {
            if !causes[..known].iter().any(|cause| (cause.from, cause.to) == (*from, to)) {
                causes.push(Cause { from: *from, to, p: 1.0, q: 1.0 });
            }
        }
    }
    counts.listed = causes.len();
    run.tell("edges", counts);
    Ok(causes)
}

/// The variables of an equation with their p-values.
fn tested(one: &OneEquation) -> Vec<Cause> {
    let OneEquation { design, allowed, fitted, .. } = one;
    let there = |v: &usize| fitted.terms.iter().any(|k| design.terms[*k].term.has(*v));
    let variables = used(design, &fitted.terms, allowed).into_iter().filter(there);
    let cause = |from| Cause { from, to: allowed.effect, p: fitted.p_value(design, from), q: 1.0 };
    variables.map(cause).collect()
}

fn equation(names: &[String], rows: &Rows, setup: &Setup, one: &OneEquation) -> Equation {
    let effect = one.allowed.effect;
    let mean = mean_change(rows, effect);
    Equation::of(names, effect, (rows, &one.design, &setup.basis), &one.fitted, mean)
}

/// Edges whose weight is the mean of ∂f/∂x along the data.
fn edges(
    rows: &Rows,
    setup: &Setup,
    found: &[OneEquation],
    causes: &[Cause],
    steps: usize,
) -> Vec<Edge> {
    let states = rows.beginnings();
    let edge = |cause: &Cause| {
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
        let tests =
            Tests { absent: Some(cause.p), absent_adjusted: Some(cause.q), ..Tests::default() };
        Edge { tests: Some(tests), ..Edge::new(cause.from, cause.to, 1, trajectory, steps) }
    };
    causes.iter().map(edge).collect()
}

/// n log RSS without a variable that is in an equation, less that with it; and of one that is not, by
/// how much its own terms would lower it.
fn ranked(graph: DynamicGraph, found: &[OneEquation], run: &mut Run) -> Result<DynamicGraph> {
    let d = found.len();
    let places = 2 * d * d;
    if places > Ranking::MOST {
        let most = Ranking::MOST;
        run.warn(format!("no ranking of all edges: there are {places}, more than {most}"));
        return Ok(graph);
    }
    run.proceed()?;
    let one = |one: &OneEquation| -> Vec<f64> {
        (0..d)
            .map(|from| if one.allowed.causes[from] { statistic(one, from) } else { 0.0 })
            .collect()
    };
    let all: Vec<Vec<f64>> = run.parallel(|| found.par_iter().map(one).collect());
    let mut values = Array3::from_elem((2, d, d), f64::NAN);
    for (to, of) in all.iter().enumerate() {
        of.iter().enumerate().for_each(|(from, s)| values[[1, from, to]] = *s);
    }
    graph.with_ranking(Ranking::new("log likelihood ratio", values)?)
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
