//! Runs every row on every case of recorded data.

use std::collections::HashMap;
use std::path::Path;

use dycausal::{Panel, Run, find};

use super::case::Case;
use super::fit::SEED;
use super::job::{Job, RealCell};
use super::report::{RealReport, RealRequest};
use super::spec::{Group, RealRow, RealSpec};
use crate::error::{Error, Result};
use crate::study::{
    Kept, Outcome, Parameters, Scores, Store, each, fingerprint, key, settle, version,
};

/// Seconds after which the fits of a cell are given up, in the short and in the full form.
const SECONDS: [f64; 2] = [15.0, 1200.0];

/// In the short form one in so many subsets, and so many series one by one.
const QUICK_SUBSETS: usize = 40;
const QUICK_SERIES: usize = 5;

/// Runs rows on cases; finished cells are kept in `folder`.
///
/// # Errors
/// If a row or group is unknown, a parameter wrong, or the run is cancelled.
pub fn run_real(
    spec: &RealSpec,
    cases: &[Case],
    request: &RealRequest,
    folder: &Path,
    run: &mut Run,
) -> Result<RealReport> {
    check(spec, request)?;
    let mut jobs = Vec::new();
    for case in cases {
        if let Some(group) = spec.groups.get(&case.group).filter(|g| wanted(case, g, request)) {
            for row in spec.rows.iter().filter(|row| chosen(row, &request.methods)) {
                jobs.extend(jobs_of(case, group, row, request)?);
            }
        }
    }
    let (store, report) = (Store::open(folder)?, RealReport::new(spec, request, Vec::new()));
    let scores = Scores::open(folder)?;
    let known = scores.of(report.file_name()).into_iter().flat_map(Kept::outcomes);
    let earlier: HashMap<&str, Outcome> = known.collect();
    run.stage("real", Some(jobs.len() as u64));
    let shared = &*run;
    let limit = SECONDS[usize::from(!request.quick)];
    let tallies = each(&jobs, shared.threads(), |job| {
        let name = fingerprint(&key(&job.cell));
        let mut found = [store.load(&job.cell).or_else(|| earlier.get(name.as_str()).cloned())];
        if let (None, Some(why)) = (&found[0], job.barred()) {
            found = [Some(Outcome::failed(why))];
        }
        settle(&[&job.cell], &mut found, &store, (limit, shared), |_| job.run(limit, shared))?;
        shared.advance(1);
        let mut tally = job.tally();
        found.iter().flatten().for_each(|outcome| tally.add(SEED, &name, outcome));
        Ok(tally)
    })?;
    Ok(RealReport { tallies, ..report })
}

fn check(spec: &RealSpec, request: &RealRequest) -> Result<()> {
    for name in &request.methods {
        if !spec.rows.iter().any(|row| chosen(row, std::slice::from_ref(name))) {
            return Err(Error::unknown("row", name, spec.rows.iter().map(|r| r.name.as_str())));
        }
    }
    for name in &request.groups {
        if !spec.groups.contains_key(name) {
            return Err(Error::unknown("group", name, spec.groups.keys().map(String::as_str)));
        }
    }
    Ok(())
}

fn chosen(row: &RealRow, names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| row.name == *name || row.method() == name)
}

fn wanted(case: &Case, group: &Group, request: &RealRequest) -> bool {
    let asked = request.groups.is_empty() || request.groups.contains(&case.group);
    asked && (!request.quick || group.quick.is_empty() || group.quick.contains(&case.name))
}

/// Raw and unit-free; pooled, and one by one where the group says so.
fn jobs_of<'a>(
    case: &'a Case,
    group: &'a Group,
    row: &'a RealRow,
    request: &RealRequest,
) -> Result<Vec<Job<'a>>> {
    let mut ways = if case.subsets.is_empty() { vec!["pooled"] } else { vec!["subsets"] };
    if group.alone && row.alone && case.panel.series() > 1 {
        ways.push("one by one");
    }
    let parameters = parameters(case, group, row, request.quick)?;
    let version = version(row.method(), &parameters)?;
    let mut jobs = Vec::new();
    for way in ways {
        for unit_free in [false, true] {
            let cell = RealCell {
                group: case.group.clone(),
                case: case.name.clone(),
                way: way.to_owned(),
                method: row.method().to_owned(),
                parameters: parameters.clone(),
                unit_free,
                each: group.each,
                every: stride(way, row, request.quick),
                series: if request.quick { QUICK_SERIES } else { case.panel.series() },
                data: bits(&case.panel),
                version,
                ranked: true,
            };
            jobs.push(Job { case, group, row, cell });
        }
    }
    Ok(jobs)
}

/// One in how many subsets is looked at; series are all there is.
fn stride(way: &str, row: &RealRow, quick: bool) -> usize {
    match (way, quick) {
        ("subsets", true) => row.every.max(QUICK_SUBSETS),
        ("subsets", false) => row.every,
        _ => 1,
    }
}

fn parameters(case: &Case, group: &Group, row: &RealRow, quick: bool) -> Result<Parameters> {
    let mut all = row.set.clone();
    let methods = dycausal_baselines::all_methods();
    let method = find(&methods, row.method())?;
    if method.parameters.iter().any(|parameter| parameter.name == "lag") {
        all.insert("lag".into(), group.lag.into());
    }
    if let Some(knots) = row.knots {
        all.insert("spacing".into(), (case.panel.steps() / knots).max(4).into());
    }
    if quick {
        all.extend(row.quick.clone());
    }
    // Refused now rather than after hours.
    method.build(&all)?;
    Ok(all)
}

/// The bits of the data: other data under the same name are other cells.
fn bits(panel: &Panel) -> u64 {
    panel
        .values()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, x| (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3))
}
