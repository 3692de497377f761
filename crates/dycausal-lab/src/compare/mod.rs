//! Several methods on the same data: what each finds, how long it takes, and where they agree.

mod picture;
mod row;
mod union;

use std::time::Instant;

use dycausal::{Discover, DynamicGraph, Error as Fault, Panel, Run, Scope, find};
use serde_json::{Map, Value};

pub use row::{Row, csv};

use crate::error::{Error, Result};
use crate::metrics::Options;
use crate::study::within;

/// The method that the others are held against, and that is always among them.
pub const STANDARD: &str = "ordered";

/// What is compared, and how.
pub struct Request {
    /// Names of methods, each with parameters that differ from its defaults.
    pub methods: Vec<(String, Map<String, Value>)>,
    /// The longest lag of all; none: what the standard method chooses.
    pub lag: Option<usize>,
    /// Seconds after which a method is given up.
    pub seconds: f64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threads to work on; none: all cores.
    pub threads: Option<usize>,
    /// What counts as an edge in scores.
    pub options: Options,
}

/// What one method had to say.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name.
    pub method: String,
    /// Its parameters.
    pub parameters: Map<String, Value>,
    /// What it can see.
    pub scope: Scope,
    /// How long it took.
    pub seconds: f64,
    /// What it found, or why nothing.
    pub outcome: std::result::Result<DynamicGraph, String>,
    /// What it warned of.
    pub warnings: Vec<String>,
}

/// All of them.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The standard first, then the others as they were named.
    pub entries: Vec<Entry>,
    options: Options,
}

/// Runs methods one after the other. One that fails, or takes too long, leaves a line that says why.
///
/// ```
/// use dycausal_lab::compare::{Request, compare};
/// use dycausal_lab::simulate::Simulation;
/// use dycausal::Run;
///
/// let small = Simulation { variables: 3, series: 20, steps: 20, ..Simulation::default() };
/// let panel = small.draw(1)?.panel;
/// let request = Request::of(&["granger"]);
/// let found = compare(&panel, &request, &Run::new(0))?;
/// assert_eq!(found.rows(None)?.len(), 2);
/// # Ok::<(), dycausal_lab::Error>(())
/// ```
///
/// # Errors
/// If a method is not known, a parameter out of range, or the run is cancelled.
pub fn compare(panel: &Panel, request: &Request, run: &Run) -> Result<Comparison> {
    let mut named = vec![(STANDARD.to_owned(), Map::new())];
    for (name, set) in &request.methods {
        match named.iter_mut().find(|(other, _)| other == name) {
            Some(same) => same.1.clone_from(set),
            None => named.push((name.clone(), set.clone())),
        }
    }
    // Refused now rather than after the first has run for an hour.
    for (name, set) in &named {
        build(name, set, request.lag)?;
    }
    let mut lag = request.lag;
    let mut entries: Vec<Entry> = Vec::with_capacity(named.len());
    for (name, set) in &named {
        run.proceed()?;
        let entry = match build(name, set, lag) {
            Ok(built) => one(panel, request, run, built)?,
            // The lag that the standard method chose may be none for this one.
            Err(reason) => refused(name, set, &reason)?,
        };
        if let (STANDARD, Ok(graph), None) = (name.as_str(), &entry.outcome, lag) {
            lag = Some(graph.lag().max(1));
        }
        entries.push(entry);
    }
    Ok(Comparison { entries, options: request.options })
}

impl Request {
    /// Some methods with their defaults, without a limit worth the name.
    pub fn of(methods: &[&str]) -> Self {
        Self {
            methods: methods.iter().map(|name| ((*name).to_owned(), Map::new())).collect(),
            lag: None,
            seconds: 3600.0,
            seed: 0,
            threads: None,
            options: Options { threshold: 0.0, ..Options::default() },
        }
    }
}

struct Built {
    method: Box<dyn Discover>,
    parameters: Map<String, Value>,
}

/// A method with its parameters, and the lag of all where it has one and no own.
fn build(name: &str, set: &Map<String, Value>, lag: Option<usize>) -> Result<Built> {
    let methods = dycausal_baselines::all_methods();
    let method = find(&methods, name)?;
    let mut set = set.clone();
    if let Some(lag) = lag
        && method.parameters.iter().any(|parameter| parameter.name == "lag")
    {
        set.entry("lag").or_insert_with(|| lag.into());
    }
    let (method, parameters) = method.build(&set)?;
    Ok(Built { method, parameters })
}

/// A method whose parameters do not go with the lag of the others.
fn refused(name: &str, set: &Map<String, Value>, reason: &Error) -> Result<Entry> {
    Ok(Entry {
        method: name.to_owned(),
        parameters: set.clone(),
        scope: find(&dycausal_baselines::all_methods(), name)?.scope,
        seconds: 0.0,
        outcome: Err(reason.to_string()),
        warnings: Vec::new(),
    })
}

fn one(panel: &Panel, request: &Request, run: &Run, built: Built) -> Result<Entry> {
    let name = built.method.name().to_owned();
    let begun = Instant::now();
    let (outcome, warnings) = within(request.seconds, run, |cancel| {
        let mut own = Run::new(request.seed).with_cancel(cancel).with_progress(run.progress());
        if let Some(threads) = request.threads {
            own = match own.with_threads(threads) {
                Ok(own) => own,
                Err(reason) => return (Err(reason), Vec::new()),
            };
        }
        if let Some(limit) = run.memory() {
            own = own.with_memory(limit.bytes);
        }
        let found = built.method.discover(panel, &mut own);
        own.finish();
        (found, own.warnings().to_vec())
    });
    let seconds = begun.elapsed().as_secs_f64();
    // Stopped by whoever asked for all of this, and not by the limit.
    run.proceed()?;
    let outcome = outcome.map_err(|reason| match reason {
        Fault::Cancelled => format!("given up after {:.0} seconds", request.seconds),
        other => other.to_string(),
    });
    let (scope, parameters) = (built.method.scope(), built.parameters);
    Ok(Entry { method: name, parameters, scope, seconds, outcome, warnings })
}

#[cfg(test)]
mod tests;
