//! `dycausal compare DATA --methods A,B -o DIR`.

use dycausal::{DynamicGraph, Panel, Run};
use dycausal_io::{Dense, Report, RunRecord, WriteOptions, check_folder, write_run};
use dycausal_lab::compare::{Comparison, Request, Row, compare, csv};
use dycausal_lab::metrics::Options;
use serde_json::{Map, Value};

use super::score::truth_for;
use crate::arguments::CompareArguments;
use crate::data::Found;
use crate::failure::Failure;
use crate::plan::assignment;
use crate::table::{Side, Table};
use crate::{data, interrupt, prepare, progress, screen, summary};

/// Runs the methods, prints a table and writes a folder.
pub fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let request = request(arguments)?;
    check_folder(&arguments.output, arguments.run.force)?;
    let read = data::options(&arguments.read);
    let recipe = arguments.prepare.recipe()?;
    let Found { panel, notes, taken, source, files } = data::read_data(&arguments.data, &read)?;
    let doubts = prepare::warnings(&recipe, &panel);
    let (panel, prepared) = prepare::prepared(panel, &recipe)?;
    let panel = &panel;
    let mut run =
        Run::new(request.seed).with_cancel(interrupt::heed()).with_progress(progress::bar());
    if let Some(size) = arguments.run.memory {
        run = run.with_memory(size.0);
    }
    let found = compare(panel, &request, &run)?;
    interrupt::at_once()?;
    let union = match prepared {
        Some(prepared) => found.union(panel)?.with_prepared(prepared)?,
        None => found.union(panel)?,
    };
    let truth = arguments.truth.as_deref().map(|path| truth_for(&union, path)).transpose()?;
    let rows = found.rows(truth.as_ref())?;
    let record = RunRecord {
        read,
        files,
        prepare: recipe.words(),
        ..record(panel, &union, &found, &source, &request)
    };
    let mut report = Report::new(&union, &record).with_panel(panel)?;
    if let Some(truth) = &truth {
        report = report.with_truth(truth)?;
    }
    let options = WriteOptions {
        force: arguments.run.force,
        dense: Dense::Never,
        extra: Vec::new(),
        every_step: false,
        report: Some(report.html()?),
        beside: vec![
            ("comparison.csv".into(), csv(&rows)),
            ("comparison.svg".into(), found.picture(panel)?),
        ],
    };
    let written = write_run(&arguments.output, &union, &record, &options)?;
    screen::note(&taken);
    screen::warn(&notes);
    screen::warn(&doubts);
    if arguments.run.json {
        return screen::show_json(&rows);
    }
    let files = summary::of_files(&arguments.output, &written);
    screen::show(&(render(&rows, truth.is_some()) + "\n" + &files))
}

fn request(arguments: &CompareArguments) -> Result<Request, Failure> {
    if !(arguments.seconds > 0.0 && arguments.seconds.is_finite()) {
        let what = format!("--seconds {}: expected a number above 0", arguments.seconds);
        return Err(Failure::input(what));
    }
    let mut methods: Vec<(String, Map<String, Value>)> =
        arguments.methods.iter().map(|name| (name.trim().to_owned(), Map::new())).collect();
    for text in &arguments.set {
        let (place, value) = assignment(text)?;
        let expected = || Failure::input(format!("--set {text}: expected METHOD.KEY=VALUE"));
        let (method, key) = place.split_once('.').ok_or_else(expected)?;
        if let Some((_, set)) = methods.iter_mut().find(|(name, _)| name == method) {
            set.insert(key.to_owned(), value);
        } else {
            methods.push((method.to_owned(), Map::from_iter([(key.to_owned(), value)])));
        }
    }
    Ok(Request {
        methods,
        lag: arguments.lag,
        seconds: arguments.seconds,
        seed: arguments.run.seed.unwrap_or(0),
        threads: arguments.run.threads,
        options: Options { threshold: arguments.threshold, diagonal: true },
    })
}

fn record(
    panel: &Panel,
    union: &DynamicGraph,
    found: &Comparison,
    source: &str,
    request: &Request,
) -> RunRecord {
    let parameters = found
        .entries
        .iter()
        .map(|entry| (entry.method.clone(), Value::Object(entry.parameters.clone())))
        .collect();
    let mut warnings = vec![
        "every edge that a method found is shown; together they are no graph of causes".to_owned(),
    ];
    for entry in &found.entries {
        warnings.extend(entry.warnings.iter().map(|text| format!("{}: {text}", entry.method)));
        if let Err(reason) = &entry.outcome {
            warnings.push(format!("{}: {reason}", entry.method));
        }
    }
    RunRecord {
        method: "comparison".into(),
        parameters,
        seed: request.seed,
        threads: request.threads.unwrap_or_else(|| Run::new(0).threads()),
        timings: found
            .entries
            .iter()
            .map(|entry| dycausal::Timing { stage: entry.method.clone(), seconds: entry.seconds })
            .collect(),
        warnings,
        ..RunRecord::of(panel, union, source)
    }
}

/// The table on the screen.
fn render(rows: &[Row], scored: bool) -> String {
    let count = |n: Option<usize>| n.map_or("-".to_owned(), |n| n.to_string());
    let share = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.3}"));
    let plain = |row: &Row| {
        let found = row
            .failure
            .as_ref()
            .map_or_else(|| format!("sees {}", row.sees), |reason| format!("failed: {reason}"));
        (
            [row.method.clone(), count(row.edges), count(row.instantaneous), count(row.open)],
            [share(row.agreement), format!("{:.2}", row.seconds)],
            found,
        )
    };
    let (left, right) = (Side::Left, Side::Right);
    let head = [("method", left), ("edges", right), ("at lag 0", right), ("open", right)];
    let mid = [("agreement", right), ("seconds", right)];
    if scored {
        let scores = [("F1", right), ("precision", right), ("recall", right), ("SHD", right)];
        let columns: Vec<_> =
            head.into_iter().chain(mid).chain(scores).chain([("", left)]).collect();
        let mut table = Table::new(&columns);
        for row in rows {
            let ([a, b, c, d], [e, f], found) = plain(row);
            let shd = row.shd.map_or("-".to_owned(), |x| format!("{x:.1}"));
            let [g, h, i] = [row.f1, row.precision, row.recall].map(share);
            table.row([a, b, c, d, e, f, g, h, i, shd, found]);
        }
        return table.render();
    }
    let columns: Vec<_> = head.into_iter().chain(mid).chain([("", left)]).collect();
    let mut table = Table::new(&columns);
    for row in rows {
        let ([a, b, c, d], [e, f], found) = plain(row);
        table.row([a, b, c, d, e, f, found]);
    }
    table.render()
}
