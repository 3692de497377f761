//! Runs every row on every case of recorded data.

use std::path::Path;
use std::time::Instant;

use dycausal::graph::Sources;
use dycausal::{Cancel, Panel, Run, find};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::super::limit::within;
use super::super::plan::version;
use super::super::spec::Parameters;
use super::super::store::Store;
use super::super::tally::Mean;
use super::super::workers::each;
use super::case::{Case, standardised};
use super::fit::{Evidence, fit, ranking};
use super::spec::{Group, RealRow, RealSpec};
use crate::error::{Error, Result};

/// Seconds after which the fits of a cell are given up, in the short and in the full form.
const SECONDS: [f64; 2] = [15.0, 1200.0];

/// In the short form one in so many subsets, and so many series one by one.
const QUICK_SUBSETS: usize = 40;
const QUICK_SERIES: usize = 5;

/// Rankings of all edges, and what they believe of causes.
pub(super) const RANKINGS: [(&str, Sources); 2] =
    [("ranking", Sources::Same), ("ranking, sources differ", Sources::Differ)];

/// What is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RealRequest {
    /// The short form.
    pub quick: bool,
    /// Rows; none: all.
    pub methods: Vec<String>,
    /// Groups; none: all.
    pub groups: Vec<String>,
}

/// Everything that determines what comes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct RealCell {
    group: String,
    case: String,
    way: String,
    method: String,
    parameters: Parameters,
    unit_free: bool,
    each: bool,
    every: usize,
    series: usize,
    data: u64,
    version: u32,
    /// Whether rankings of all edges are scored too: cells from before they were are made anew.
    ranked: bool,
}

/// One ranking score, over the series or subsets that were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RealEntry {
    /// What pairs are ranked by: `weight`, `statistic`, `ranking` or `ranking, sources differ`.
    pub by: String,
    /// `instantaneous`, `lagged` or `all`; empty for a statistic.
    pub edges: String,
    /// Whether effects of variables on themselves count.
    pub diagonal: bool,
    /// `AUROC`, `AUPRC` or `best F1`.
    pub metric: String,
    /// Its mean over series or subsets.
    pub mean: f64,
    /// Its spread.
    pub sd: Option<f64>,
    /// How many there were.
    pub count: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct RealOutcome {
    entries: Vec<RealEntry>,
    seconds: f64,
    failure: Option<String>,
    given_up: Option<f64>,
}

/// A row on a case.
#[derive(Debug, Clone, PartialEq)]
pub struct RealTally {
    /// The group.
    pub group: String,
    /// The case.
    pub case: String,
    /// `pooled`, `one by one`, or `subsets`.
    pub way: String,
    /// The row.
    pub row: String,
    /// Whether columns were standardised before the fit.
    pub unit_free: bool,
    /// The scores.
    pub entries: Vec<RealEntry>,
    /// Seconds, all fits together, on one thread.
    pub seconds: f64,
    /// Why there are none.
    pub failure: Option<String>,
}

/// All of them.
#[derive(Debug, Clone, PartialEq)]
pub struct RealReport {
    /// What was run.
    pub spec: RealSpec,
    /// What part of it.
    pub request: RealRequest,
    /// What came out.
    pub tallies: Vec<RealTally>,
}

impl RealTally {
    /// Whether two tallies are of the same row on the same case.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        let place = |t: &Self| [&t.group, &t.case, &t.way, &t.row].map(String::clone);
        place(self) == place(other) && self.unit_free == other.unit_free
    }

    /// One score.
    pub fn find(&self, by: &str, edges: &str, diagonal: bool, metric: &str) -> Option<&RealEntry> {
        self.entries.iter().find(|e| {
            e.by == by && e.edges == edges && e.diagonal == diagonal && e.metric == metric
        })
    }
}

/// A cell with what it needs.
struct Job<'a> {
    case: &'a Case,
    group: &'a Group,
    row: &'a RealRow,
    cell: RealCell,
}

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
    let store = Store::open(folder)?;
    run.stage("real", Some(jobs.len() as u64));
    let shared = &*run;
    let limit = SECONDS[usize::from(!request.quick)];
    let outcomes = each(&jobs, shared.threads(), |job| {
        let outcome = settle(job, &store, limit, shared)?;
        shared.advance(1);
        Ok(outcome)
    })?;
    let tally = |(job, outcome): (&Job<'_>, RealOutcome)| RealTally {
        group: job.cell.group.clone(),
        case: job.cell.case.clone(),
        way: job.cell.way.clone(),
        row: job.row.name.clone(),
        unit_free: job.cell.unit_free,
        entries: outcome.entries,
        seconds: outcome.seconds,
        failure: outcome.failure,
    };
    let tallies = jobs.iter().zip(outcomes).map(tally).collect();
    Ok(RealReport { spec: spec.clone(), request: request.clone(), tallies })
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
                data: fingerprint(&case.panel),
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
fn fingerprint(panel: &Panel) -> u64 {
    panel
        .values()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, x| (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3))
}

fn settle(job: &Job<'_>, store: &Store, limit: f64, run: &Run) -> Result<RealOutcome> {
    if let Some(kept) = store.load::<RealCell, RealOutcome>(&job.cell)
        && kept.given_up.is_none_or(|seconds| seconds >= limit)
    {
        return Ok(kept);
    }
    run.proceed()?;
    if let Some(most) = job.row.up_to.filter(|most| job.case.panel.variables() > *most)
        && job.case.subsets.is_empty()
    {
        let failure = Some(format!("not run above {most} variables: too slow"));
        return Ok(RealOutcome { failure, ..RealOutcome::default() });
    }
    let begun = Instant::now();
    let ranked = within(limit, run, |cancel| job.rankings(&cancel));
    let seconds = begun.elapsed().as_secs_f64();
    run.proceed()?;
    let outcome = match ranked {
        Ok(entries) => RealOutcome { entries, seconds, ..RealOutcome::default() },
        Err(_) if seconds >= limit => RealOutcome {
            failure: Some(format!("given up after {limit} s")),
            given_up: Some(limit),
            ..RealOutcome::default()
        },
        Err(error) => RealOutcome { failure: Some(error.to_string()), ..RealOutcome::default() },
    };
    store.keep(&job.cell, &outcome)?;
    Ok(outcome)
}

impl Job<'_> {
    /// Fits all there is to fit and gives the mean of every score.
    fn rankings(&self, cancel: &Cancel) -> Result<Vec<RealEntry>> {
        let panel = if self.cell.unit_free {
            standardised(&self.case.panel, self.group.each)?
        } else {
            self.case.panel.clone()
        };
        let mut fits: Vec<(Evidence, Array2<bool>)> = Vec::new();
        for (part, truth) in self.parts(&panel)? {
            let fitted = fit(self.row.method(), &self.cell.parameters, &part, cancel.clone())?;
            fits.push((fitted, truth));
        }
        let mut entries = Vec::new();
        for diagonal in [false, true] {
            for edges in ["instantaneous", "lagged", "all"] {
                let ranked =
                    fits.iter().map(|(e, truth)| ranking(&e.pairs(edges), truth, diagonal));
                push(&mut entries, ("weight", edges, diagonal), ranked.collect());
                for (by, sources) in RANKINGS {
                    let ranked = fits.iter().filter_map(|(e, truth)| {
                        Some(ranking(&e.ranked(edges, sources)?, truth, diagonal))
                    });
                    push(&mut entries, (by, edges, diagonal), ranked.collect());
                }
            }
            let tested = fits
                .iter()
                .filter_map(|(e, truth)| Some(ranking(e.statistic.as_ref()?, truth, diagonal)));
            push(&mut entries, ("statistic", "", diagonal), tested.collect());
        }
        Ok(entries)
    }

    /// The panels that are fitted, each with its truth.
    fn parts(&self, panel: &Panel) -> Result<Vec<(Panel, Array2<bool>)>> {
        match self.cell.way.as_str() {
            "subsets" => {
                let some = self.case.subsets.iter().step_by(self.cell.every.max(1));
                some.map(|subset| {
                    let d = subset.len();
                    let truth = Array2::from_shape_fn((d, d), |(i, j)| {
                        self.case.truth[[subset[i], subset[j]]]
                    });
                    Ok((panel.select(subset)?, truth))
                })
                .collect()
            }
            "one by one" => (0..panel.series().min(self.cell.series))
                .map(|series| {
                    let rows =
                        panel.values().slice(ndarray::s![series..=series, .., ..]).to_owned();
                    let alone = Panel::new(rows, panel.names().to_vec())?;
                    Ok((alone, self.case.truth_of(series).clone()))
                })
                .collect(),
            _ => Ok(vec![(panel.clone(), self.case.truth.clone())]),
        }
    }
}

fn push(
    entries: &mut Vec<RealEntry>,
    (by, edges, diagonal): (&str, &str, bool),
    ranked: Vec<crate::metrics::Areas>,
) {
    let metrics: [(&str, Vec<f64>); 3] = [
        ("AUROC", ranked.iter().filter_map(|r| r.auroc).collect()),
        ("AUPRC", ranked.iter().filter_map(|r| r.auprc).collect()),
        ("best F1", ranked.iter().filter_map(|r| r.best_f1).collect()),
    ];
    for (metric, values) in metrics {
        if let Some(Mean { mean, sd, count }) = Mean::of(&values) {
            let (by, edges, metric) = (by.to_owned(), edges.to_owned(), metric.to_owned());
            entries.push(RealEntry { by, edges, diagonal, metric, mean, sd, count });
        }
    }
}
