//! Runs a battery: every condition, variant and seed, in parallel, until it is cancelled.

use std::time::Instant;

use dycausal::{Run, find};
use serde_json::{Map, Value};

use super::condition::Condition;
use super::definition::{Battery, Request, Trial, Variant};
use super::findings::{Findings, Measured, Row};
use crate::error::{Error, Result};
use crate::reproduce::{each, within};

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

/// What one fit gave, or why it gave nothing.
type Outcome = std::result::Result<Measured, String>;

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
                Err(why) => row.unavailable = Some(why.clone()),
                Ok(_) => seeds.iter().zip(&mut outcomes).for_each(|(seed, o)| row.add(*seed, o)),
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
            let set = match (battery.unavailable, method.build(&set)) {
                (Some(why), _) => Err(format!("not available: {why}")),
                (None, Err(error)) => Err(format!("not available: {error}")),
                (None, Ok(_)) => Ok(set),
            };
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
) -> Result<Outcome> {
    let Ok(set) = &candidate.set else { return Ok(Err("not available".into())) };
    let sample = condition.sample(seed)?;
    let methods = dycausal_baselines::all_methods();
    let (method, _) = find(&methods, &candidate.method)?.build(set)?;
    let begun = Instant::now();
    let fitted = within(f64::INFINITY, run, |cancel| {
        let mut own = Run::new(seed.wrapping_add(METHOD_SEED)).with_threads(1)?.with_cancel(cancel);
        let graph = method.discover(&sample.panel, &mut own)?;
        Ok::<_, Error>((graph, own))
    });
    let seconds = begun.elapsed().as_secs_f64();
    run.proceed()?;
    Ok(match fitted {
        Ok((graph, own)) => {
            let trial = Trial { sample: &sample, graph: &graph, run: &own };
            let sketch = battery.sketch.filter(|_| first).and_then(|sketch| sketch(&trial));
            Ok(Measured { figures: (battery.measure)(&trial), seconds, sketch })
        }
        Err(error) => Err(error.to_string()),
    })
}
