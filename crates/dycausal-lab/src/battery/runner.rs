//! Runs a battery: every condition, variant and seed, in parallel, until it is cancelled.

use dycausal::{Run, find};
use serde_json::{Map, Value};

use super::condition::Condition;
use super::definition::{Battery, Request, Trial, Variant};
use super::findings::{Findings, Row};
use super::sketch::Sketch;
use crate::error::Result;
use crate::study::{Entry, Outcome, attempt, each};

/// The method of a battery unless another is asked for.
const DEFAULT_METHOD: &str = "ordered";

/// What is added to the seed of the data to start the method: its own random start must not
/// depend on the numbers the data were drawn from.
const METHOD_SEED: u64 = 7919;

/// A method with its parameters, or why the engine does not take them.
struct Candidate {
    method: String,
    variant: Variant,
    set: std::result::Result<Map<String, Value>, String>,
}

/// Runs a part of a battery, a fit per thread of the run.
///
/// A variant that the engine does not take is a row that says so. Figures do not depend on the number
/// of threads.
///
/// # Errors
/// If a condition, a method or a parameter asked for is not there, or the run is cancelled.
pub fn run_battery(
    battery: &'static Battery,
    request: &Request,
    run: &mut Run,
) -> Result<Findings> {
    let conditions = battery.chosen(request)?;
    let candidates = candidates(battery, request)?;
    let seeds = battery.seeds(request);
    let mut items = Vec::new();
    for condition in &conditions {
        for candidate in candidates.iter().filter(|candidate| candidate.set.is_ok()) {
            items.extend(seeds.iter().map(|seed| (condition, candidate, *seed)));
        }
    }
    run.stage(battery.name, Some(items.len() as u64));
    let shared = &*run;
    let outcomes = each(&items, shared.threads(), |(condition, candidate, seed)| {
        shared.proceed()?;
        let first = seeds.first() == Some(seed);
        let outcome = trial(battery, condition, candidate, (*seed, first), shared)?;
        shared.advance(1);
        Ok(outcome)
    })?;
    let mut outcomes = outcomes.into_iter();
    let mut rows = Vec::new();
    for condition in &conditions {
        for candidate in &candidates {
            let mut row = Row::new(condition, &candidate.method, &candidate.variant.name);
            match &candidate.set {
                Err(why) => row.tally.barred = Some(why.clone()),
                Ok(_) => seeds.iter().zip(&mut outcomes).for_each(|(seed, (outcome, sketch))| {
                    row.tally.add(*seed, "", &outcome);
                    row.sketch = row.sketch.take().or(sketch);
                }),
            }
            rows.push(row);
        }
    }
    Ok(Findings { battery, request: request.clone(), rows })
}

/// Methods × variants. What was asked for has to be right; what a variant adds may not be there yet.
fn candidates(battery: &Battery, request: &Request) -> Result<Vec<Candidate>> {
    let methods = dycausal_baselines::all_methods();
    let names = match request.methods.as_slice() {
        [] => &[DEFAULT_METHOD.to_owned()][..],
        names => names,
    };
    let mut all = Vec::new();
    for name in names {
        let method = find(&methods, name)?;
        method.build(&request.set)?;
        for variant in (battery.variants)() {
            let mut set = request.set.clone();
            set.extend(variant.set.clone());
            let built = method.build(&set);
            let set = built.map(|_| set).map_err(|error| format!("not available: {error}"));
            all.push(Candidate { method: name.clone(), variant, set });
        }
    }
    Ok(all)
}

/// Draws, fits, measures and sketches; a method that fails is an outcome too.
fn trial(
    battery: &Battery,
    condition: &Condition,
    candidate: &Candidate,
    (seed, first): (u64, bool),
    run: &Run,
) -> Result<(Outcome, Option<Sketch>)> {
    let Ok(set) = &candidate.set else { return Ok((Outcome::failed("not available"), None)) };
    let sample = condition.sample(seed)?;
    let methods = dycausal_baselines::all_methods();
    let (method, _) = find(&methods, &candidate.method)?.build(set)?;
    let (seconds, fitted) = attempt(f64::INFINITY, run, |cancel| {
        let mut own = Run::new(seed.wrapping_add(METHOD_SEED)).with_threads(1)?.with_cancel(cancel);
        Ok((method.discover(&sample.panel, &mut own)?, own))
    })?;
    let (graph, own) = match fitted {
        Ok(fitted) => fitted,
        Err(outcome) => return Ok((outcome, None)),
    };
    let trial = Trial { sample: &sample, graph: &graph, run: &own };
    let sketch = battery.sketch.filter(|_| first).and_then(|sketch| sketch(&trial));
    let figures = (battery.measure)(&trial).into_iter();
    let scores = figures.map(|(name, value)| Entry::new("", "", name, value)).collect();
    Ok((Outcome { scores, seconds, ..Outcome::default() }, sketch))
}
